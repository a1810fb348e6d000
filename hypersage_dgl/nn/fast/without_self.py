r"""The intra stage without self: F1(v,e) over the members of e other than v, for every pair (v,e).

Subtracting v's own term from the sum over e loses all digits where v dominates e. So each
hyperedge also keeps the sum of the rest, without its dominant member: a dominant v takes that, and
every other v can subtract safely, since the dominant term stays. Likewise max and min keep the
two best.
"""

from __future__ import annotations

import torch
from torch import Tensor

from ..aggregators import Aggregator
from ..large_powers import exceeds_floats, sign_of
from ..message_passing import divided, not_finite, root_of
from ..pairs import Pairs
from ..power_mean import PowerMean
from ..stage import Stage


def applies(aggregator: Aggregator) -> bool:
    """Whether the reduction is one of those that can leave a member out afterwards."""
    return aggregator.reduce in ("mean", "sum", "max", "min")


def inside_without_self(intra: Stage, pairs: Pairs, feat: Tensor, aggregator: Aggregator) -> Tensor:
    """F1(v,e) for every pair."""
    sources, _ = intra.edges
    if aggregator.reduce in ("max", "min"):
        sign = 1.0 if aggregator.reduce == "max" else -1.0
        lifted = aggregator.lift(feat)
        found = _TwoBest(intra, pairs, sign * lifted[sources]).of_pairs()
        met = not_finite(intra, lifted)
        return aggregator.root(sign * (found if met is None else found + met[pairs.hyperedge]))
    if exceeds_floats(aggregator, feat):
        return _pivoted(intra, pairs, aggregator.floor(feat)[sources], aggregator)
    lifted = aggregator.lift(feat)
    weight = _weights(intra, lifted)
    total = _sum_of_others(intra, pairs, weight * lifted[sources])
    if aggregator.reduce == "sum":
        return aggregator.root(total).to(feat.dtype)
    mass = _sum_of_others(intra, pairs, weight)
    # No pair is empty, so there is no mass of 0.
    return root_of(aggregator, divided(total, mass), mass == 0).to(feat.dtype)


def _weights(intra: Stage, like: Tensor) -> Tensor:
    """Weight of each incidence, as a column."""
    if intra.edge_weight is None:
        return like.new_ones(intra.num_edges, 1)
    return intra.edge_weight.to(like.dtype).unsqueeze(-1)


def _sum_of_others(intra: Stage, pairs: Pairs, terms: Tensor) -> Tensor:
    """Σ over the members of e other than v, exact to rounding, for every pair."""
    _, edges = intra.edges
    size = terms.detach().abs()
    is_best = size == intra.max_edges(size)[edges]
    is_alone = intra.sum_edges(is_best.to(terms.dtype)) == 1
    total = intra.sum_edges(terms)[pairs.hyperedge]
    rest = intra.sum_edges(terms.masked_fill(is_best, 0))[pairs.hyperedge]
    own = terms[pairs.own].masked_fill(~pairs.has_own.unsqueeze(-1), 0)
    is_dominant = (is_best[pairs.own] & is_alone[pairs.hyperedge]) & pairs.has_own.unsqueeze(-1)
    return torch.where(is_dominant, rest, total - own)


class _TwoBest:
    """The largest member of each hyperedge, and the largest once a sole largest one is left out."""

    def __init__(self, intra: Stage, pairs: Pairs, rows: Tensor) -> None:
        _, edges = intra.edges
        self.pairs = pairs
        self.first = intra.max_edges(rows)
        self.is_best = rows.detach() == self.first.detach()[edges]
        is_alone = intra.sum_edges(self.is_best.to(rows.dtype)) == 1
        others = rows.masked_fill(self.is_best & is_alone[edges], -torch.inf)
        self.second = intra.max_edges(others)
        owned = pairs.has_own.unsqueeze(-1)
        self.is_dominant = self.is_best[pairs.own] & is_alone[pairs.hyperedge] & owned

    def of_pairs(self) -> Tensor:
        """The largest member other than v, for every pair."""
        first, second = self.first[self.pairs.hyperedge], self.second[self.pairs.hyperedge]
        return torch.where(self.is_dominant, second, first)


def _pivoted(intra: Stage, pairs: Pairs, rows: Tensor, aggregator: PowerMean) -> Tensor:
    """Power mean at powers that no float holds, relative to the dominant member other than v."""
    _, edges = intra.edges
    weight = _weights(intra, rows)
    mass = _sum_of_others(intra, pairs, weight)
    # Σ w x^p = Σ (w^(1/p) x)^p: with its weight inside, a row tells how much it dominates.
    absorbed, weight = _absorbed(aggregator, weight)
    rows = rows * absorbed
    sign = sign_of(aggregator)
    best = _TwoBest(intra, pairs, sign * rows.detach())
    pivot = sign * best.of_pairs()
    first = weight * aggregator.power(rows / (sign * best.first)[edges])
    second = (sign * best.second)[edges]
    is_rest = ~best.is_best
    ratio = torch.where(is_rest, rows / torch.where(is_rest, second, 1.0), 1.0)
    rest = (weight * aggregator.power(ratio)).masked_fill(~is_rest, 0)
    total = torch.where(
        best.is_dominant,
        intra.sum_edges(rest)[pairs.hyperedge],
        _sum_of_others(intra, pairs, first),
    )
    return pivot * aggregator.root(total / mass)


def _absorbed(aggregator: PowerMean, weight: Tensor) -> tuple[Tensor, Tensor]:
    """Factors of the inputs that stand for their weights, and the weights that remain."""
    p = aggregator.p
    if not isinstance(p, Tensor):
        return weight.pow(1 / p), torch.ones_like(weight)
    # The power 1/p of a weight is harmless only where p is not small.
    is_inside = p.abs() >= 1
    exponent = torch.where(is_inside, 1 / torch.where(is_inside, p, 1.0), 0.0)
    return weight.pow(exponent.to(weight.dtype)), torch.where(is_inside, 1.0, weight)
