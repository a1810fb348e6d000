"""Exact inference of one layer in chunks: memory is bounded by the chunk and the layer's rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import dgl
import torch
import torch.nn.functional as F
from torch import Tensor

from .._utils import is_half, is_sparse, rows_between, taken_rows
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
from .power_mean import is_identity
from .roles import is_by_role
from .stage import Stage
from .weighting import hyperedge_weight, incidence_weight

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
    aggregates = _with_self if conv.include_self else _without_self
    for start, stop, aggregate in aggregates(conv, g, feat, batch_size):
        out[start:stop] = conv.project(conv.unit(rows_between(feat, start, stop), aggregate))
    return out


Chunk = tuple[int, int, Tensor]


def _with_self(
    conv: HyperSAGEConv, g: dgl.DGLGraph, feat: Tensor, batch_size: int
) -> Iterator[Chunk]:
    """First every hyperedge, once; then the nodes."""
    members, hyperedges = Slices(g, IN), Slices(g, CONTAINS)
    inside, by_bags = None, conv.fast and _takes_bags(conv, feat)
    of_incidence = incidence_weight(Stage(g, IN), None)
    for start, stop in _bounds(g.num_nodes(HYPEREDGE), batch_size):
        if by_bags:
            part = _mean(members, feat, start, stop, of_edge=of_incidence)
        else:
            block, ids = members.block(start, stop)
            part = conv.inside(Stage(block, IN), taken_rows(feat, ids))
        if inside is None:
            inside = part.new_empty(g.num_nodes(HYPEREDGE), conv.in_feats)
        inside[start:stop] = part
    if inside is None:
        inside = rows_between(feat, 0, 0)
    weight = hyperedge_weight(Stage(g, CONTAINS), conv.inter != "mean", include_self=True)
    for start, stop in _bounds(g.num_nodes(NODE), batch_size):
        if by_bags:
            yield start, stop, _mean(hyperedges, inside, start, stop, of_source=weight)
            continue
        block, ids = hyperedges.block(start, stop)
        yield start, stop, conv.across(Stage(block, CONTAINS), inside[ids])


def _takes_bags(conv: HyperSAGEConv, feat: Tensor) -> bool:
    """Whether both stages are plain weighted means, whose rows need not be copied to be summed."""
    is_plain = conv.weigh is None and conv.mix is None and not conv.has_mass
    levels = (conv.intra_aggr, conv.inter_aggr)
    is_mean = all(is_identity(a) and a.reduce == "mean" and not is_by_role(a) for a in levels)
    return is_plain and is_mean and not is_sparse(feat) and feat.dtype != torch.bfloat16


def _mean(
    slices: Slices,
    table: Tensor,
    start: int,
    stop: int,
    of_edge: Tensor | None = None,
    of_source: Tensor | None = None,
) -> Tensor:
    """Weighted mean of the sources' rows at some destinations; zeros without a source."""
    low, high = int(slices.starts[start]), int(slices.starts[stop])
    ids, offsets = slices.sources[low:high], slices.starts[start : stop + 1] - low
    weight = None
    if of_edge is not None:
        weight = of_edge[slices.edges[low:high].long()]
    elif of_source is not None:
        weight = of_source[ids.long()]
    each = torch.arange(high - low, dtype=ids.dtype, device=ids.device)
    if is_half(table):
        # Summed as float32, so the rows are copied after all.
        table, ids = taken_rows(table, ids.long()), each
    mass = offsets.diff().to(table.dtype)
    if weight is not None:
        weight = weight.to(table.dtype)
        mass = F.embedding_bag(
            each, weight.unsqueeze(1), offsets, mode="sum", include_last_offset=True
        ).squeeze(1)
    total = F.embedding_bag(
        ids, table, offsets, mode="sum", per_sample_weights=weight, include_last_offset=True
    )
    return total.div_(mass.masked_fill_(mass == 0, 1).unsqueeze(1))


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
