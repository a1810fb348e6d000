"""One lift, two sums, one root: where both levels take one mean, root and lift between cancel."""

from __future__ import annotations

from torch import Tensor

from ...hypergraphs import HYPEREDGE
from ..aggregators import Aggregator
from ..large_powers import exceeds_floats
from ..message_passing import divided
from ..power_mean import is_power_mean
from ..stage import Stage


def is_identity(aggregator: Aggregator) -> bool:
    """Whether lift and root change nothing, so that they need not be called."""
    if is_power_mean(aggregator):
        return aggregator.is_arithmetic
    kind = type(aggregator)
    return kind.lift is Aggregator.lift and kind.root is Aggregator.root


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


def aggregate_fused(
    intra: Stage, inter: Stage, feat: Tensor, aggregator: Aggregator, by_size: bool
) -> Tensor:
    """F2(F1(x)) with self, for weights that sum to one."""
    total = intra.sum(aggregator.lift(feat))
    size = intra.mass(total)
    has_weights = intra.edge_weight is not None or "weight" in inter.graph.srcnodes[HYPEREDGE].data
    # By size and without weights the sum inside a whole hyperedge is its share already.
    if has_weights or not by_size or inter.graph.is_block:
        weight = 1 if inter.weight is None else inter.weight.to(total.dtype).unsqueeze(-1)
        total = total * (weight / size).masked_fill(size == 0, 0)
    total, mass = inter.sum(total), inter.mass(total)
    is_empty = mass == 0
    mean = divided(total, mass.masked_fill(is_empty, 1))
    return root_in_place(aggregator, mean, is_empty).to(feat.dtype)


def root_in_place(aggregator: Aggregator, reduced: Tensor, is_empty: Tensor) -> Tensor:
    """Root of every row but the empty ones, which are zero already and stay so."""
    if is_identity(aggregator):
        return reduced
    has_empty = bool(is_empty.any())
    if has_empty:
        # As if its only input were 1: no NaN in its gradient.
        one = aggregator.lift(reduced.new_ones(1, reduced.shape[1]))
        reduced = reduced.where(~is_empty, one)
    if is_power_mean(aggregator):
        out = aggregator.root(reduced, in_place=True)
    else:
        out = aggregator.root(reduced)
    return out.masked_fill(is_empty, 0) if has_empty else out
