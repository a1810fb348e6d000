r"""How much each hyperedge counts for a node: the inter-edge weights w(v,e).

``size`` and ``mean`` sum to one. ``paper`` and ``invariant`` are ``size`` times a mass per node,
so every weighting is a mean first, and the mass is applied to the result.
"""

from __future__ import annotations

import dgl
import torch
from torch import Tensor

from .._utils import GraphCache
from ..hypergraphs import (
    CONTAINS,
    HYPEREDGE,
    IN,
    NODE,
    NUM_NEIGHBORS,
    TRUE_DEGREE,
    TRUE_SIZE,
    num_neighbors,
)
from .aggregators import Aggregator
from .power_mean import is_power_mean
from .stage import Stage

WEIGHTINGS = ("size", "mean", "paper", "invariant")


def hyperedge_weight(inter: Stage, by_size: bool, include_self: bool) -> Tensor | None:
    """Weight of each hyperedge before normalisation: its own times |N(v,e)|; None if all one."""
    stored = inter.graph.srcnodes[HYPEREDGE].data.get("weight")
    weight = checked_weight(stored, inter.num_sources, "hyperedge weight")
    if not by_size:
        return weight
    sizes = true_sizes(inter) - (0 if include_self else 1)
    return sizes if weight is None else sizes * weight.double()


def incidence_weight(intra: Stage, given: Tensor | None) -> Tensor | None:
    """Weight of each incidence: those given, else the graph's own; None if all one."""
    if given is None:
        given = intra.graph.edges[intra.etype].data.get("weight")
    return checked_weight(given, intra.num_edges, "incidence weight")


def checked_weight(weight: Tensor | None, count: int, what: str) -> Tensor | None:
    """Refuse weights that are not one positive finite number each; None stays None."""
    if weight is None:
        return None
    if not isinstance(weight, Tensor) or tuple(weight.shape) != (count,):
        shown = tuple(weight.shape) if isinstance(weight, Tensor) else type(weight).__name__
        raise ValueError(f"{what}: got {shown}; it must be a tensor of shape ({count},)")
    if weight.is_complex():
        raise TypeError(f"{what}s are {weight.dtype}; they must be real numbers")
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
        return inter.graph.in_degrees(etype=IN)
    return _carried(inter.graph.srcnodes[HYPEREDGE].data, TRUE_SIZE)


def neighbors_of(graph: dgl.DGLGraph, include_self: bool, cache: GraphCache) -> Tensor:
    """|N(v)|: carried along by a block, counted once for a whole graph."""
    if graph.is_block:
        return _carried(graph.dstnodes[NODE].data, NUM_NEIGHBORS)
    key = (NUM_NEIGHBORS, include_self)
    return cache.get(graph, key, lambda: num_neighbors(graph, include_self))


def member_counts(intra: Stage, include_self: bool, cache: GraphCache) -> tuple[Tensor, Tensor]:
    """|N(j)| and |E(j)| of each source of the intra stage, in the whole hypergraph."""
    if intra.graph.is_block:
        frame = intra.graph.srcnodes[NODE].data
        return _carried(frame, NUM_NEIGHBORS), _carried(frame, TRUE_DEGREE)
    degrees = intra.graph.in_degrees(etype=CONTAINS)
    return neighbors_of(intra.graph, include_self, cache), degrees


def mass_of(
    weighting: str, inter: Stage, across: Stage, include_self: bool, cache: GraphCache
) -> Tensor:
    """Σ_e w(v,e) of a weighting that does not sum to one, as a column; 1 without a hyperedge.

    ``across`` are the hyperedges of ``inter`` that count (without self those that hold another
    node), and the weight of its sources is theirs.
    """
    neighbors = neighbors_of(inter.graph, include_self, cache).to(torch.float64).unsqueeze(-1)
    counted = across.in_degrees.unsqueeze(-1)
    mass = across.mass(neighbors) / neighbors
    if weighting == "paper":
        # |E(v)|/|sampled| cancels the |E(v)| of the formula against the sampled count.
        mass = mass / counted
    elif inter.graph.is_block:
        mass = mass * _hyperedges_per_sampled(inter, across)
    return torch.where(counted == 0, 1.0, mass)


def scaled(aggregator: Aggregator, out: Tensor, mass: Tensor) -> Tensor:
    """Result of a mean for weights that sum to ``mass``, from the one for weights of sum one."""
    if is_power_mean(aggregator):
        # Σ w x^p is mass·M_p^p, in whatever form the power is taken.
        return out * mass.pow(1 / aggregator.p).to(out.dtype)
    return aggregator.root(mass * aggregator.lift(out)).to(out.dtype)


def _hyperedges_per_sampled(inter: Stage, across: Stage) -> Tensor:
    """|E(v)|/|sampled|, both with the hyperedges that hold v alone, which add nothing."""
    hyperedges, nodes = inter.edges
    is_single = (true_sizes(inter)[hyperedges] == 1).long()
    singles = torch.zeros_like(across.in_degrees).index_add_(0, nodes, is_single)
    counts_all = across.graph is inter.graph
    sampled = across.in_degrees + (0 if counts_all else singles)
    degree = _carried(inter.graph.dstnodes[NODE].data, TRUE_DEGREE)
    return (degree / sampled.clamp_min(1)).unsqueeze(-1)


# A stored `size` or `degree` is not believed: after DGL's own functions it is stale.
_CURES = {
    TRUE_SIZE: ("the true sizes of its hyperedges", "sample with HyperSAGESampler"),
    TRUE_DEGREE: ("the true degrees of its nodes", "sample with HyperSAGESampler"),
    NUM_NEIGHBORS: (
        "the number of neighbors of its nodes",
        "sample with HyperSAGESampler(..., num_neighbors=hypersage_dgl.num_neighbors(g, "
        "include_self))",
    ),
}


def _carried(frame: dict[str, Tensor], key: str) -> Tensor:
    if key not in frame:
        what, cure = _CURES[key]
        if key != NUM_NEIGHBORS:
            cure += (
                ", or give the second block of each pair its counts: "
                "hypersage_dgl.hypergraphs.attach_counts(g, block)"
            )
        raise ValueError(f"the block does not carry {what}; {cure}")
    return frame[key]
