"""A labelled hypergraph as plain arrays: what every reader and generator returns."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from scipy import sparse

from .._utils import IntArray, refusing_damage


class Split(NamedTuple):
    """Node ids of one train/validation/test split; ``val`` may be empty."""

    train: IntArray
    val: IntArray
    test: IntArray


PARTS = Split._fields
# What a saved file consists of.
KEYS = (
    *("node_ids", "hyperedge_ids", "num_hyperedges", "labels", "class_names", "split_ids"),
    *("split_sizes", "feature_values", "feature_indices", "feature_indptr", "feature_shape"),
)


@dataclass(frozen=True)
class HypergraphArrays:
    """Incidences, features, labels and splits of one data set.

    Node ``node_ids[i]`` is in hyperedge ``hyperedge_ids[i]``. ``features`` is float32 CSR with one
    row for each node, ``labels`` int64 with one class for each node, ``class_names[k]`` names
    class ``k``. Ids and labels of any integer type become int64.
    """

    node_ids: IntArray
    hyperedge_ids: IntArray
    num_hyperedges: int
    features: sparse.csr_matrix
    labels: IntArray
    class_names: tuple[str, ...]
    splits: tuple[Split, ...]

    def __post_init__(self) -> None:
        for name in ("node_ids", "hyperedge_ids", "labels"):
            # The dataclass is frozen for its users, not for what it makes of their values.
            object.__setattr__(self, name, _int64(getattr(self, name), name))
        splits = (
            Split(
                *(_int64(ids, f"{part} nodes of split {number}") for part, ids in zip(PARTS, split))
            )
            for number, split in enumerate(self.splits, start=1)
        )
        object.__setattr__(self, "splits", tuple(splits))

    @property
    def num_nodes(self) -> int:
        """Number of nodes, isolated ones included."""
        return len(self.labels)

    def check(self) -> None:
        """Raise ``ValueError`` where features, labels, classes or splits do not fit the nodes.

        The incidences are checked where a hypergraph is built of them.
        """
        n, classes = self.num_nodes, len(self.class_names)
        if not isinstance(self.features, sparse.csr_matrix):
            raise TypeError(
                f"features are a {type(self.features).__name__}; they must be a "
                "scipy.sparse.csr_matrix"
            )
        # scipy itself follows a wrong column index out of its memory.
        self.features.check_format(full_check=True)
        if self.features.shape[0] != n or self.features.dtype != np.float32:
            raise ValueError(
                f"features are {self.features.shape[0]} rows of {self.features.dtype}; they must "
                f"be float32 with one row for each of the {n} nodes"
            )
        if len(set(self.class_names)) < classes or not all(
            isinstance(name, str) for name in self.class_names
        ):
            raise ValueError(f"class_names are {self.class_names}; they must be distinct strings")
        if n and not (self.labels.min() >= 0 and self.labels.max() < classes):
            raise ValueError(
                f"labels go from {self.labels.min()} to {self.labels.max()}; with the {classes} "
                f"classes {self.class_names} they must go from 0 to {classes - 1}"
            )
        for number, split in enumerate(self.splits, start=1):
            check_split(split, n, f"split {number}")

    def save(self, file: IO[bytes]) -> None:
        """Write all arrays as npz, without pickle."""
        np.savez_compressed(
            file,
            node_ids=self.node_ids,
            hyperedge_ids=self.hyperedge_ids,
            num_hyperedges=np.int64(self.num_hyperedges),
            feature_values=self.features.data,
            feature_indices=self.features.indices,
            feature_indptr=self.features.indptr,
            feature_shape=np.array(self.features.shape),
            labels=self.labels,
            class_names=np.array(self.class_names, dtype=np.str_),
            split_ids=np.concatenate([np.empty(0, np.int64), *(i for s in self.splits for i in s)]),
            split_sizes=np.array([[len(i) for i in s] for s in self.splits]).reshape(-1, 3),
        )

    @classmethod
    def load(cls, path: Path) -> HypergraphArrays:
        """Read what :meth:`save` wrote; ``ValueError`` if the file is damaged or another's."""
        # Opened here, since numpy leaves the file of a damaged archive open.
        rule = f"{path} does not hold the arrays of a hypergraph"
        with path.open("rb") as file, refusing_damage(rule, "remove it and make it anew"):
            with np.load(file, allow_pickle=False) as npz:
                stored = {key: npz[key] for key in KEYS}
            csr = tuple(stored[f"feature_{part}"] for part in ("values", "indices", "indptr"))
            sizes = stored["split_sizes"].astype(np.int64)
            ids = np.split(stored["split_ids"], np.cumsum(sizes.ravel())[:-1])
            arrays = cls(
                node_ids=stored["node_ids"],
                hyperedge_ids=stored["hyperedge_ids"],
                num_hyperedges=int(stored["num_hyperedges"]),
                features=sparse.csr_matrix(csr, shape=tuple(stored["feature_shape"].tolist())),
                labels=stored["labels"],
                class_names=tuple(stored["class_names"].tolist()),
                splits=tuple(Split(*ids[i : i + 3]) for i in range(0, sizes.size, 3)),
            )
            arrays.check()
            return arrays


def _int64(values: Any, what: str) -> IntArray:
    array = np.asarray(values)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        shape = "" if array.ndim == 1 else f" of shape {array.shape}"
        raise TypeError(
            f"{what} are {array.dtype}{shape}; they must be whole numbers in one flat array"
        )
    if array.size and int(array.max()) >= 2**63:
        raise ValueError(f"{what} have {int(array.max())}; numbers go up to 2**63 - 1")
    return array.astype(np.int64, copy=False)


def check_split(split: Split, num_nodes: int, what: str) -> None:
    """Raise ``ValueError`` unless the parts are disjoint ids of nodes, each listed once."""
    ids = np.concatenate(split)
    if len(ids) and not (ids.min() >= 0 and ids.max() < num_nodes):
        wrong = ids.min() if ids.min() < 0 else ids.max()
        raise ValueError(f"{what} has node id {wrong}; ids go from 0 to {num_nodes - 1}")
    times = np.bincount(ids, minlength=num_nodes)
    if len(ids) and times.max() > 1:
        raise ValueError(
            f"{what} lists node {times.argmax()} {times.max()} times; a node is in one of train, "
            "val and test, once"
        )
