"""HyperGCN's graph: two ends of each hyperedge, joined to each other and to all other members.

A hyperedge e of two or more members gives 2|e| - 3 edges of weight w_e / (2|e| - 3): one between
its ends, and two from each other member, a mediator, to both ends. Edges of several hyperedges add
up; a hyperedge of one member gives none. The edges follow from the ends, so they are never made: A
is applied in two stages over the incidences, which no epoch changes.
"""

from __future__ import annotations

from dataclasses import dataclass

import dgl
import torch
from torch import Tensor

from ..._utils import GraphCache
from ...hypergraphs import HYPEREDGE, IN, incidences
from ..fast import summed
from ..stage import split_stages


@dataclass(frozen=True)
class Ends:
    """The two ends of each hyperedge, and the weight of its edges as a column."""

    supremum: Tensor
    infimum: Tensor
    weight: Tensor


def ends_along(graph: dgl.DGLGraph, position: Tensor) -> Ends:
    """Take as ends the members with the greatest and the least position.

    Of equally great ones the node with the lowest id, of equally small ones that with the highest:
    so the ends differ even where all positions are equal.

    Parameters
    ----------
    graph
        A hypergraph. Its hyperedge weights count, its incidence weights have no place here.
    position
        One number for each node, such as a random projection of its features.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> ends = ends_along(hypergraph([[0, 1, 2], [1, 2]]), torch.tensor([0.5, 3.0, -1.0]))
    >>> ends.supremum, ends.infimum
    (tensor([1, 1]), tensor([2, 2]))
    """
    nodes, hyperedges = incidences(graph)
    count, on_line = graph.num_nodes(HYPEREDGE), position.detach()[nodes]
    found = []
    for extreme, tie in (("amax", "amin"), ("amin", "amax")):
        best = _reduced(on_line, hyperedges, count, extreme)
        is_best = on_line == best[hyperedges]
        found.append(_reduced(nodes[is_best], hyperedges[is_best], count, tie))
    sizes = graph.in_degrees(etype=IN)
    weight = torch.where(sizes > 1, 1 / (2 * sizes - 3).double(), 0.0)
    if "weight" in graph.nodes[HYPEREDGE].data:
        weight = weight * graph.nodes[HYPEREDGE].data["weight"].double()
    return Ends(found[0], found[1], weight.unsqueeze(-1))


def adjacent(
    graph: dgl.DGLGraph, ends: Ends, signal: Tensor, cache: GraphCache | None = None
) -> Tensor:
    """Weighted sum of the signal over the neighbours of each node, A x.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1, 2, 3]])
    >>> adjacent(g, ends_along(g, torch.tensor([0.5, 3.0, -1.0, 2.0])), torch.eye(4)) * 5
    tensor([[0., 1., 1., 0.],
            [1., 0., 1., 1.],
            [1., 1., 0., 1.],
            [0., 1., 1., 0.]])
    """
    intra, inter = split_stages(graph, cache)
    weight = ends.weight.to(signal)
    at_supremum, at_infimum = signal[ends.supremum], signal[ends.infimum]
    at_both = at_supremum + at_infimum
    at_mediators = summed(intra, signal) - at_both
    # As if every member were a mediator, then mended at the ends: an end sees the other end and
    # all mediators, not itself.
    total = summed(inter, weight * at_both)
    total = total.index_add(0, ends.supremum, weight * (at_mediators - at_supremum))
    return total.index_add(0, ends.infimum, weight * (at_mediators - at_infimum))


def spread(
    graph: dgl.DGLGraph, ends: Ends, signal: Tensor, cache: GraphCache | None = None
) -> Tensor:
    """Symmetrically normalised propagation with self-loops, D^-1/2 (A + I) D^-1/2 x."""
    degree = 1 + adjacent(graph, ends, signal.new_ones(len(signal), 1), cache)
    scale = degree.rsqrt()
    scaled = scale * signal
    return scale * (adjacent(graph, ends, scaled, cache) + scaled)


def _reduced(values: Tensor, groups: Tensor, count: int, reduce: str) -> Tensor:
    """Greatest or least value of each group; 0 for a group without any."""
    zeros = values.new_zeros(count)
    return zeros.scatter_reduce(0, groups, values, reduce, include_self=False)
