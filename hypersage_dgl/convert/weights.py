"""Weights as they are stored: float32, since they meet float32 features in the layers."""

from __future__ import annotations

import math

import numpy as np

RANGE = "in the range of float32, which goes to 3.4e38"


def as_float32(weight: float) -> float:
    """Round a number to float32: infinite where it is too large, 0 where it is too small.

    Examples
    --------
    >>> as_float32(1e300), as_float32(1e-50), as_float32(10**400), as_float32(0.5)
    (inf, 0.0, inf, 0.5)
    """
    try:
        with np.errstate(over="ignore", under="ignore"):
            return float(np.float32(weight))
    except OverflowError:
        return math.inf if weight > 0 else -math.inf


def is_positive(weight: float) -> bool:
    """Whether a weight is positive and finite, also once it is float32."""
    return 0 < as_float32(weight) < math.inf
