r"""How much each hyperedge counts for a node: the inter-edge weights w(v,e).

``size`` and ``mean`` sum to one. ``paper`` and ``invariant`` are ``size`` times a mass per node,
so every weighting is a mean first, and the mass is applied to the result.
"""

from __future__ import annotations

import weakref

import dgl
import torch
from torch import Tensor

from ..hypergraphs import HYPEREDGE, NODE, NUM_NEIGHBORS, num_neighbors
from .stage import Stage

WEIGHTINGS = ("size", "mean", "paper", "invariant")


def hyperedge_weight(inter: Stage, by_size: bool, include_self: bool) -> Tensor | None:
    """Weight of each hyperedge before normalisation: its own times |N(v,e)|; None if all one."""
    stored = inter.graph.srcnodes[HYPEREDGE].data.get("weight")
    weight = checked_weight(stored, inter.graph.num_src_nodes(HYPEREDGE), "hyperedge weight")
    if not by_size:
        return weight
    sizes = true_sizes(inter) - (0 if include_self else 1)
    return sizes if weight is None else sizes * weight.double()


def checked_weight(weight: Tensor | None, count: int, what: str) -> Tensor | None:
    """Refuse weights that are not one positive finite number each; None stays None."""
    if weight is None:
        return None
    if not isinstance(weight, Tensor) or tuple(weight.shape) != (count,):
        shown = tuple(weight.shape) if isinstance(weight, Tensor) else type(weight).__name__
        raise ValueError(f"{what}: got {shown}; it must be a tensor of shape ({count},)")
    is_wrong = ~((weight > 0) & torch.isfinite(weight))
    if bool(is_wrong.any()):
        place = int(is_wrong.nonzero()[0])
        raise ValueError(
            f"{what} {place} is {weight[place].item()}; weights must be positive and finite, so "
            "leave out what must not count"
        )
    return weight


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
        self._index: weakref.ref[object] | None = None
        self._counts: dict[bool, Tensor] = {}

    def __reduce__(self) -> tuple[type[Mass], tuple[()]]:
        return Mass, ()

    def __call__(
        self, inter: Stage, pairs: Stage, weight: Tensor | None, weighting: str, include_self: bool
    ) -> Tensor:
        """Mass of each node as a column; 1 where it has no hyperedge.

        ``pairs`` are the hyperedges that count (without self those that hold another node), and
        ``weight`` weighs its sources.
        """
        neighbors = self.neighbors(inter.graph, include_self).to(torch.float64).unsqueeze(-1)
        counted = pairs.in_degrees().unsqueeze(-1)
        mass = pairs.mass(weight, None, neighbors) / neighbors
        if weighting == "paper":
            # |E(v)|/|sampled| cancels the |E(v)| of the formula against the sampled count.
            mass = mass / counted
        elif inter.graph.is_block:
            mass = mass * self._hyperedges_per_sampled(inter, pairs)
        return torch.where(counted == 0, 1.0, mass)

    def neighbors(self, graph: dgl.DGLGraph, include_self: bool) -> Tensor:
        """|N(v)|: carried along by a block, counted once for a whole graph."""
        if graph.is_block:
            return _carried(graph.dstnodes[NODE].data, NUM_NEIGHBORS, NODE)
        # DGL's index, which every change of the structure replaces, even one in place.
        index = graph._graph
        if self._index is None or self._index() is not index:
            self._index, self._counts = weakref.ref(index), {}
        if include_self not in self._counts:
            self._counts[include_self] = num_neighbors(graph, include_self)
        return self._counts[include_self]

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
