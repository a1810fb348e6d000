"""Options that are one value for all layers, or one for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, Union

from .rules import require_count

Value = TypeVar("Value")
PerLayer = Union[Value, Sequence[Value]]


def per_layer(value: PerLayer[Value], num_layers: int, name: str) -> list[Value]:
    """List with one value for each layer.

    Examples
    --------
    >>> per_layer(5, 2, "alpha"), per_layer([10, 5], 2, "alpha")
    ([5, 5], [10, 5])
    """
    num_layers = require_count(num_layers, "num_layers")
    if not isinstance(value, Sequence) or isinstance(value, str):
        return [value] * num_layers
    if len(value) != num_layers:
        raise ValueError(
            f"{name} is {value!r}; it must be one value or one for each of the {num_layers} layers"
        )
    return list(value)
