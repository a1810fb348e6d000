"""All data sets by name, as ``dgl.data.DGLDataset``."""

from __future__ import annotations

from .allset import load_allset
from .allset_files import ALLSET_NAMES
from .benchmark import load_benchmark
from .benchmark_files import BASE_URL, BENCHMARKS, Benchmark
from .dataset import HypergraphDataset
from .debian import load_debian
from .loading import dataset_names
from .locate import Folder
from .planes import fano
from .splits import SplitLike
from .synthetic import generate, preset


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
    citing_member
        As in :func:`load_dataset`.
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
        citing_member: bool = False,
    ) -> None:
        if isinstance(source, str) and source not in BENCHMARKS:
            raise ValueError(f"no benchmark {source!r}; there are {', '.join(BENCHMARKS)}")
        self.source = BENCHMARKS[source] if isinstance(source, str) else source
        data = load_benchmark(self.source, data_dir, base_url=base_url, citing_member=citing_member)
        super().__init__(data, split, val_fraction=val_fraction, seed=seed)


class DebianDataset(HypergraphDataset):
    """The embedded data set: Debian's packages, with ten given splits."""

    def __init__(self, split: SplitLike = 1, *, val_fraction: float = 0.0, seed: int = 0) -> None:
        super().__init__(load_debian(), split, val_fraction=val_fraction, seed=seed)


class SyntheticDataset(HypergraphDataset):
    """A generated hypergraph with planted classes.

    Parameters
    ----------
    shape
        Name of a preset, such as ``"dblp"``; by default a small hypergraph. For other shapes give
        what :func:`generate` returns to :class:`HypergraphDataset`.
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
        data = generate(seed=seed) if shape is None else preset(shape, seed)
        super().__init__(data, split, val_fraction=val_fraction, seed=seed)


def load_dataset(
    name: str,
    split: SplitLike = 1,
    *,
    data_dir: Folder | None = None,
    val_fraction: float = 0.0,
    seed: int = 0,
    citing_member: bool = False,
) -> HypergraphDataset:
    """Open a data set by its name, as a ``dgl.data.DGLDataset`` with one split.

    The five benchmarks are looked for in ``data_dir``, or else in the folder that the environment
    variable ``HYPERSAGE_DATA_DIR`` names; then in the cache; then they are downloaded. ``debian``
    comes with the package and ``synthetic`` is made on the spot: both work without the internet.

    Parameters
    ----------
    name
        One of :func:`dataset_names`.
    split
        Number of a given split, counted from 1; ``"random"`` for 50 % train, 25 % validation and
        25 % test nodes; or your own ``Split`` of node ids. The sets of AllSet have no given ones.
    data_dir
        Folder with the public files of the benchmarks: a copy of the repository of HyperGCN, or
        of its folder ``data``; or of those of AllSet. It must have those of this data set.
    val_fraction
        Share of the training nodes of each class that become validation nodes. The benchmarks
        have none of their own.
    seed
        Decides which nodes ``split="random"`` and ``val_fraction`` take, what ``synthetic``
        and ``fano`` are, and the features of the sets of AllSet that have none.
    citing_member
        For co-citation, ``cora-cocitation``, ``citeseer`` and ``pubmed``: whether the citing paper
        is a member of the hyperedge of the papers that it cites, as in the code of HyperMSG.

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
            name,
            split,
            data_dir=data_dir,
            val_fraction=val_fraction,
            seed=seed,
            citing_member=citing_member,
        )
    if citing_member:
        raise ValueError(f"citing_member is of co-citation, and {name} is none; leave it out")
    if name in ALLSET_NAMES:
        data = load_allset(name, data_dir, seed)
        return HypergraphDataset(data, split, val_fraction=val_fraction, seed=seed)
    if data_dir is not None:
        raise ValueError(f"data_dir is {data_dir}, but {name} reads no files; leave it out")
    if name == "debian":
        return DebianDataset(split, val_fraction=val_fraction, seed=seed)
    if name == "fano":
        return HypergraphDataset(fano(seed=seed), split, val_fraction=val_fraction, seed=seed)
    shape = name.partition(":")[2] or None
    return SyntheticDataset(shape, split, val_fraction=val_fraction, seed=seed)
