"""x^p and its inverse, with the digits and the finite gradients that a power mean needs.

Small powers take the form (x^p - 1)/p, whose limit at p=0 is log x: it keeps the digits that x^p
loses in float32 as it nears 1. Both forms go through a mean unchanged as long as its weights sum
to one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

# Below, (x^p - 1)/p is the more accurate form in float32; above, x^p is.
SMALL_P = 0.1
# Above, the slope of a root is not made of its result: x^(1-p) of a rounded x is another number.
LARGEST_SLOPE_P = 1000.0


def power(x: Tensor, p: float | Tensor) -> Tensor:
    """x^p, or (x^p - 1)/p at small p, of positive x."""
    if isinstance(p, Tensor):
        return _learned_power(x, p.to(x.dtype))
    out: Tensor = _FixedPower.apply(x, p, 0.0)  # type: ignore[no-untyped-call]
    return out


def floored_power(x: Tensor, p: float | Tensor, eps: float) -> Tensor:
    """:func:`power` of x raised to at least eps; no gradient passes where it was raised."""
    if isinstance(p, Tensor):
        return _learned_power(x.clamp_min(eps), p.to(x.dtype))
    out: Tensor = _FixedPower.apply(x, p, eps)  # type: ignore[no-untyped-call]
    return out


def root(y: Tensor, p: float | Tensor, in_place: bool = False) -> Tensor:
    """Inverse of :func:`power`; ``in_place`` may write it over y, which nobody else must use."""
    if isinstance(p, Tensor):
        return _learned_root(y, p.to(y.dtype))
    out: Tensor = _FixedRoot.apply(y, p, in_place)  # type: ignore[no-untyped-call]
    return out


class _FixedPower(torch.autograd.Function):
    """Autograd's own chain of clamp and pow passes over memory twice as often."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, p: float, eps: float) -> Tensor:
        # In place from here on: new memory costs more than the arithmetic.
        y = x.clamp_min(eps)
        if p == 0:
            y.log_()
        elif abs(p) < SMALL_P:
            y.log_().mul_(p).expm1_().div_(p)
        else:
            y.pow_(p)
        ctx.p, ctx.eps = p, eps
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        x, y = ctx.saved_tensors
        p, was_raised = ctx.p, x < ctx.eps
        # With create_graph=True a second derivative is wanted: in terms that autograd can follow.
        if torch.is_grad_enabled():
            slope = x.clamp_min(ctx.eps).pow(p - 1) * (1 if abs(p) < SMALL_P else p)
            return (grad * slope).masked_fill(was_raised, 0), None, None
        if p == -1:
            slope = y.square().neg_()
        elif p == 0:
            slope = x.clamp_min(ctx.eps).reciprocal_()
        elif abs(p) < SMALL_P:
            slope = y.mul(p).add_(1).div_(x.clamp_min(ctx.eps))
        else:
            slope = x.clamp_min(ctx.eps)
            # p·x^(p-1), which for the square needs no division.
            slope = slope.mul_(2) if p == 2 else torch.div(y, slope, out=slope).mul_(p)
        slope.mul_(grad)
        return slope.masked_fill_(was_raised, 0) if bool(was_raised.any()) else slope, None, None


class _FixedRoot(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, y: Tensor, p: float, in_place: bool) -> Tensor:
        # There the slope needs y: a power 1-p of x would blow up the rounding of x.
        is_large = abs(p) > LARGEST_SLOPE_P
        in_place = in_place and not is_large
        x = y if in_place else y.clone()
        if p == 0:
            x.exp_()
        elif abs(p) < SMALL_P:
            x.mul_(p).log1p_().div_(p).exp_()
        else:
            x.pow_(1 / p)
        if in_place:
            ctx.mark_dirty(y)
        ctx.p = p
        ctx.save_for_backward(*((x, y) if is_large else (x,)))
        return x

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        x, *large = ctx.saved_tensors
        # x^(1-p)/p, or x^(1-p) in the small-p form.
        slope = x / large[0] if large else x.pow(1 - ctx.p)
        scale = 1 if abs(ctx.p) < SMALL_P else 1 / ctx.p
        if torch.is_grad_enabled():
            return grad * slope * scale, None, None
        slope.mul_(grad)
        return slope if scale == 1 else slope.mul_(scale), None, None


def _learned_power(x: Tensor, p: Tensor) -> Tensor:
    log_x = x.log()
    is_small = p.abs() < SMALL_P
    # Each branch sees a harmless p where the other is taken: no NaN in its gradient.
    small_p, other_p = torch.where(is_small, p, 0.0), torch.where(is_small, 1.0, p)
    small = log_x * _expm1_ratio(small_p * log_x)
    return torch.where(is_small, small, torch.exp(other_p * log_x))


def _learned_root(y: Tensor, p: Tensor) -> Tensor:
    is_small = p.abs() < SMALL_P
    small_p, other_p = torch.where(is_small, p, 0.0), torch.where(is_small, 1.0, p)
    small_y, other_y = torch.where(is_small, y, 0.0), torch.where(is_small, 1.0, y)
    small = small_y * _log1p_ratio(small_p * small_y)
    return torch.exp(torch.where(is_small, small, other_y.log() / other_p))


def _expm1_ratio(z: Tensor) -> Tensor:
    """expm1(z)/z, with a derivative that stays accurate through z=0."""
    return _near_zero(z, [1 / math.factorial(k + 1) for k in range(9)], torch.expm1)


def _log1p_ratio(z: Tensor) -> Tensor:
    """log1p(z)/z, with a derivative that stays accurate through z=0."""
    return _near_zero(z, [(-1) ** k / (k + 1) for k in range(13)], torch.log1p)


def _near_zero(z: Tensor, series: list[float], function: Callable[[Tensor], Tensor]) -> Tensor:
    """function(z)/z, by its Taylor series where |z| < 0.05."""
    is_near = z.abs() < 0.05
    near = torch.where(is_near, z, 0.0)
    value = torch.zeros_like(near)
    for coefficient in reversed(series):
        value = value * near + coefficient
    far = torch.where(is_near, 1.0, z)
    return torch.where(is_near, value, function(far) / far)
