"""A data set in memory, with what several trials share."""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from typing import Any

import dgl
import numpy as np
import torch
from scipy import sparse
from torch import Tensor

from hypersage_dgl import add_hyperedges
from hypersage_dgl._utils import csr_from_scipy
from hypersage_dgl.data import HypergraphDataset, knn_hyperedges, load_dataset
from hypersage_dgl.nn import FirstLayer, HyperSAGE

from ..recipe import Recipe

# Aggregates of the first layer that stay in memory; of dblp one takes 235 MB.
KEPT = 4


class Bench:
    """A hypergraph with features and labels, and first layers that models of one recipe share.

    Parameters
    ----------
    dataset
        Where all of it comes from.
    """

    def __init__(self, dataset: HypergraphDataset) -> None:
        self.dataset, self.graph, self.labels = dataset, dataset.structure, dataset.labels
        self.mixes: dict[tuple[tuple[int, ...], int], Tensor] = {}
        self._structures: dict[tuple[bool, int], dgl.DGLGraph] = {(False, 0): self.graph}
        self._features: dict[str, Tensor] = {}
        self._hidden: OrderedDict[str, FirstLayer] = OrderedDict()

    def structure(self, loops: bool, knn: int = 0) -> dgl.DGLGraph:
        """The hypergraph, with a hyperedge {v} for each isolated node if ``loops``.

        And with one of each node and the ``knn`` whose words, weighed by idf, are most like its.
        """
        if (loops, knn) not in self._structures:
            graph = self.graph
            if loops:
                alone = (graph.in_degrees(etype="contains") == 0).nonzero().flatten().tolist()
                graph = add_hyperedges(graph, [[node] for node in alone])
            if knn:
                graph = add_hyperedges(graph, knn_hyperedges(self.features("idf"), knn).tolist())
            self._structures[loops, knn] = graph
        return self._structures[loops, knn]

    def features(self, kind: str) -> Tensor:
        """Sparse features as they come (``raw``), or with rows scaled to sum one (``rows``).

        ``idf`` weighs a column by the logarithm of one over the share of nodes that have it, then
        scales rows to unit length, as is usual for words.
        """
        if kind not in self._features:
            self._features[kind] = csr_from_scipy(_scaled(self.dataset.features, kind))
        return self._features[kind]

    def first(self, model: Any, recipe: Recipe) -> FirstLayer | None:
        """First layer of all nodes up to its parameters; None where it changes in training.

        It depends on no initial weight and no split, so it is computed once for all runs.
        """
        if not isinstance(model, HyperSAGE) or not model.first.is_constant:
            return None
        key = repr((recipe.features, recipe.loops, recipe.knn, sorted(recipe.model.items())))
        if key not in self._hidden:
            with torch.no_grad():
                graph = self.structure(recipe.loops, recipe.knn)
                feat = self.features(recipe.features)
                self._hidden[key] = model.first_layer(graph, feat)
            while len(self._hidden) > KEPT:
                self._hidden.popitem(last=False)
        self._hidden.move_to_end(key)
        return self._hidden[key]


@lru_cache(maxsize=1)
def open_bench(name: str, data_dir: str | None = None) -> Bench:
    """Load a data set; the last one stays in memory."""
    return Bench(load_dataset(name, data_dir=data_dir))


def _scaled(features: sparse.csr_matrix, kind: str) -> sparse.csr_matrix:
    if kind == "raw":
        return features
    if kind == "rows":
        return _divided(features, abs(features).sum(axis=1))
    if kind == "idf":
        having = np.maximum(features.getnnz(axis=0), 1)
        weighed = features.multiply(np.log(features.shape[0] / having)).tocsr()
        return _divided(weighed, np.sqrt(weighed.multiply(weighed).sum(axis=1)))
    raise ValueError(f"features are {kind!r}; they can be 'raw', 'rows' or 'idf'")


def _divided(features: sparse.csr_matrix, lengths: Any) -> sparse.csr_matrix:
    """Each row by its length; a row of zeros stays one."""
    lengths[lengths == 0] = 1
    return sparse.csr_matrix(features.multiply(1 / lengths), dtype=np.float32)
