r"""Without self and one mean at both levels: two sums, and each node's own part taken off at once.

.. math:: \sum_e c_{ve}\,(S_e - a_{ve} y_v) = \sum_e c_{ve} S_e - y_v \sum_e c_{ve} a_{ve}

with y the lifted features, S_e their sum over e, and c_ve = w(v,e) / Σ_{j≠v} a_je. No row for each
pair (v,e) is made. The sums are taken in float64, whose digits mostly outlast the subtraction. Each
entry where they would not is found, and comes from ``without_self``, which does not subtract.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from ..aggregators import Aggregator
from ..large_powers import exceeds_floats
from ..message_passing import root_of
from ..pairs import Pairs, pairs_of
from ..power_mean import is_identity, is_power_mean
from ..stage import Stage
from .bags import summed
from .fused import cancels, in_columns

# A difference that is smaller than this share of what was taken off has lost digits, by the type
# of the features.
LEAST = {torch.float32: 1e-8, torch.float64: 1e-3}
# Entries that are looked at at once, which stay in the processor's cache.
LOOKED_AT = 1 << 18


def applies(
    intra: Stage, inter: Stage, feat: Tensor, first: Aggregator, second: Aggregator
) -> bool:
    """Whether both levels are one mean of such features, and nothing is learned but W."""
    learned = (intra.edge_weight, inter.weight)
    is_fixed = not any(weight is not None and weight.requires_grad for weight in learned)
    is_known = is_fixed and feat.dtype in LEAST and feat.numel() > 0 and intra.num_edges > 0
    is_mean = is_known and cancels(first, second) and not exceeds_floats(first, feat)
    # Of large powers so much is lost that both ways would be gone.
    return is_mean and not (is_power_mean(first) and first.is_large)


def aggregate_others(
    intra: Stage,
    inter: Stage,
    pairs: Pairs,
    feat: Tensor,
    aggregator: Aggregator,
    exact: Callable[[], Tensor],
) -> Tensor:
    """F2(F1(x)) without self, for weights that sum to one; ``exact`` gives the same."""
    sums = _SumsOfOthers.of(intra, inter, pairs)
    parts = [sums.mean(part, aggregator) for part in in_columns(feat, aggregator)]
    out = torch.cat([mean for mean, _ in parts], 1) if len(parts) > 1 else parts[0][0]
    if all(is_lost is None for _, is_lost in parts):
        return out
    is_lost = [torch.zeros_like(m, dtype=torch.bool) if lost is None else lost for m, lost in parts]
    return torch.where(torch.cat(is_lost, 1), exact(), out)


@dataclass(frozen=True, eq=False)
class _SumsOfOthers:
    """Both sums, weighed so that they give a mean, and each node's own part of them."""

    inside: Stage
    across: Stage
    own: Tensor
    is_empty: Tensor
    pairs: Pairs

    @classmethod
    def of(cls, intra: Stage, inter: Stage, pairs: Pairs) -> _SumsOfOthers:
        own = pairs.has_own.double()
        if intra.edge_weight is not None:
            own = own * intra.edge_weight.double()[pairs.own]
        inside = replace(intra, weight=None)
        mass = inside.mass(own).squeeze(-1)
        share = torch.ones_like(own)
        if inter.weight is not None:
            share = inter.weight.double()[pairs.hyperedge]
        weight = _at_node(pairs, share)
        is_empty = weight == 0
        factor = share / (mass[pairs.hyperedge] - own) / weight[pairs.node]
        # The pairs that are left out weigh nothing.
        by_edge = factor.new_zeros(inter.num_edges).index_put_((pairs.edge,), factor)
        across = replace(inter, weight=None, edge_weight=by_edge)
        own_part = _at_node(pairs, factor * own).unsqueeze(-1)
        return cls(inside, across, own_part, is_empty.unsqueeze(-1), pairs)

    def mean(self, feat: Tensor, aggregator: Aggregator) -> tuple[Tensor, Tensor | None]:
        """The means, and which of them have lost digits, if any."""
        lifted = aggregator.lift(feat.double())
        mean = summed(self.across, summed(self.inside, lifted))
        # Of blocks, the targets are the first rows.
        lifted = lifted[: len(mean)]
        mean = mean.addcmul(lifted, self.own, value=-1)
        is_lost = self._lost(mean.detach(), lifted.detach(), LEAST[feat.dtype])
        if is_lost is not None and is_identity(aggregator):
            # Where all others are zero, so is their sum: no digit is lost of what is none.
            is_none = self._has_no_others(feat.detach())
            mean = mean - torch.where(is_none, mean.detach(), 0.0)
            is_lost = is_lost & ~is_none
            is_lost = is_lost if bool(is_lost.any()) else None
        if is_lost is not None:
            mean = torch.where(is_lost, aggregator.lift(mean.new_ones(1, mean.shape[1])), mean)
        return root_of(aggregator, mean, self.is_empty).to(feat.dtype), is_lost

    def _lost(self, mean: Tensor, lifted: Tensor, least: float) -> Tensor | None:
        def lost(rows: slice) -> Tensor:
            # Not below, so that NaN is among them.
            bound = (lifted[rows] * self.own[rows]).abs_().mul_(least)
            return (mean[rows].abs() >= bound).logical_not_()

        step = max(1, LOOKED_AT // mean.shape[1])
        starts = range(0, len(mean), step)
        if not any(bool(lost(slice(start, start + step)).any()) for start in starts):
            return None
        return lost(slice(0, len(mean)))

    def _has_no_others(self, feat: Tensor) -> Tensor:
        """Where no other member stores anything."""
        pairs, stored = self.pairs, (feat != 0).to(feat.dtype)
        kept = stored.new_zeros(self.across.num_edges).index_fill_(0, pairs.edge, 1.0)
        inside = replace(self.inside, edge_weight=None)
        counted = summed(replace(self.across, edge_weight=kept), summed(inside, stored))
        own = _at_node(pairs, pairs.has_own.to(feat.dtype)).unsqueeze(-1)
        return counted == stored[: len(counted)] * own


def _at_node(pairs: Pairs, value: Tensor) -> Tensor:
    """The sum at each node of a number for each pair."""
    return value.new_zeros(pairs.num_nodes).index_add_(0, pairs.node, value)


def across_of(intra: Stage, inter: Stage, pairs: Pairs) -> Stage:
    """``pairs.across(inter.weight)``, its structure kept of a whole hypergraph."""
    if intra.graph is not inter.graph or intra.cache is None:
        return pairs.across(inter.weight)
    across = intra.cache.get(intra.graph, "across pairs", lambda: pairs.across(None))
    weight = inter.weight
    return replace(across, weight=None if weight is None else weight[pairs.hyperedge])


def pairs_for(intra: Stage, inter: Stage) -> Pairs:
    """The pairs, kept of a whole hypergraph."""
    if intra.graph is not inter.graph or intra.cache is None:
        return pairs_of(intra, inter)
    return intra.cache.get(intra.graph, "pairs", lambda: pairs_of(intra, inter))
