r"""Without self and one mean at both levels: two sums, and each node's own part taken off at once.

.. math:: \sum_e c_{ve}\,(S_e - a_{ve} y_v) = \sum_e c_{ve} S_e - y_v \sum_e c_{ve} a_{ve}

with y the lifted features, S_e their sum over e, and c_ve = w(v,e) / Σ_{j≠v} a_je. No row for each
pair (v,e) is made. The sums are taken in float64, whose digits mostly outlast the subtraction. Each
entry where they would not is found, and comes from ``without_self``, which does not subtract.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor

from ..aggregators import Aggregator
from ..large_powers import exceeds_floats
from ..message_passing import divided, root_of
from ..pairs import Pairs, pairs_of
from ..power_mean import is_identity, is_power_mean
from ..stage import Stage
from .bags import summed
from .fused import cancels

# A difference that is smaller than this share of what was taken off has lost digits, by the type
# of the features.
LEAST = {torch.float32: 1e-8, torch.float64: 1e-3}


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
    lifted = aggregator.lift(feat.double())
    own = pairs.has_own.double()
    if intra.edge_weight is not None:
        own = own * intra.edge_weight.double()[pairs.own]
    inside = replace(intra, weight=None)
    mass = inside.mass(lifted).squeeze(-1)
    share = torch.ones_like(own) if inter.weight is None else inter.weight.double()[pairs.hyperedge]
    factor = share / (mass[pairs.hyperedge] - own)
    node, count = pairs.node, pairs.num_nodes

    def at_node(value: Tensor) -> Tensor:
        return value.new_zeros(count).index_add_(0, node, value).unsqueeze(-1)

    # The pairs that are left out weigh nothing.
    by_edge = factor.new_zeros(inter.num_edges).index_put_((pairs.edge,), factor)
    across = replace(inter, weight=None, edge_weight=by_edge)
    rows = lifted if len(lifted) == count else lifted[:count]
    own_part = rows * at_node(factor * own)
    total = summed(across, summed(inside, lifted)) - own_part
    # Not below, so that NaN is among them.
    is_lost = ~(total.detach().abs() >= LEAST[feat.dtype] * own_part.detach().abs())
    has_lost = bool(is_lost.any())
    if has_lost and is_identity(aggregator):
        # Where all others are zero, so is their sum: no digit is lost of what is none.
        stored = (feat.detach() != 0).to(feat.dtype)
        kept = stored.new_zeros(inter.num_edges).index_fill_(0, pairs.edge, 1.0)
        counted = summed(replace(across, edge_weight=kept), summed(_unweighed(inside), stored))
        is_none = counted == stored[:count] * at_node(pairs.has_own.to(feat.dtype))
        total = total - torch.where(is_none, total.detach(), 0.0)
        is_lost &= ~is_none
        has_lost = bool(is_lost.any())
    weight = at_node(share)
    is_empty = weight == 0
    mean = divided(total, weight.masked_fill(is_empty, 1))
    if has_lost:
        mean = torch.where(is_lost, aggregator.lift(mean.new_ones(1, mean.shape[1])), mean)
    out = root_of(aggregator, mean, is_empty).to(feat.dtype)
    return torch.where(is_lost, exact(), out) if has_lost else out


def _unweighed(stage: Stage) -> Stage:
    return replace(stage, edge_weight=None)


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
