"""A labelled hypergraph with a chosen split, as a ``dgl.data.DGLDataset``."""

from __future__ import annotations

import dgl
import torch
from scipy import sparse

from .labelled import LabelledHypergraph
from .splits import SplitLike


class HypergraphDataset(dgl.data.DGLDataset):
    """A view on one labelled hypergraph and one of its splits, the way DGL's users expect it.

    ``dataset[0]`` is the hypergraph as a DGL heterograph. Its node data are ``feat`` (dense
    float32), ``label`` and the masks ``train_mask``, ``val_mask`` and ``test_mask``, all in
    ``g.nodes["node"].data``. The dense features are made when it is first asked for;
    :attr:`sparse_feat` and :attr:`features` have the same as they are stored.

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
        feat = self.sparse_feat
        parts = (feat.values(), feat.col_indices(), feat.crow_indices())
        return sparse.csr_matrix(tuple(part.numpy() for part in parts), shape=tuple(feat.shape))

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
