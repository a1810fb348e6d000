r"""Without self, F1(v,e) runs over the members of e other than v: one result for each pair (v,e).

So between the two stages stand not the hyperedges but the pairs whose N(v,e) is not empty.
"""

from __future__ import annotations

from typing import NamedTuple

import dgl
import torch
from torch import Tensor

from .stage import Stage

TO_PAIR, PAIR_OF = ("node", "to", "pair"), ("pair", "of", "node")


class Pairs(NamedTuple):
    """The pairs (v,e) whose N(v,e) is not empty, without self."""

    node: Tensor
    hyperedge: Tensor
    # The incidence of v in e in the intra stage, and whether v is in there at all: a sample of e's
    # members may miss it.
    own: Tensor
    has_own: Tensor
    # The edge of the inter stage that the pair is.
    edge: Tensor
    num_nodes: int

    def across(self, weight: Tensor | None) -> Stage:
        """Stage from the pairs to their nodes, weighted by the weights of the hyperedges."""
        count = len(self.node)
        graph = dgl.heterograph(
            {PAIR_OF: (torch.arange(count, device=self.node.device), self.node)},
            num_nodes_dict={"pair": count, "node": self.num_nodes},
        )
        return Stage(graph, PAIR_OF, None if weight is None else weight[self.hyperedge])

    def inside(self, intra: Stage) -> Stage:
        """Stage from nodes to pairs that lists N(v,e) one by one: Σ|e|² edges."""
        members, edges = intra.edges
        order = torch.argsort(edges, stable=True)
        sizes = intra.in_degrees
        starts = sizes.cumsum(0) - sizes
        counts = sizes[self.hyperedge]
        pair = torch.repeat_interleave(torch.arange(len(counts), device=counts.device), counts)
        within = torch.arange(len(pair), device=pair.device) - (counts.cumsum(0) - counts)[pair]
        incidence = order[starts[self.hyperedge][pair] + within]
        is_other = ~((incidence == self.own[pair]) & self.has_own[pair])
        incidence, pair = incidence[is_other], pair[is_other]
        graph = dgl.heterograph(
            {TO_PAIR: (members[incidence], pair)},
            num_nodes_dict={"node": intra.num_sources, "pair": len(self.node)},
        )
        weight, offset, role = intra.edge_weight, intra.offset, intra.role
        return Stage(
            graph,
            TO_PAIR,
            edge_weight=None if weight is None else weight[incidence],
            offset=None if offset is None else offset[self.hyperedge],
            role=None if role is None else role[incidence],
        )


def pairs_of(intra: Stage, inter: Stage) -> Pairs:
    """Match every pair (v,e) of the inter stage with v's own incidence in the intra stage."""
    members, edges = intra.edges
    hyperedge, node = inter.edges
    if intra.graph is inter.graph and torch.equal(members, node) and torch.equal(edges, hyperedge):
        own, has_own = torch.arange(len(node), device=node.device), torch.ones_like(node).bool()
    else:
        own, has_own = _match(members, edges, node, hyperedge, intra)
    is_kept = intra.in_degrees[hyperedge] > has_own.long()
    return Pairs(
        node[is_kept],
        hyperedge[is_kept],
        own[is_kept],
        has_own[is_kept],
        is_kept.nonzero().squeeze(1),
        inter.num_destinations,
    )


def _match(
    members: Tensor, edges: Tensor, node: Tensor, hyperedge: Tensor, intra: Stage
) -> tuple[Tensor, Tensor]:
    if len(members) == 0:
        return torch.zeros_like(node), torch.zeros_like(node).bool()
    key, order = torch.sort(edges * intra.num_sources + members)
    wanted = hyperedge * intra.num_sources + node
    position = torch.searchsorted(key, wanted).clamp_max(len(key) - 1)
    return order[position], key[position] == wanted
