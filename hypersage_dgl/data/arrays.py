"""A labelled hypergraph as plain arrays: what every reader and generator of this package returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

IntArray = np.ndarray[Any, np.dtype[np.int64]]


class Split(NamedTuple):
    """Node ids of one train/validation/test split; ``val`` may be empty."""

    train: IntArray
    val: IntArray
    test: IntArray


@dataclass(frozen=True)
class HypergraphArrays:
    """Incidences, features, labels and splits of one data set.

    Node ``node_ids[i]`` is in hyperedge ``hyperedge_ids[i]``. ``features`` is float32 CSR with one
    row for each node, ``labels`` int64 with one class for each node, ``class_names[k]`` names
    class ``k``.
    """

    node_ids: IntArray
    hyperedge_ids: IntArray
    num_hyperedges: int
    features: sparse.csr_matrix
    labels: IntArray
    class_names: tuple[str, ...]
    splits: tuple[Split, ...]

    @property
    def num_nodes(self) -> int:
        """Number of nodes, isolated ones included."""
        return len(self.labels)
