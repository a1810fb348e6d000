"""Data sets as ``dgl.data.DGLDataset``: a labelled hypergraph with a chosen split, also by name."""

from __future__ import annotations

import dgl
import numpy as np
import torch
from scipy import sparse

from .._utils import csr_to_scipy
from .benchmarks import BASE_URL, BENCHMARKS, Benchmark, Folder, load_benchmark, load_debian
from .generated import generate, preset
from .labelled import LabelledHypergraph
from .loading import dataset_names, load_named
from .splits import SplitLike


class HypergraphDataset(dgl.data.DGLDataset):
    """A view on one labelled hypergraph and one of its splits, the way DGL's users expect it.

    ``dataset[0]`` is the hypergraph as a DGL heterograph with ``feat`` (dense float32, made when it
    is first asked for), ``label``, ``train_mask``, ``val_mask`` and ``test_mask`` in
    ``g.nodes["node"].data``; :attr:`sparse_feat` and :attr:`features` are as they are stored.

    Parameters
    ----------
    data
        The labelled hypergraph.
    split, val_fraction, seed
        Which nodes are for what, see :func:`load_dataset`.

    Attributes
    ----------
    data : LabelledHypergraph
        Structure, features, labels, names and all given splits.
    split : Split
        Ids of the train, validation and test nodes of this data set.

    Examples
    --------
    >>> from hypersage_dgl.data import generate
    >>> dataset = HypergraphDataset(generate(500, 300, seed=1))
    >>> dataset
    HypergraphDataset("synthetic", nodes=500, hyperedges=300, classes=4, train=80, val=0, test=420)
    >>> int(dataset[0].nodes["node"].data["train_mask"].sum())
    80
    """

    def __init__(
        self,
        data: LabelledHypergraph,
        split: SplitLike = 1,
        *,
        val_fraction: float = 0.0,
        seed: int = 0,
    ) -> None:
        self.data = data
        self.split = data.split(split, val_fraction=val_fraction, seed=seed)
        self._graph: dgl.DGLGraph | None = None
        # Given, or DGL would make a folder in the home directory; no file is read from there.
        super().__init__(name=data.name, raw_dir="")

    def _load(self) -> None:
        # DGL's own method makes the raw folder, and reacts to any error by processing again.
        pass

    def process(self) -> None:
        """Nothing is left to do: the data are there."""

    @property
    def structure(self) -> dgl.DGLGraph:
        """The hypergraph alone, without the dense features that ``dataset[0]`` carries."""
        return self.data.graph.local_var()

    @property
    def sparse_feat(self) -> torch.Tensor:
        """Features of the nodes as a torch CSR tensor, which models and training take as it is."""
        return self.data.require_feat().to_sparse_csr()

    @property
    def features(self) -> sparse.csr_matrix:
        """Features of the nodes as float32 CSR of scipy."""
        return csr_to_scipy(self.sparse_feat).astype(np.float32)

    @property
    def labels(self) -> torch.Tensor:
        """Class of each node."""
        return self.data.require_labels().clone()

    @property
    def num_classes(self) -> int:
        """Number of classes."""
        return self.data.num_classes

    @property
    def class_names(self) -> tuple[str, ...]:
        """Names of the classes; label ``k`` is ``class_names[k]``."""
        return tuple(self.data.class_names)

    def statistics(self) -> dict[str, float]:
        """Measure the data set, see :meth:`LabelledHypergraph.statistics`."""
        return self.data.statistics(self.split)

    def __getitem__(self, index: int) -> dgl.DGLGraph:
        if index != 0:
            raise IndexError(f"index is {index}; {self.name} is one hypergraph, at index 0")
        if self._graph is None:
            self._graph = self.data.to_dgl(self.split)
        return self._graph

    def __len__(self) -> int:
        return 1

    def __repr__(self) -> str:
        sizes = ", ".join(f"{part}={len(ids)}" for part, ids in self.split._asdict().items())
        return (
            f'{type(self).__name__}("{self.name}", nodes={self.data.num_nodes}, '
            f"hyperedges={self.data.num_hyperedges}, classes={self.num_classes}, {sizes})"
        )


class BenchmarkDataset(HypergraphDataset):
    """One of the five benchmarks of the HyperSAGE paper, with ten given splits.

    Parameters
    ----------
    source
        Name of a benchmark, or a row of the same form as those in :data:`BENCHMARKS`.
    split, data_dir, val_fraction, seed, citing_member
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
    split, val_fraction, seed
        As in :class:`HypergraphDataset`; the seed decides the hypergraph as well.
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
    if data_dir is None and name == "debian":
        return DebianDataset(split, val_fraction=val_fraction, seed=seed)
    if data_dir is None and name.startswith("synthetic"):
        shape = name.partition(":")[2] or None
        return SyntheticDataset(shape, split, val_fraction=val_fraction, seed=seed)
    data = load_named(name, data_dir, seed)
    return HypergraphDataset(data, split, val_fraction=val_fraction, seed=seed)
