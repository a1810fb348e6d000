"""Plain means with self, some destinations at a time, of rows that are summed where they lie.

First every hyperedge, then every node: exact inference, in memory that the chunk bounds.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from ..._utils import is_half, is_sparse, taken_rows
from ...hypergraphs import Slices
from ..aggregators import Aggregator
from ..stage import Stage
from .bags import are_plain_means, sum_bags

Chunk = tuple[int, int, Tensor]


def aggregate_chunks(
    intra: Stage, inter: Stage, feat: Tensor, aggregators: tuple[Aggregator, Aggregator], size: int
) -> Iterator[Chunk] | None:
    """F2(F1(x)) with self of ``size`` nodes at a time, and which these are; None of other means.

    For weights that sum to one. Nothing here has a gradient.
    """
    is_plain = are_plain_means(intra, inter, aggregators)
    if not is_plain or is_sparse(feat) or feat.dtype == torch.bfloat16:
        return None
    return _chunks(intra, inter, feat, size)


def _chunks(intra: Stage, inter: Stage, feat: Tensor, size: int) -> Iterator[Chunk]:
    dtype = torch.float32 if is_half(feat) else feat.dtype
    inside = feat.new_empty(intra.num_destinations, feat.shape[1], dtype=dtype)
    for start, stop, part in _means(intra, feat, size):
        inside[start:stop] = part
    yield from _means(inter, inside, size)


def _means(stage: Stage, table: Tensor, size: int) -> Iterator[Chunk]:
    """Weighted means of the sources' rows; zeros without a source."""
    slices = Slices(stage.graph, stage.etype)
    for start in range(0, stage.num_destinations, size):
        stop = min(start + size, stage.num_destinations)
        low, high = int(slices.starts[start]), int(slices.starts[stop])
        ids, offsets = slices.sources[low:high], slices.starts[start : stop + 1] - low
        weight = _weights(stage, ids.long(), slices.edges[low:high].long(), table)
        each = torch.arange(high - low, dtype=ids.dtype, device=ids.device)
        if weight is None:
            mass = offsets.diff().to(table.dtype).unsqueeze(1)
        else:
            mass = sum_bags(weight.unsqueeze(1), each, offsets)
        rows = table
        if is_half(table):
            # Summed as float32, so the rows are copied after all.
            rows, ids = taken_rows(table, ids.long()), each
        total = sum_bags(rows, ids, offsets, weight)
        yield start, stop, total.div_(mass.masked_fill_(mass == 0, 1))


def _weights(stage: Stage, ids: Tensor, edges: Tensor, table: Tensor) -> Tensor | None:
    """Weight of each of these edges, as wide as what is summed; None if all are 1."""
    dtype = torch.float32 if is_half(table) else table.dtype
    of_edge = None if stage.edge_weight is None else stage.edge_weight[edges].to(dtype)
    of_source = None if stage.weight is None else stage.weight[ids].to(dtype)
    if of_edge is None or of_source is None:
        return of_source if of_edge is None else of_edge
    return of_edge * of_source
