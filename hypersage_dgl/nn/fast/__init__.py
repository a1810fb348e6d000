"""Faster ways to the same numbers. Each is proven equal to the plain two stages by its test.

| path | when it applies | proof, in tests/nn/fast |
|---|---|---|
| :mod:`.bags` | sums and means of float32 and float64 on the CPU, no learned edge weight | \
test_bags.py |
| :mod:`.fused` | with self, both levels a mean of the same p | test_fused.py |
| :mod:`.sparse_features` | with self, sparse features on the CPU, fixed means, nothing learned \
but W | test_sparse_features.py |
| :mod:`.others` | without self, both levels a mean of the same p, not a large one | \
test_others.py |
| :mod:`.without_self` | without self, any built-in reduction inside | test_without_self.py |
| :mod:`.linear_first` | a first layer that is kept, plain sums or means, no dropout | \
test_linear_first.py |
| :mod:`.picked` | a first layer that is kept of a batch, plain means with self, dense float32 \
on the CPU | test_picked.py |
| :mod:`.chunks` | inference in chunks, plain means with self, dense features | test_chunks.py |
| :mod:`.dropped_linear` | dropout before W; equal without it, alike in distribution with it \
| test_dropped_linear.py |

Whatever none of them takes runs as ``HyperSAGEConv.aggregate`` reads. ``fast=False`` on the layer,
on ``aggregate`` or on a model switches all of them off.
"""

from __future__ import annotations

from torch import Tensor

from ..._utils import as_dense
from ..aggregators import Aggregator
from ..stage import Stage
from . import fused, others, sparse_features, without_self
from .bags import pass_fast, summed
from .chunks import Chunk, aggregate_chunks
from .dropped_linear import dropped_linear
from .linear_first import SPARSE_DENSITY, LinearFirst, is_linear, keep_linear, stored
from .picked import sum_picked
from .sparse_features import sum_sparse

__all__ = [
    "SPARSE_DENSITY",
    "Chunk",
    "LinearFirst",
    "aggregate",
    "aggregate_chunks",
    "dropped_linear",
    "is_linear",
    "keep_linear",
    "pass_fast",
    "stored",
    "sum_picked",
    "sum_sparse",
    "summed",
]


def aggregate(
    intra: Stage,
    inter: Stage,
    feat: Tensor,
    aggregators: tuple[Aggregator, Aggregator],
    include_self: bool,
    by_size: bool,
) -> tuple[Tensor, Stage] | None:
    """F2(F1(x)) for weights that sum to one, and the stage that it went across; None if no path."""
    first, second = aggregators
    # An offset stands between the stages, which these paths take in one.
    is_one = include_self and intra.offset is None
    if is_one and sparse_features.applies(intra, inter, feat, first, second):
        return sparse_features.aggregate_sparse(intra, inter, feat, first, second), inter
    feat = as_dense(feat)
    if is_one and fused.applies(first, second, feat):
        return fused.aggregate_fused(intra, inter, feat, second, by_size), inter
    if include_self:
        return pass_fast(inter, pass_fast(intra, feat, first), second), inter
    pairs = others.pairs_for(intra, inter) if without_self.applies(first) else None
    if pairs is None:
        return None
    across = others.across_of(intra, inter, pairs)

    def exact() -> Tensor:
        inside = without_self.inside_without_self(intra, pairs, feat, first)
        if intra.offset is not None:
            inside = inside + intra.offset[pairs.hyperedge].to(inside.dtype)
        return pass_fast(across, inside, second)

    if intra.offset is None and others.applies(intra, inter, feat, first, second):
        return others.aggregate_others(intra, inter, pairs, feat, second, exact), across
    return exact(), across
