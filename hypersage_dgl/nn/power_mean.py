"""The power mean M_p for every real p, 0 and ±inf, fixed or learned."""

from __future__ import annotations

import copy
import math
import warnings
from typing import TypeGuard

import numpy as np
import torch
from torch import Tensor, nn

from .._utils import require_count, shown
from .aggregators import Aggregator
from .powers import SMALL_P, floored_power, power, root

# Above, float32 powers overflow for ordinary inputs: they are taken in float64.
LARGE_P = 5.0
# Likewise where the floor itself is so low that float32 (up to e^88) cannot hold its powers.
LARGE_EXPONENT = 80.0
# Beyond, float32 cannot tell a power mean from the maximum, and 1/p underflows in its gradients.
LARGEST_P = 1e9
SMALLEST_EPS, LARGEST_EPS = torch.finfo(torch.float32).tiny, torch.finfo(torch.float32).max


class PowerMean(Aggregator):
    r"""Power mean of non-negative inputs.

    .. math:: M_p(x_1, \dots, x_n) = \Big(\sum_j w_j x_j^p\Big)^{1/p}, \qquad \sum_j w_j = 1

    p=1 is the arithmetic, p=-1 the harmonic and p=0 (the limit) the geometric mean; p=inf is the
    maximum and p=-inf the minimum.

    Inputs below ``eps`` are raised to ``eps``, negative ones included (with one warning), for
    every p but a fixed p=1. The floor keeps values and gradients finite, and it is a real
    hyperparameter: at small or negative p it decides how strongly a zero pulls the mean down.

    Parameters
    ----------
    p
        Any real number or ±inf; the start value if learned.
    eps
        The floor, positive.
    learn
        Learn p by gradient descent.
    channels
        With ``learn``, one p for each of so many channels instead of one for all.

    Notes
    -----
    Small powers, :math:`|p| < 0.1`, are computed as :math:`(x^p - 1)/p` with ``expm1`` and
    ``log1p``, which is log and exp at p=0. Large ones, :math:`|p| > 5`, are taken in float64, and
    so are powers of a floor too low for float32; where float64 does not hold them either, of
    inputs divided by their neighbourhood's largest (p>0) or smallest (p<0): the mean is
    homogeneous, so this changes the rounding alone. Other powers are plain as long as float32
    holds them and their slopes, for every p from -4 to 5 with inputs up to 1e6. Such bounds
    choose the type to compute in; no statistic over all nodes enters a value.

    Examples
    --------
    >>> mean = PowerMean(2)
    >>> mean.root(mean.lift(torch.tensor([3.0, 4.0])).mean())
    tensor(3.5355)
    >>> PowerMean(1.0, learn=True, channels=16)
    PowerMean(p=1, learn=True, channels=16)
    """

    def __init__(
        self,
        p: float = 1.0,
        *,
        eps: float = 1e-2,
        learn: bool = False,
        channels: int | None = None,
    ) -> None:
        super().__init__()
        if (
            isinstance(p, bool)
            or not isinstance(p, (int, float, np.integer, np.floating))
            or p != p
        ):
            raise ValueError(f"p is {p!r}; it must be a real number or ±inf")
        if LARGEST_P < abs(p) < math.inf:
            raise ValueError(
                f"p is {shown(p, 20)}; finite powers go up to {LARGEST_P:g} in size: from there on "
                f"the mean is the {'maximum' if p > 0 else 'minimum'} to float32's last digit, so "
                f"say p={math.inf if p > 0 else -math.inf}"
            )
        is_number = isinstance(eps, (int, float, np.integer, np.floating))
        if isinstance(eps, bool) or not is_number or not 0 < eps <= LARGEST_EPS:
            raise ValueError(
                f"eps is {shown(eps)}; the floor must be a positive number, such as 1e-2"
            )
        if eps < SMALLEST_EPS:
            raise ValueError(
                f"eps is {eps!r}; the floor must be at least {SMALLEST_EPS:.3g}, since float32 "
                "holds nothing smaller to all its digits"
            )
        if learn and math.isinf(p):
            raise ValueError(f"p is {p} and cannot be learned from there; start from a finite p")
        if channels is not None and not learn:
            raise ValueError(f"channels is {channels} without learn=True; a fixed p is one number")
        if channels is not None:
            channels = require_count(channels, "channels")
        self.start, self.eps, self.channels = float(p), float(eps), channels
        # A p that float32 cannot hold is 0 there, and p=0 has a form of its own.
        self.p: float | nn.Parameter = 0.0 if abs(self.start) < 1e-12 else self.start
        if learn:
            del self.p
            self.p = nn.Parameter(torch.empty(() if channels is None else (channels,)))
            self.reset_parameters()
        if math.isinf(p):
            self.reduce = "max" if p > 0 else "min"
        # Shared with shallow copies, such as a model's view in evaluation mode.
        self._warned = {"sign": False}

    @property
    def learn(self) -> bool:
        """Whether p is a parameter."""
        return isinstance(self.p, nn.Parameter)

    def reset_parameters(self) -> None:
        """Set a learned p back to its start value."""
        if isinstance(self.p, nn.Parameter):
            nn.init.constant_(self.p, self.start)

    def for_width(self, width: int) -> PowerMean:
        """Return a fresh one like this, with as many learned powers as ``width`` if by channel."""
        made = copy.deepcopy(self)
        if self.channels is not None:
            made.channels, made.p = width, nn.Parameter(torch.empty(width))
        made.reset_parameters()
        return made

    @property
    def width(self) -> int | None:
        """Number of channels with a p of their own, None if one p serves any number."""
        return self.channels

    @property
    def is_arithmetic(self) -> bool:
        """Whether p is a fixed 1 (no floor)."""
        return isinstance(self.p, float) and self.p == 1

    @property
    def largest_power(self) -> float:
        """The largest |p|, over all channels if p is by channel."""
        return float(self.p.detach().abs().max()) if isinstance(self.p, Tensor) else abs(self.p)

    @property
    def is_large(self) -> bool:
        """Whether some |p| is too large for powers in float32."""
        if self.reduce != "mean" or self.is_arithmetic:
            return False
        p = self.p.detach() if isinstance(self.p, Tensor) else torch.tensor(self.p)
        is_low = (_steepest(p) * abs(math.log(self.eps)) > LARGE_EXPONENT) & (p.abs() >= SMALL_P)
        return bool(((p.abs() > LARGE_P) | is_low).any())

    def exceeds_float32(self, x: Tensor) -> bool:
        """Whether powers of these inputs, or their slopes, are too large or small for float32."""
        if self.is_large:
            return True
        if x.dtype == torch.float64 or x.numel() == 0:
            return False
        largest = float(x.detach().amax())
        # NaN passes: it is no matter of types.
        if not largest > 1 or self.reduce != "mean" or self.is_arithmetic:
            return False
        p = self.p.detach() if isinstance(self.p, Tensor) else torch.tensor(self.p)
        return float(_steepest(p).max()) * math.log(largest) > LARGE_EXPONENT

    def check_sign(self, x: Tensor) -> None:
        """Warn once of negative inputs, which the floor raises."""
        if not self._warned["sign"] and x.numel() and bool(x.detach().amin() < 0):
            self._warned["sign"] = True
            warnings.warn(
                f"{self!r} got negative inputs and raised them to eps={self.eps:g}: a power mean "
                "with p != 1 is defined for positive numbers; put a ReLU before it or use p=1",
                stacklevel=2,
            )

    def floor(self, x: Tensor) -> Tensor:
        """Raise inputs below ``eps`` to ``eps``."""
        self.check_sign(x)
        return x.clamp_min(self.eps)

    def lift(self, x: Tensor) -> Tensor:
        """x^p, or its small-p form, of the floored inputs; in float64 where that is large."""
        if self.is_arithmetic:
            return x
        if self.reduce != "mean":
            return self.floor(x)
        self.check_sign(x)
        return floored_power(x.double() if self.exceeds_float32(x) else x, self.p, self.eps)

    def power(self, x: Tensor) -> Tensor:
        """x^p, or its small-p form, of positive inputs, without the floor."""
        return power(x, self.p)

    def root(self, y: Tensor, in_place: bool = False) -> Tensor:
        """Inverse of :meth:`power`; ``in_place`` may write it over y, which nobody else uses."""
        return y if self.is_arithmetic or self.reduce != "mean" else root(y, self.p, in_place)

    def __repr__(self) -> str:
        parts = [f"p={self.start:g}"]
        if self.learn:
            parts.append("learn=True")
        if self.channels is not None:
            parts.append(f"channels={self.channels}")
        if self.eps != 1e-2:
            parts.append(f"eps={self.eps:g}")
        return f"PowerMean({', '.join(parts)})"


def _steepest(p: Tensor) -> Tensor:
    """The largest exponent of x in the power, its slope p·x^(p-1) and the root's, x^(1-p)/p."""
    return (p - 1).abs().maximum(p.abs())


def is_power_mean(aggregator: Aggregator) -> TypeGuard[PowerMean]:
    """Whether it is a power mean by our own lift and root, so that its algebra is known."""
    kind = type(aggregator)
    return (
        isinstance(aggregator, PowerMean)
        and kind.lift is PowerMean.lift
        and kind.root is PowerMean.root
    )


def is_identity(aggregator: Aggregator) -> bool:
    """Whether lift and root change nothing, so that they need not be called."""
    if is_power_mean(aggregator):
        return aggregator.is_arithmetic
    kind = type(aggregator)
    return kind.lift is Aggregator.lift and kind.root is Aggregator.root
