r"""The intra stage without self: F1(v,e) over the members of e other than v, for every pair (v,e).

Subtracting v's own term from the sum over e loses all digits where v dominates e. So each
hyperedge also keeps the sum of the rest, without its dominant member: a dominant v takes that, and
every other v can subtract safely, since the dominant term stays. Likewise max and min keep the
two best.
"""

from __future__ import annotations

from typing import NamedTuple

import dgl
import torch
from torch import Tensor

from .aggregators import Aggregator
from .power_mean import PowerMean
from .stage import Stage, combine, mean_of, rooted

PAIR_OF = ("pair", "of", "node")


class Pairs(NamedTuple):
    """The pairs (v,e) whose N(v,e) is not empty, without self."""

    node: Tensor
    hyperedge: Tensor
    # The incidence of v in e in the intra stage, and whether v is in there at all: a sample of e's
    # members may miss it.
    own: Tensor
    has_own: Tensor
    num_nodes: int

    def inter(self) -> Stage:
        """Stage from the pairs to their nodes."""
        count = len(self.node)
        graph = dgl.heterograph(
            {PAIR_OF: (torch.arange(count, device=self.node.device), self.node)},
            num_nodes_dict={"pair": count, "node": self.num_nodes},
        )
        return Stage(graph, PAIR_OF)


def pairs_of(intra: Stage, inter: Stage) -> Pairs:
    """Match every pair (v,e) of the inter stage with v's own incidence in the intra stage."""
    members, edges = intra.edges()
    hyperedge, node = inter.edges()
    if intra.graph is inter.graph and torch.equal(members, node) and torch.equal(edges, hyperedge):
        own, has_own = torch.arange(len(node), device=node.device), torch.ones_like(node).bool()
    else:
        own, has_own = _match(members, edges, node, hyperedge, intra)
    is_kept = intra.in_degrees()[hyperedge] > has_own.long()
    return Pairs(
        node[is_kept],
        hyperedge[is_kept],
        own[is_kept],
        has_own[is_kept],
        inter.graph.num_dst_nodes(inter.etype[2]),
    )


def _match(
    members: Tensor, edges: Tensor, node: Tensor, hyperedge: Tensor, intra: Stage
) -> tuple[Tensor, Tensor]:
    num_nodes = intra.graph.num_src_nodes(intra.etype[0])
    key, order = torch.sort(edges * num_nodes + members)
    wanted = hyperedge * num_nodes + node
    position = torch.searchsorted(key, wanted).clamp_max(max(len(key) - 1, 0))
    if len(key) == 0:
        return torch.zeros_like(node), torch.zeros_like(node).bool()
    return order[position], key[position] == wanted


def intra_without_self(
    intra: Stage, pairs: Pairs, x: Tensor, aggregator: Aggregator, edge_weight: Tensor | None
) -> Tensor:
    """F1(v,e) for every pair."""
    if not isinstance(aggregator.reduce, str):
        return combine(_expanded(intra, pairs), x, aggregator)
    sources, _ = intra.edges()
    if aggregator.reduce in ("max", "min"):
        sign = 1.0 if aggregator.reduce == "max" else -1.0
        best = _TwoBest(intra, pairs, sign * aggregator.lift(x)[sources])
        return aggregator.root(sign * best.of_pairs())
    weight = x.new_ones(len(sources)) if edge_weight is None else edge_weight.to(x.dtype)
    weight = weight.unsqueeze(-1)
    mass = _sum_of_others(intra, pairs, weight)
    if isinstance(aggregator, PowerMean) and aggregator.needs_pivot:
        return _pivoted(intra, pairs, aggregator.floor(x)[sources], aggregator, weight, mass)
    total = _sum_of_others(intra, pairs, weight * aggregator.lift(x)[sources])
    if aggregator.reduce == "sum":
        return aggregator.root(total)
    return rooted(aggregator, *mean_of(total, mass))


def _sum_of_others(intra: Stage, pairs: Pairs, terms: Tensor) -> Tensor:
    """Σ over the members of e other than v, exact to rounding, for every pair."""
    _, edges = intra.edges()
    size = terms.detach().abs()
    is_best = size == intra.gather_edges(size, "max")[edges]
    is_alone = intra.gather_edges(is_best.to(terms.dtype), "sum") == 1
    total = intra.gather_edges(terms, "sum")[pairs.hyperedge]
    rest = intra.gather_edges(terms.masked_fill(is_best, 0), "sum")[pairs.hyperedge]
    own = terms[pairs.own].masked_fill(~pairs.has_own.unsqueeze(-1), 0)
    is_dominant = (is_best[pairs.own] & is_alone[pairs.hyperedge]) & pairs.has_own.unsqueeze(-1)
    return torch.where(is_dominant, rest, total - own)


class _TwoBest:
    """The largest member of each hyperedge, and the largest once a sole largest one is left out."""

    def __init__(self, intra: Stage, pairs: Pairs, rows: Tensor) -> None:
        _, edges = intra.edges()
        self.pairs = pairs
        self.first = intra.gather_edges(rows, "max")
        self.is_best = rows.detach() == self.first.detach()[edges]
        is_alone = intra.gather_edges(self.is_best.to(rows.dtype), "sum") == 1
        others = rows.masked_fill(self.is_best & is_alone[edges], -torch.inf)
        self.second = intra.gather_edges(others, "max")
        owned = pairs.has_own.unsqueeze(-1)
        self.is_dominant = self.is_best[pairs.own] & is_alone[pairs.hyperedge] & owned

    def of_pairs(self) -> Tensor:
        """The largest member other than v, for every pair."""
        first, second = self.first[self.pairs.hyperedge], self.second[self.pairs.hyperedge]
        return torch.where(self.is_dominant, second, first)


def _pivoted(
    intra: Stage, pairs: Pairs, rows: Tensor, aggregator: PowerMean, weight: Tensor, mass: Tensor
) -> Tensor:
    """Power mean at large |p|, relative to the dominant member other than v."""
    _, edges = intra.edges()
    # Σ w x^p = Σ (w^(1/p) x)^p: with its weight inside, a row tells how much it dominates.
    inside, weight = aggregator.absorbed(weight)
    rows = rows * inside
    sign = aggregator.sign
    best = _TwoBest(intra, pairs, sign * rows.detach())
    pivot = sign * best.of_pairs()
    first = weight * aggregator.power(rows / (sign * best.first)[edges])
    second = (sign * best.second)[edges]
    is_rest = ~best.is_best
    ratio = torch.where(is_rest, rows / torch.where(is_rest, second, 1.0), 1.0)
    rest = (weight * aggregator.power(ratio)).masked_fill(~is_rest, 0)
    total = torch.where(
        best.is_dominant,
        intra.gather_edges(rest, "sum")[pairs.hyperedge],
        _sum_of_others(intra, pairs, first),
    )
    return pivot * aggregator.root(total / mass)


def _expanded(intra: Stage, pairs: Pairs) -> Stage:
    """Stage from nodes to pairs that lists N(v,e) one by one: Σ|e|² edges."""
    members, edges = intra.edges()
    order = torch.argsort(edges, stable=True)
    sizes = intra.in_degrees()
    starts = sizes.cumsum(0) - sizes
    counts = sizes[pairs.hyperedge]
    pair = torch.repeat_interleave(torch.arange(len(counts), device=counts.device), counts)
    within = torch.arange(len(pair), device=pair.device) - (counts.cumsum(0) - counts)[pair]
    incidence = order[starts[pairs.hyperedge][pair] + within]
    is_other = ~((incidence == pairs.own[pair]) & pairs.has_own[pair])
    etype = ("node", "to", "pair")
    graph = dgl.heterograph(
        {etype: (members[incidence[is_other]], pair[is_other])},
        num_nodes_dict={
            "node": intra.graph.num_src_nodes(intra.etype[0]),
            "pair": len(pairs.node),
        },
    )
    return Stage(graph, etype)
