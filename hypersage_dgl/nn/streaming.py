"""Exact inference of one layer in chunks: memory is bounded by the chunk and the layer's rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import dgl
import torch
from torch import Tensor

from .._utils import is_half, rows_between, taken_rows
from ..hypergraphs import (
    CONTAINS,
    HYPEREDGE,
    IN,
    NODE,
    Slices,
    check_relations,
    half_hop,
    with_counts,
)
from .fast import Chunk, aggregate_chunks
from .prepare import stages_of
from .stage import Stage

if TYPE_CHECKING:
    from .hypersageconv import HyperSAGEConv


def stream_layer(conv: HyperSAGEConv, g: dgl.DGLGraph, feat: Tensor, batch_size: int) -> Tensor:
    """Output of one layer on all nodes, equal to ``conv(g, feat)`` to rounding.

    Features of float16, as a mapped file may hold, are taken as float32, row by row.
    """
    check_relations(g, conv.cache)
    rows = g.num_nodes(NODE)
    if is_half(conv.linear.weight):
        raise TypeError(
            "the model is of type torch.float16, and inference in chunks computes in float32; "
            "convert it, and the features, to torch.float32 or torch.bfloat16"
        )
    conv.check_input(feat, rows, stored=True)
    if conv.needs_neighbors:
        g = with_counts(g, conv.count_neighbors(g))
    dtype = torch.float32 if is_half(feat) else feat.dtype
    out = torch.empty(rows, conv.out_feats, dtype=dtype, device=feat.device)
    for start, stop, aggregate in _aggregates(conv, g, feat, batch_size):
        out[start:stop] = conv.project(conv.unit(rows_between(feat, start, stop), aggregate))
    return out


def _aggregates(
    conv: HyperSAGEConv, g: dgl.DGLGraph, feat: Tensor, batch_size: int
) -> Iterator[Chunk]:
    """F2(F1(x)) of some nodes at a time, and which these are."""
    if not conv.include_self:
        return _without_self(conv, g, feat, batch_size)
    # What is learned or added is made of blocks.
    if conv.fast and conv.weigh is None and conv.mix is None and not conv.has_mass:
        aggregators = (conv.intra_aggr, conv.inter_aggr)
        chunks = aggregate_chunks(*stages_of(conv, g), feat, aggregators, batch_size)
        if chunks is not None:
            return chunks
    return _with_self(conv, g, feat, batch_size)


def _with_self(
    conv: HyperSAGEConv, g: dgl.DGLGraph, feat: Tensor, batch_size: int
) -> Iterator[Chunk]:
    """First every hyperedge, once; then the nodes."""
    members, hyperedges = Slices(g, IN), Slices(g, CONTAINS)
    inside = None
    for start, stop in _bounds(g.num_nodes(HYPEREDGE), batch_size):
        block, ids = members.block(start, stop)
        part = conv.inside(Stage(block, IN), taken_rows(feat, ids))
        if inside is None:
            inside = part.new_empty(g.num_nodes(HYPEREDGE), conv.in_feats)
        inside[start:stop] = part
    if inside is None:
        inside = rows_between(feat, 0, 0)
    for start, stop in _bounds(g.num_nodes(NODE), batch_size):
        block, ids = hyperedges.block(start, stop)
        yield start, stop, conv.across(Stage(block, CONTAINS), inside[ids])


def _without_self(
    conv: HyperSAGEConv, g: dgl.DGLGraph, feat: Tensor, batch_size: int
) -> Iterator[Chunk]:
    """F1(v,e) differs for every v, so a chunk of nodes takes its hyperedges' members along."""
    for start, stop in _bounds(g.num_nodes(NODE), batch_size):
        nodes = torch.arange(start, stop, device=g.device, dtype=g.idtype)
        inter = half_hop(g, CONTAINS, {NODE: nodes})
        hyperedges = inter.srcnodes[HYPEREDGE].data[dgl.NID]
        intra = half_hop(g, IN, {HYPEREDGE: hyperedges, NODE: nodes})
        rows = taken_rows(feat, intra.srcnodes[NODE].data[dgl.NID].long())
        yield start, stop, conv.aggregate((intra, inter), rows)


def _bounds(count: int, size: int) -> Iterator[tuple[int, int]]:
    for start in range(0, count, size):
        yield start, min(start + size, count)
