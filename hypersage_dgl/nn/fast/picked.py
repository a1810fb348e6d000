"""A first layer of plain means on the rows of a table that a batch picks, none of which is copied.

A batch meets a wide row about twice, so to sum it where it lies is cheaper than to bring all rows
together first. The result is the same to the bit.
"""

from __future__ import annotations

import torch
from torch import Tensor

from ..aggregators import Aggregator
from ..message_passing import divided
from ..stage import Stage
from ..unit import unit_rows
from .bags import are_plain_means, mass, sum_bags

# Rows that stay in the processor's cache while they are added, measured and scaled.
ROWS = 256


def sum_picked(
    intra: Stage,
    inter: Stage,
    table: Tensor,
    rows: Tensor,
    aggregators: tuple[Aggregator, Aggregator],
    normalize: bool,
) -> Tensor | None:
    """X + F2(F1(x)) with self, X being some rows of a table; None of anything but plain means.

    Rows are of unit length on request. Nothing here has a gradient.
    """
    is_known = table.layout == torch.strided and table.dtype == torch.float32
    is_known = is_known and table.device.type == "cpu"
    if not (is_known and are_plain_means(intra, inter, aggregators)):
        return None
    if intra.num_edges == 0 or inter.num_edges == 0 or table.numel() == 0:
        return None
    total = _sums(intra, table, rows)
    size = mass(intra, total)
    weight = 1 if inter.weight is None else inter.weight.to(total.dtype).unsqueeze(-1)
    total = total.mul_((weight / size).masked_fill_(size == 0, 0))
    total, size = _sums(inter, total), mass(inter, total)
    out = divided(total, size.masked_fill(size == 0, 1))
    for start in range(0, len(out), ROWS):
        part = out[start : start + ROWS]
        part += table.index_select(0, rows[start : start + len(part)])
        if normalize:
            part.copy_(unit_rows(part))
    return out


def _sums(stage: Stage, table: Tensor, rows: Tensor | None = None) -> Tensor:
    """Sum of the sources' rows at each destination; of a table, ``rows`` says which these are."""
    starts, ids, edges = stage.graph.adj_tensors("csc", stage.etype)
    weight = stage.edge_weight
    return sum_bags(
        table,
        ids.long() if rows is None else rows[ids.long()],
        starts.long(),
        None if weight is None else weight.to(table.dtype)[edges.long()],
    )
