"""A stage of message passing: one relation of a hypergraph or block, with its weights.

A layer has two levels, inside hyperedges and across them; a stage is a level on a graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Union

import dgl
import torch
from torch import Tensor

from .._utils import GraphCache
from ..hypergraphs import CONTAINS, HYPEREDGE, IN, NODE

Graph = Union[dgl.DGLGraph, "tuple[dgl.DGLGraph, dgl.DGLGraph]"]


@dataclass(frozen=True)
class Stage:
    """One relation, from its sources to its destinations.

    ``weight`` weighs the sources, ``edge_weight`` the edges; None weighs all alike. ``offset`` is
    added to what the destinations get, ``role`` tells edges apart, ``cache`` keeps what is derived
    from the relation.
    """

    graph: dgl.DGLGraph
    etype: tuple[str, str, str]
    weight: Tensor | None = None
    edge_weight: Tensor | None = None
    offset: Tensor | None = None
    role: Tensor | None = None
    cache: GraphCache | None = None

    @cached_property
    def relation(self) -> dgl.DGLGraph:
        """The relation alone, without data: what rides on the graph is neither met nor copied."""
        relation = self.graph[self.etype]
        ntypes = relation.ntypes
        if relation.is_block:
            ntypes = (relation.srctypes, relation.dsttypes)
        return type(relation)(relation._graph, ntypes, relation.etypes)

    @property
    def num_sources(self) -> int:
        """Number of sources."""
        return int(self.graph.num_src_nodes(self.etype[0]))

    @property
    def num_destinations(self) -> int:
        """Number of destinations."""
        return int(self.graph.num_dst_nodes(self.etype[2]))

    @property
    def num_edges(self) -> int:
        """Number of edges."""
        return int(self.graph.num_edges(self.etype))

    @cached_property
    def edges(self) -> tuple[Tensor, Tensor]:
        """Source and destination of every edge, by edge id."""
        sources, destinations = self.graph.edges(etype=self.etype, order="eid")
        return sources.long(), destinations.long()

    @cached_property
    def in_degrees(self) -> Tensor:
        """Number of edges into each destination."""
        return self.graph.in_degrees(etype=self.etype).long()

    def sum(self, x: Tensor) -> Tensor:
        """Sum of the sources' rows at each destination, each times the weight of its edge."""
        if self.num_edges == 0:
            return self.zeros(x)
        if self.edge_weight is None:
            return dgl.ops.copy_u_sum(self.relation, x)
        return dgl.ops.u_mul_e_sum(self.relation, x, self.edge_weight.to(x.dtype).unsqueeze(-1))

    def sum_edges(self, x: Tensor) -> Tensor:
        """Sum of the edges' rows at each destination."""
        return self.zeros(x) if self.num_edges == 0 else dgl.ops.copy_e_sum(self.relation, x)

    def max_edges(self, x: Tensor) -> Tensor:
        """Largest of the edges' rows at each destination; zeros where there is none."""
        if self.num_edges == 0:
            return self.zeros(x)
        # DGL's own maximum of nothing is -inf.
        is_empty = (self.in_degrees == 0).unsqueeze(-1)
        return dgl.ops.copy_e_max(self.relation, x).masked_fill(is_empty, 0)

    def of_role(self, role: int) -> Stage:
        """The edges of one role alone."""
        assert self.role is not None
        kept = self.role == role
        source, _, destination = self.etype
        graph = dgl.heterograph(
            {self.etype: tuple(ends[kept] for ends in self.edges)},
            num_nodes_dict={source: self.num_sources, destination: self.num_destinations},
        )
        weight = None if self.edge_weight is None else self.edge_weight[kept]
        return Stage(graph, self.etype, self.weight, weight)

    def mass(self, like: Tensor) -> Tensor:
        """Sum of the weights at each destination, as a column."""
        if self.weight is None and self.edge_weight is None:
            return self.in_degrees.to(like.dtype).unsqueeze(-1)
        if self.weight is None:
            return self.sum(like.new_ones(self.num_sources, 1))
        return self.sum(self.weight.to(like.dtype).unsqueeze(-1))

    def zeros(self, x: Tensor) -> Tensor:
        """A row of zeros for each destination, as wide as x."""
        return x.new_zeros(self.num_destinations, x.shape[1])


def split_stages(graph: Graph, cache: GraphCache | None = None) -> tuple[Stage, Stage]:
    """Intra and inter stage of a hypergraph, or of the pair of blocks of one layer."""
    first, second = _pair(graph)
    for part, etype in ((first, IN), (second, CONTAINS)):
        if etype not in part.canonical_etypes:
            raise ValueError(
                f"the graph has the relations {part.canonical_etypes} but not {etype}; build it "
                "with hypersage_dgl.hypergraph, or sample it with HyperSAGESampler"
            )
    intra, inter = Stage(first, IN, cache=cache), Stage(second, CONTAINS, cache=cache)
    made, used = first.num_dst_nodes(HYPEREDGE), second.num_src_nodes(HYPEREDGE)
    ids = (first.dstnodes[HYPEREDGE].data, second.srcnodes[HYPEREDGE].data)
    fits = made == used and first.num_src_nodes(NODE) >= second.num_dst_nodes(NODE)
    if fits and first is not second and all(dgl.NID in data for data in ids):
        fits = torch.equal(ids[0][dgl.NID], ids[1][dgl.NID])
    if not fits:
        raise ValueError(
            f"the blocks do not fit: the first makes {made} hyperedges and the second takes "
            f"{used}, or others; a layer needs the two blocks of one sampling, in their order"
        )
    return intra, inter


def _pair(graph: object) -> tuple[dgl.DGLGraph, dgl.DGLGraph]:
    if isinstance(graph, dgl.DGLGraph) and not graph.is_block:
        return graph, graph
    if isinstance(graph, (tuple, list)) and len(graph) == 2:
        first, second = graph
        if isinstance(first, dgl.DGLGraph) and isinstance(second, dgl.DGLGraph):
            return first, second
    raise TypeError(
        f"expected a hypergraph or the pair of blocks of one layer, got {graph!r:.80}; "
        "HyperSAGESampler makes such pairs"
    )
