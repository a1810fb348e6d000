"""Rules that options must meet wherever they enter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, TypeVar, Union

import numpy as np

IntArray = np.ndarray[Any, np.dtype[np.int64]]
Value = TypeVar("Value")
PerLayer = Union[Value, Sequence[Value]]
# Of weights, which are stored so.
RANGE = "in the range of float32, which goes to 3.4e38"
MOST_LAYERS = 10_000


def shown(value: object, most: int = 60) -> str:
    """A value as an error shows it, cut; Python itself writes integers to 4,300 digits only.

    Examples
    --------
    >>> shown("word"), shown(10**5000)
    ("'word'", 'an integer of more than 4,300 digits')
    """
    try:
        return repr(value)[:most]
    except ValueError:
        what = "an integer" if isinstance(value, int) else f"a {type(value).__name__} with one"
        return f"{what} of more than 4,300 digits"


def require_count(value: object, name: str) -> int:
    """Refuse what is not a positive integer, such as True, 2.0 or 0.

    Examples
    --------
    >>> require_count(3, "num_layers")
    3
    >>> require_count(0, "num_layers")
    Traceback (most recent call last):
    ValueError: num_layers is 0; it must be a positive integer
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise ValueError(f"{name} is {shown(value)}; it must be a positive integer")
    return int(value)


def require_layers(num_layers: object) -> int:
    """Refuse what is no number of layers, or one that would end in an error of memory.

    Examples
    --------
    >>> require_layers(10**30)
    Traceback (most recent call last):
    ValueError: num_layers is 1000000000000000000000000000000; at most 10,000 are made
    """
    count = require_count(num_layers, "num_layers")
    if count > MOST_LAYERS:
        raise ValueError(f"num_layers is {shown(count)}; at most {MOST_LAYERS:,} are made")
    return count


def require_rate(value: object, name: str) -> float:
    """Refuse what is not a dropout rate.

    Examples
    --------
    >>> require_rate(1.5, "feat_drop")
    Traceback (most recent call last):
    ValueError: feat_drop is 1.5; a dropout rate is at least 0 and below 1
    """
    if not isinstance(value, Real) or not 0 <= value < 1:  # type: ignore[operator]
        raise ValueError(f"{name} is {value!r:.60}; a dropout rate is at least 0 and below 1")
    return float(value)


def per_layer(value: PerLayer[Value], num_layers: int, name: str) -> list[Value]:
    """List with one value for each layer.

    Examples
    --------
    >>> per_layer(5, 2, "alpha"), per_layer([10, 5], 2, "alpha")
    ([5, 5], [10, 5])
    """
    num_layers = require_layers(num_layers)
    if not isinstance(value, Sequence) or isinstance(value, str):
        return [value] * num_layers
    if len(value) != num_layers:
        raise ValueError(
            f"{name} is {value!r}; it must be one value or one for each of the {num_layers} layers"
        )
    return list(value)


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
