"""Check ids and weights where they enter, and return them as tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union

import numpy as np
import torch
from torch import Tensor

from .._utils import shown

Ids = Union[Tensor, "np.ndarray[Any, Any]", Sequence[int]]
Weights = Union[Tensor, "np.ndarray[Any, Any]", Sequence[float]]


def as_ids(values: Any, what: str, upper: int | None = None) -> Tensor:
    """Check ids of nodes or hyperedges and return them as an int64 tensor on the CPU."""
    if upper is not None and (
        isinstance(upper, bool)
        or not isinstance(upper, (int, np.integer))
        or not 0 <= upper < 2**63
    ):
        raise ValueError(
            f"num_{what}s is {shown(upper)}; it must be an integer from 0 to 2**63 - 1"
        )
    array = _as_array(values, what)
    if array.size == 0:
        return torch.empty(0, dtype=torch.int64)
    if array.dtype.kind not in "iu" or (isinstance(values, (list, tuple)) and _has_bool(values)):
        # numpy makes objects or floats of them.
        if _are_integers(values):
            raise ValueError(
                f"{what} id {shown(max(values, key=abs), 40)} is out of range; ids go from 0 to "
                "2**63 - 1"
            )
        raise TypeError(f"{what} ids must be integers, not {_offender(values, array)}")
    if int(array.min()) < 0:
        raise ValueError(f"{what} id {int(array.min())} is negative; ids count from 0")
    if int(array.max()) >= 2**63:
        raise ValueError(f"{what} id {int(array.max())} is too large; ids go up to 2**63 - 1")
    if upper is not None and int(array.max()) >= upper:
        raise ValueError(
            f"{what} id {int(array.max())} is too large: with {upper} {what}s the ids go from 0 "
            f"to {upper - 1}; raise num_{what}s or renumber"
        )
    # A copy: from_numpy shares memory, and a graph must not change with its maker's array.
    return torch.from_numpy(array.astype(np.int64, copy=True))


def _as_array(values: Any, what: str) -> np.ndarray[Any, Any]:
    if isinstance(values, Tensor):
        values = values.detach().cpu().numpy()
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise TypeError(f"{what} ids must be one flat list of integers: {error}") from None
    if array.ndim != 1:
        raise TypeError(
            f"{what} ids must be one flat list of integers, not {values!r:.60} "
            f"({array.ndim} dimensions)"
        )
    return array


def _are_integers(values: Any) -> bool:
    listed = values.tolist() if isinstance(values, np.ndarray) else values
    return isinstance(listed, (list, tuple)) and all(type(value) is int for value in listed)


def _has_bool(values: Sequence[Any]) -> bool:
    return any(isinstance(value, (bool, np.bool_)) for value in values)


def _offender(values: Any, array: np.ndarray[Any, Any]) -> str:
    """The first value that is not an integer, as its maker wrote it."""
    listed = values if isinstance(values, (list, tuple)) else array.tolist()
    for value in listed:
        is_integer = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
        if not is_integer and not (isinstance(value, float) and value.is_integer()):
            return f"{shown(value)} ({type(value).__name__})"
    return f"{listed[0]!r:.60} ({array.dtype})"


def as_weights(values: Any, count: int, name: str, what: str) -> Tensor | None:
    """Check weights and return them as a float tensor on the CPU; None stays None."""
    if values is None:
        return None
    try:
        weights = torch.as_tensor(values).detach().clone().cpu()
    # torch has a RuntimeError for lists of what is no number, and one for integers beyond int64.
    except (OverflowError, RuntimeError, TypeError, ValueError):
        raise TypeError(f"{name} is {shown(values)}; it must be a list of numbers") from None
    if weights.is_complex():
        raise TypeError(f"{name} is {weights.dtype}; weights must be real numbers")
    if not weights.is_floating_point():
        weights = weights.float()
    if weights.shape != (count,):
        raise ValueError(
            f"{name} has shape {tuple(weights.shape)}; it needs one number for each {what}: "
            f"({count},)"
        )
    wrong = ~((weights > 0) & torch.isfinite(weights))
    if bool(wrong.any()):
        position = int(wrong.nonzero()[0])
        raise ValueError(
            f"{name}[{position}] is {float(weights[position])}; weights must be positive and "
            "finite, so leave out what must not count"
        )
    return weights


def first_occurrences(nodes: Tensor, edges: Tensor, num_nodes: int) -> Tensor:
    """Positions of the incidences that did not occur before, in order."""
    key = edges * max(num_nodes, 1) + nodes
    order = torch.argsort(key, stable=True)
    ordered = key[order]
    is_first = torch.ones_like(ordered, dtype=torch.bool)
    is_first[1:] = ordered[1:] != ordered[:-1]
    positions: Tensor = order[is_first].sort().values
    return positions
