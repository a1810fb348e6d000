"""Mean and standard deviation of accuracies, in percent."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple


class Spread(NamedTuple):
    """Mean and sample standard deviation in percent, and the number of runs behind them.

    ``sd`` is None for a single run; both are None where the paper does not print them.

    Examples
    --------
    >>> Spread.of([0.70, 0.72, 0.77])
    Spread(mean=73.0, sd=3.605..., runs=3)
    >>> str(Spread.of([0.70, 0.72, 0.77])), str(Spread.of([0.7]))
    ('73.0 ± 3.6', '70.0')
    """

    mean: float
    sd: float | None
    runs: int | None

    @classmethod
    def of(cls, shares: Iterable[float]) -> Spread:
        """Measure accuracies from 0 to 1; there must be one at least."""
        values = [100 * share for share in shares]
        # fsum is exact, so the order of the runs cannot change the last digit.
        center = mean(values)
        if len(values) == 1:
            return cls(center, None, 1)
        squares = math.fsum((value - center) ** 2 for value in values)
        return cls(center, math.sqrt(squares / (len(values) - 1)), len(values))

    def __str__(self) -> str:
        return f"{self.mean:.1f}" if self.sd is None else f"{self.mean:.1f} ± {self.sd:.1f}"


class Difference(NamedTuple):
    """Mean of paired differences in points and its standard error, None for a single pair.

    Examples
    --------
    >>> difference = Difference.of([0.71, 0.74], [0.70, 0.71])
    >>> difference
    Difference(points=2.0..., error=1.0...)
    >>> difference.is_level
    False
    """

    points: float
    error: float | None

    @classmethod
    def of(cls, ours: Iterable[float], theirs: Iterable[float]) -> Difference:
        """Compare accuracies from 0 to 1, pair by pair."""
        spread = Spread.of(a - b for a, b in zip(ours, theirs))
        error = None if spread.sd is None else spread.sd / math.sqrt(spread.runs or 1)
        return cls(spread.mean, error)

    @property
    def is_level(self) -> bool:
        """Whether the mean is less than two standard errors from zero."""
        return self.error is not None and abs(self.points) < 2 * self.error


def mean(values: Iterable[float]) -> float:
    """Mean that does not depend on the order.

    Examples
    --------
    >>> mean([0.1, 0.2, 0.3]) == mean([0.3, 0.2, 0.1])
    True
    """
    listed = list(values)
    if not listed:
        raise ValueError("there is no value to average; leave the cell out")
    return math.fsum(listed) / len(listed)
