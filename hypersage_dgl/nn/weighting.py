r"""How much each hyperedge counts for a node: the inter-edge weights w(v,e).

``size`` and ``mean`` sum to one. ``paper`` and ``invariant`` are ``size`` times a mass per node,
so every weighting is a mean first, and the mass is applied to the result.
"""

from __future__ import annotations

import weakref

import dgl
import torch
from torch import Tensor

from ..hypergraphs import HYPEREDGE, NODE, num_neighbors
from .stage import Stage

WEIGHTINGS = ("size", "mean", "paper", "invariant")
NUM_NEIGHBORS = "num_neighbors"


def hyperedge_weight(inter: Stage, by_size: bool, include_self: bool) -> Tensor | None:
    """Weight of each hyperedge before normalisation: its own times |N(v,e)|; None if all one."""
    weight: Tensor | None = inter.graph.srcnodes[HYPEREDGE].data.get("weight")
    if not by_size:
        return weight
    sizes = true_sizes(inter) - (0 if include_self else 1)
    return sizes if weight is None else sizes * weight.double()


def true_sizes(inter: Stage) -> Tensor:
    """|e| of each hyperedge: counted on a whole graph, carried along by a block."""
    if not inter.graph.is_block:
        return inter.graph.out_degrees(etype=inter.etype)
    return _carried(inter.graph.srcnodes[HYPEREDGE].data, "size", HYPEREDGE)


class Mass:
    """Σ_e w(v,e) of the weightings that do not sum to one.

    |N(v)| is counted once for each graph and kept here, outside the graph's own data. It is a
    cache, not state: copies and pickles start empty.
    """

    def __init__(self) -> None:
        self._graph: weakref.ref[dgl.DGLGraph] | None = None
        self._counts: Tensor = torch.empty(0)
        self._key: tuple[int, int, bool] = (0, 0, False)

    def __reduce__(self) -> tuple[type[Mass], tuple[()]]:
        return Mass, ()

    def __call__(
        self, inter: Stage, pairs: Stage, weight: Tensor | None, weighting: str, include_self: bool
    ) -> Tensor:
        """Mass of each node as a column; 1 where it has no hyperedge.

        ``pairs`` are the hyperedges that count (without self those that hold another node), and
        ``weight`` weighs its sources.
        """
        neighbors = self._neighbors(inter, include_self).to(torch.float64).unsqueeze(-1)
        counted = pairs.in_degrees().unsqueeze(-1)
        mass = pairs.mass(weight, None, neighbors) / neighbors
        if weighting == "paper":
            # |E(v)|/|sampled| cancels the |E(v)| of the formula against the sampled count.
            mass = mass / counted
        elif inter.graph.is_block:
            mass = mass * self._hyperedges_per_sampled(inter, pairs)
        return torch.where(counted == 0, 1.0, mass)

    def _neighbors(self, inter: Stage, include_self: bool) -> Tensor:
        if inter.graph.is_block:
            return _carried(inter.graph.dstnodes[NODE].data, NUM_NEIGHBORS, NODE)
        graph = inter.graph
        key = (graph.num_nodes(NODE), graph.num_edges(inter.etype), include_self)
        if self._graph is None or self._graph() is not graph or self._key != key:
            self._graph, self._key = weakref.ref(graph), key
            self._counts = num_neighbors(graph, include_self)
        return self._counts

    @staticmethod
    def _hyperedges_per_sampled(inter: Stage, pairs: Stage) -> Tensor:
        """|E(v)|/|sampled|, both with the hyperedges that hold v alone, which add nothing."""
        hyperedges, nodes = inter.edges()
        is_single = (true_sizes(inter)[hyperedges] == 1).long()
        singles = torch.zeros_like(pairs.in_degrees()).index_add_(0, nodes, is_single)
        pairs_are_all = pairs.graph is inter.graph
        sampled = pairs.in_degrees() + (0 if pairs_are_all else singles)
        degree = _carried(inter.graph.dstnodes[NODE].data, "degree", NODE)
        return (degree / sampled.clamp_min(1)).unsqueeze(-1)


def _carried(frame: dict[str, Tensor], key: str, ntype: str) -> Tensor:
    if key not in frame:
        how = "(..., num_neighbors=hypersage_dgl.num_neighbors(g, include_self))"
        raise ValueError(
            f"the block carries no {ntype} data {key!r}; build the hypergraph with "
            "hypersage_dgl.hypergraph and sample it with "
            f"HyperSAGESampler{how if key == NUM_NEIGHBORS else ''}"
        )
    return frame[key]
