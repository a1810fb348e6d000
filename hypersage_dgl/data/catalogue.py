"""All data sets by name."""

from __future__ import annotations

from .arrays import HypergraphArrays
from .benchmark import load_benchmark
from .dataset import HypergraphDataset, SplitLike
from .debian import load_debian
from .locate import Folder
from .sources import BASE_URL, BENCHMARKS, Benchmark
from .synthetic import PRESETS, generate, preset


class BenchmarkDataset(HypergraphDataset):
    """One of the five benchmarks of the HyperSAGE paper, with ten given splits.

    Parameters
    ----------
    source
        Name of a benchmark, or a row of the same form as those in ``sources.BENCHMARKS``.
    split, val_fraction, seed
        As in :class:`HypergraphDataset`.
    data_dir
        As in :func:`load_dataset`.
    base_url
        Where to download from; a mirror must have the layout of the repository.
    """

    def __init__(
        self,
        source: str | Benchmark,
        split: SplitLike = 1,
        *,
        data_dir: Folder | None = None,
        base_url: str = BASE_URL,
        val_fraction: float = 0.0,
        seed: int = 0,
    ) -> None:
        if isinstance(source, str) and source not in BENCHMARKS:
            raise ValueError(f"no benchmark {source!r}; there are {', '.join(BENCHMARKS)}")
        self.source = BENCHMARKS[source] if isinstance(source, str) else source
        self._data_dir, self._base_url = data_dir, base_url
        super().__init__(self.source.name, split, val_fraction=val_fraction, seed=seed)

    def load_arrays(self) -> HypergraphArrays:
        """Read the files from where they are found first."""
        return load_benchmark(self.source, self._data_dir, base_url=self._base_url)


class DebianDataset(HypergraphDataset):
    """The embedded data set: Debian's packages, with ten given splits."""

    def __init__(self, split: SplitLike = 1, *, val_fraction: float = 0.0, seed: int = 0) -> None:
        super().__init__("debian", split, val_fraction=val_fraction, seed=seed)

    def load_arrays(self) -> HypergraphArrays:
        """Read the file that comes with the package."""
        return load_debian()


class SyntheticDataset(HypergraphDataset):
    """A generated hypergraph with planted classes.

    Parameters
    ----------
    shape
        Name of a preset, such as ``"dblp"``; by default a small hypergraph. For other shapes give
        what ``synthetic.generate`` returns to :class:`ArraysDataset`.
    split, val_fraction
        As in :class:`HypergraphDataset`.
    seed
        Decides the hypergraph as well as what it decides in :class:`HypergraphDataset`.
    """

    def __init__(
        self,
        shape: str | None = None,
        split: SplitLike = 1,
        *,
        val_fraction: float = 0.0,
        seed: int = 0,
    ) -> None:
        self._shape = shape
        name = "synthetic" if shape is None else f"synthetic:{shape}"
        super().__init__(name, split, val_fraction=val_fraction, seed=seed)

    def load_arrays(self) -> HypergraphArrays:
        """Generate the hypergraph."""
        return generate(seed=self._seed) if self._shape is None else preset(self._shape, self._seed)


def dataset_names() -> tuple[str, ...]:
    """Names that :func:`load_dataset` knows.

    Examples
    --------
    >>> dataset_names()[:7]
    ('dblp', 'cora-coauthorship', 'cora-cocitation', 'citeseer', 'pubmed', 'debian', 'synthetic')
    """
    return (*BENCHMARKS, "debian", "synthetic", *(f"synthetic:{name}" for name in PRESETS))


def load_dataset(
    name: str,
    split: SplitLike = 1,
    *,
    data_dir: Folder | None = None,
    val_fraction: float = 0.0,
    seed: int = 0,
) -> HypergraphDataset:
    """Open a data set by its name.

    The five benchmarks are looked for in ``data_dir``, or else in the folder that the environment
    variable ``HYPERSAGE_DATA_DIR`` names; then in the cache; then they are downloaded. ``debian``
    comes with the package and ``synthetic`` is made on the spot: both work without the internet.

    Parameters
    ----------
    name
        One of :func:`dataset_names`.
    split
        Number of a given split, from 1 on; ``"random"`` for 50 % train, 25 % validation and 25 %
        test nodes; or your own ``Split`` of node ids.
    data_dir
        Folder with the public files of the benchmarks: a copy of the repository of HyperGCN, or
        of its folder ``data``. It must have those of this data set.
    val_fraction
        Share of the training nodes of each class that become validation nodes. The benchmarks
        have none of their own.
    seed
        Decides which nodes ``split="random"`` and ``val_fraction`` take, and what ``synthetic`` is.

    Returns
    -------
    HypergraphDataset
        ``dataset[0]`` is the hypergraph with ``feat``, ``label`` and masks as node data.

    Examples
    --------
    >>> dataset = load_dataset("debian", split=2)
    >>> dataset.num_classes, int(dataset[0].nodes["node"].data["train_mask"].sum())
    (10, 1320)
    """
    if name not in dataset_names():
        raise ValueError(f"no data set {name!r}; there are {', '.join(dataset_names())}")
    if name in BENCHMARKS:
        return BenchmarkDataset(
            name, split, data_dir=data_dir, val_fraction=val_fraction, seed=seed
        )
    if data_dir is not None:
        raise ValueError(f"data_dir is {data_dir}, but {name} reads no files; leave it out")
    if name == "debian":
        return DebianDataset(split, val_fraction=val_fraction, seed=seed)
    shape = name.partition(":")[2] or None
    return SyntheticDataset(shape, split, val_fraction=val_fraction, seed=seed)
