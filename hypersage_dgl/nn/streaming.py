"""Exact inference of one layer in chunks: memory is bounded by the chunk and the layer's rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import dgl
import torch
from torch import Tensor

from .._utils import take_rows
from ..hypergraphs import CONTAINS, HYPEREDGE, IN, NODE, check_relations, half_hop, with_counts
from .stage import Stage

if TYPE_CHECKING:
    from .hypersageconv import HyperSAGEConv


def stream_layer(conv: HyperSAGEConv, g: dgl.DGLGraph, feat: Tensor, batch_size: int) -> Tensor:
    """Output of one layer on all nodes, equal to ``conv(g, feat)`` to rounding."""
    check_relations(g, conv.cache)
    conv.check_input(feat, rows=g.num_nodes(NODE))
    if conv.needs_neighbors:
        g = with_counts(g, conv.count_neighbors(g))
    out = torch.empty(g.num_nodes(NODE), conv.out_feats, dtype=feat.dtype, device=feat.device)
    aggregates = _with_self if conv.include_self else _without_self
    for nodes, aggregate in aggregates(conv, g, feat, batch_size):
        out[nodes] = conv.project(conv.unit(take_rows(feat, nodes), aggregate))
    return out


def _with_self(
    conv: HyperSAGEConv, g: dgl.DGLGraph, feat: Tensor, batch_size: int
) -> Iterator[tuple[Tensor, Tensor]]:
    """First every hyperedge, once; then the nodes."""
    inside = torch.empty(
        g.num_nodes(HYPEREDGE), conv.in_feats, dtype=feat.dtype, device=feat.device
    )
    for hyperedges in _chunks(g.num_nodes(HYPEREDGE), batch_size, g):
        block = half_hop(g, IN, {HYPEREDGE: hyperedges})
        rows = take_rows(feat, block.srcnodes[NODE].data[dgl.NID].long())
        inside[hyperedges] = conv.inside(Stage(block, IN), rows)
    for nodes in _chunks(g.num_nodes(NODE), batch_size, g):
        block = half_hop(g, CONTAINS, {NODE: nodes})
        rows = inside[block.srcnodes[HYPEREDGE].data[dgl.NID].long()]
        yield nodes, conv.across(Stage(block, CONTAINS), rows)


def _without_self(
    conv: HyperSAGEConv, g: dgl.DGLGraph, feat: Tensor, batch_size: int
) -> Iterator[tuple[Tensor, Tensor]]:
    """F1(v,e) differs for every v, so a chunk of nodes takes its hyperedges' members along."""
    for nodes in _chunks(g.num_nodes(NODE), batch_size, g):
        inter = half_hop(g, CONTAINS, {NODE: nodes})
        hyperedges = inter.srcnodes[HYPEREDGE].data[dgl.NID]
        intra = half_hop(g, IN, {HYPEREDGE: hyperedges, NODE: nodes})
        rows = take_rows(feat, intra.srcnodes[NODE].data[dgl.NID].long())
        yield nodes, conv.aggregate((intra, inter), rows)


def _chunks(count: int, size: int, g: dgl.DGLGraph) -> Iterator[Tensor]:
    yield from torch.split(torch.arange(count, device=g.device, dtype=g.idtype), size)
