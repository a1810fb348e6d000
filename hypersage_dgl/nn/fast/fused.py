"""One lift, two sums, one root: where both levels take one mean, root and lift between cancel."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from ...hypergraphs import HYPEREDGE
from ..aggregators import Aggregator
from ..large_powers import exceeds_floats
from ..message_passing import divided, root_of
from ..power_mean import is_identity, is_power_mean
from ..stage import Stage
from .bags import mass as mass_of
from .bags import summed

# Entries that are worked on at once in float64, so that memory is used again before the kernel
# takes it back: it gives new memory filled with zeros, which takes longer than the arithmetic.
ENTRIES = 1 << 21


def cancels(inner: Aggregator, outer: Aggregator) -> bool:
    """Whether the root of the inner level and the lift of the outer undo each other exactly."""
    if not inner.reduce == outer.reduce == "mean":
        return False
    if is_identity(inner) and is_identity(outer):
        return True
    if not (is_power_mean(inner) and is_power_mean(outer)):
        return False
    is_fixed = not (inner.learn or outer.learn)
    return inner is outer or (is_fixed and (inner.p, inner.eps) == (outer.p, outer.eps))


def applies(inner: Aggregator, outer: Aggregator, feat: Tensor) -> bool:
    """Whether one lift and one root do for both levels."""
    return cancels(inner, outer) and not exceeds_floats(inner, feat)


def in_columns(feat: Tensor, aggregator: Aggregator) -> Sequence[Tensor]:
    """Parts of few columns, for work in float64; one part of all where each column has its p."""
    count = feat.shape[1]
    if not any(True for _ in aggregator.parameters()):
        count = min(count, max(8, ENTRIES // max(1, len(feat))))
    parts: Sequence[Tensor] = torch.split(feat, count, 1)
    return parts


def aggregate_fused(
    intra: Stage, inter: Stage, feat: Tensor, aggregator: Aggregator, by_size: bool
) -> Tensor:
    """F2(F1(x)) with self, for weights that sum to one."""
    is_wide = is_power_mean(aggregator) and aggregator.is_large
    parts = in_columns(feat, aggregator) if is_wide else [feat]
    found = [_aggregated(intra, inter, part, aggregator, by_size) for part in parts]
    return torch.cat(found, 1) if len(found) > 1 else found[0]


def _aggregated(
    intra: Stage, inter: Stage, feat: Tensor, aggregator: Aggregator, by_size: bool
) -> Tensor:
    total = summed(intra, aggregator.lift(feat))
    size = mass_of(intra, total)
    has_weights = intra.edge_weight is not None or "weight" in inter.graph.srcnodes[HYPEREDGE].data
    # By size and without weights the sum inside a whole hyperedge is its share already.
    if has_weights or not by_size or inter.graph.is_block:
        weight = 1 if inter.weight is None else inter.weight.to(total.dtype).unsqueeze(-1)
        # An empty sum is zero already; a learned weight divided by zero has a gradient of NaN.
        total = total * (weight / size.masked_fill(size == 0, 1))
    total, mass = summed(inter, total), mass_of(inter, total)
    is_empty = mass == 0
    mean = divided(total, mass.masked_fill(is_empty, 1))
    return root_of(aggregator, mean, is_empty).to(feat.dtype)
