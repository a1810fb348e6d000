"""A labelled hypergraph with a split, as a ``dgl.data.DGLDataset``."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import asdict
from typing import Union

import dgl
import numpy as np
import torch
from scipy import sparse

from .._utils import csr_from_scipy
from ..hypergraphs import NODE, as_ids, hypergraph_from_incidence, summary
from .arrays import HypergraphArrays, Split, check_split
from .splits import as_mask, carve_validation, random_split

SplitLike = Union[int, str, Split]


class HypergraphDataset(dgl.data.DGLDataset):
    """One labelled hypergraph; a subclass only says where its arrays come from.

    ``dataset[0]`` is the hypergraph as a DGL heterograph. Its node data are ``feat`` (dense
    float32), ``label`` and the masks ``train_mask``, ``val_mask`` and ``test_mask``, all in
    ``g.nodes["node"].data``. The dense features are made when it is first asked for;
    :attr:`features` has the same as scipy CSR.

    Parameters
    ----------
    name
        Name of the data set.
    split
        Number of a given split, from 1 on; ``"random"`` for 50 % train, 25 % validation and 25 %
        test nodes; or your own :class:`Split` of node ids.
    val_fraction
        Share of the training nodes of each class that become validation nodes, see
        :func:`carve_validation`.
    seed
        Decides which nodes ``split="random"`` and ``val_fraction`` take.

    Attributes
    ----------
    arrays : HypergraphArrays
        Incidences, features, labels and all given splits as plain arrays.
    split : Split
        Ids of the train, validation and test nodes of this data set.
    """

    def __init__(
        self, name: str, split: SplitLike = 1, *, val_fraction: float = 0.0, seed: int = 0
    ) -> None:
        self._wanted, self._val_fraction, self._seed = split, val_fraction, seed
        self._graph: dgl.DGLGraph | None = None
        # Given, or DGL would make a folder in the home directory; no file is read from there.
        super().__init__(name=name, raw_dir="")

    @abstractmethod
    def load_arrays(self) -> HypergraphArrays:
        """Return the data; called once, by the constructor."""

    def _load(self) -> None:
        # DGL's own method makes the raw folder, and reacts to any error by processing again.
        self.process()

    def process(self) -> None:
        """Load the arrays and choose the split."""
        self.arrays = self.load_arrays()
        self.arrays.check()
        chosen = self._choose_split()
        self.split = carve_validation(chosen, self.arrays.labels, self._val_fraction, self._seed)

    def _choose_split(self) -> Split:
        wanted, count = self._wanted, len(self.arrays.splits)
        if isinstance(wanted, Split):
            own = Split(*(as_ids(ids, "node", self.arrays.num_nodes).numpy() for ids in wanted))
            check_split(own, self.arrays.num_nodes, "split")
            return own
        if isinstance(wanted, str) and wanted == "random":
            return random_split(self.arrays.num_nodes, self._seed)
        is_number = isinstance(wanted, (int, np.integer)) and not isinstance(wanted, bool)
        number = int(wanted) if is_number else 0
        if not 1 <= number <= count:
            given = f"the splits 1 to {count}" if count else "no splits of its own"
            raise ValueError(
                f"split is {wanted!r:.60}; {self.name} has {given}. Other values are 'random' and "
                "a Split of your own node ids"
            )
        return self.arrays.splits[number - 1]

    @property
    def structure(self) -> dgl.DGLGraph:
        """The hypergraph alone, without the dense features that ``dataset[0]`` carries."""
        arrays = self.arrays
        return hypergraph_from_incidence(
            arrays.node_ids, arrays.hyperedge_ids, arrays.num_nodes, arrays.num_hyperedges
        )

    @property
    def sparse_feat(self) -> torch.Tensor:
        """Features of the nodes as a torch CSR tensor, which models and training take as it is."""
        return csr_from_scipy(self.features)

    @property
    def labels(self) -> torch.Tensor:
        """Class of each node."""
        return torch.from_numpy(self.arrays.labels.copy())

    def __getitem__(self, index: int) -> dgl.DGLGraph:
        if index != 0:
            raise IndexError(f"index is {index}; {self.name} is one hypergraph, at index 0")
        if self._graph is None:
            self._graph = self.structure
            data = self._graph.nodes[NODE].data
            data["feat"] = _dense(self.features)
            data["label"] = self.labels
            for part, ids in self.split._asdict().items():
                data[f"{part}_mask"] = as_mask(ids, self.arrays.num_nodes)
        return self._graph

    def __len__(self) -> int:
        return 1

    def __repr__(self) -> str:
        sizes = ", ".join(f"{part}={len(ids)}" for part, ids in self.split._asdict().items())
        arrays = self.arrays
        return (
            f'{type(self).__name__}("{self.name}", nodes={arrays.num_nodes}, '
            f"hyperedges={arrays.num_hyperedges}, classes={self.num_classes}, {sizes})"
        )

    @property
    def features(self) -> sparse.csr_matrix:
        """Features of the nodes as float32 CSR."""
        return self.arrays.features

    @property
    def num_classes(self) -> int:
        """Number of classes."""
        return len(self.class_names)

    @property
    def class_names(self) -> tuple[str, ...]:
        """Names of the classes; label ``k`` is ``class_names[k]``."""
        return self.arrays.class_names

    def statistics(self) -> dict[str, float]:
        """Measure the data set: its hypergraph, features, classes and split.

        Returns
        -------
        dict
            The fields of :class:`hypersage_dgl.Summary`, then ``features``, ``nonzeros``,
            ``classes``, the sizes ``train``, ``val`` and ``test``, and of those the isolated nodes
            ``isolated_train``, ``isolated_val`` and ``isolated_test``.
        """
        structure = self.structure
        is_isolated = (structure.nodes[NODE].data["degree"] == 0).numpy()
        parts = self.split._asdict()
        return {
            **asdict(summary(structure)),
            "features": self.features.shape[1],
            "nonzeros": self.features.nnz,
            "classes": self.num_classes,
            **{part: len(ids) for part, ids in parts.items()},
            **{f"isolated_{part}": int(is_isolated[ids].sum()) for part, ids in parts.items()},
        }


class ArraysDataset(HypergraphDataset):
    """A data set of arrays that you have at hand.

    Parameters
    ----------
    name
        Name of the data set.
    arrays
        Its content.
    split, val_fraction, seed
        As in :class:`HypergraphDataset`.

    Examples
    --------
    >>> import numpy as np
    >>> arrays = HypergraphArrays(
    ...     node_ids=np.array([0, 1, 1, 2]),
    ...     hyperedge_ids=np.array([0, 0, 1, 1]),
    ...     num_hyperedges=2,
    ...     features=sparse.csr_matrix(np.eye(3, dtype=np.float32)),
    ...     labels=np.array([0, 1, 1]),
    ...     class_names=("red", "blue"),
    ...     splits=(Split(np.array([0, 1]), np.arange(0), np.array([2])),),
    ... )
    >>> dataset = ArraysDataset("tiny", arrays)
    >>> dataset
    ArraysDataset("tiny", nodes=3, hyperedges=2, classes=2, train=2, val=0, test=1)
    >>> dataset[0].nodes["node"].data["train_mask"]
    tensor([ True,  True, False])
    """

    def __init__(
        self,
        name: str,
        arrays: HypergraphArrays,
        split: SplitLike = 1,
        *,
        val_fraction: float = 0.0,
        seed: int = 0,
    ) -> None:
        self.arrays = arrays
        super().__init__(name, split, val_fraction=val_fraction, seed=seed)

    def load_arrays(self) -> HypergraphArrays:
        """Return the arrays as they were given."""
        return self.arrays


def _dense(features: sparse.csr_matrix) -> torch.Tensor:
    # torch's threads get memory from the system faster than scipy's own array does.
    dense = torch.zeros(features.shape)
    features.toarray(out=dense.numpy())
    return dense
