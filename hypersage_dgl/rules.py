"""Rules that options must meet wherever they enter."""

from __future__ import annotations

from numbers import Integral, Real


def require_count(value: object, name: str) -> int:
    """Refuse what is no whole number from 1 on, such as True, 2.0 or 0.

    Examples
    --------
    >>> require_count(3, "num_layers")
    3
    >>> require_count(0, "num_layers")
    Traceback (most recent call last):
    ValueError: num_layers is 0; it must be a whole number from 1 on
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise ValueError(f"{name} is {value!r}; it must be a whole number from 1 on")
    return int(value)


def require_rate(value: object, name: str) -> float:
    """Refuse what is no dropout rate.

    Examples
    --------
    >>> require_rate(1.5, "feat_drop")
    Traceback (most recent call last):
    ValueError: feat_drop is 1.5; a dropout rate goes from 0 to below 1
    """
    if not isinstance(value, Real) or not 0 <= float(value) < 1:
        raise ValueError(f"{name} is {value!r}; a dropout rate goes from 0 to below 1")
    return float(value)
