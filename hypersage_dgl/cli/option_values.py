"""Values of options: read from a word, or refused with the rule that it breaks."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from pathlib import Path
from typing import Union

import torch

from ..training import require_device

Power = Union[float, "tuple[float, float]"]


def whole(text: str) -> int:
    """A non-negative integer."""
    return _at_least(text, 0)


def positive(text: str) -> int:
    """A positive integer."""
    return _at_least(text, 1)


def size(text: str) -> int:
    """A number of bytes, also in K, M, G or T of 1,024.

    Examples
    --------
    >>> size("1500"), size("2G")
    (1500, 2147483648)
    """
    factor = 1024 ** ("KMGT".find(text[-1:].upper()) + 1 if text else 0)
    try:
        return _at_least(text[:-1] if factor > 1 else text, 1) * factor
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(
            f"{text!r} must be a number of bytes, as in 1500, 500M or 8G"
        ) from None


def power(text: str) -> Power:
    """One power for both levels, or two with a comma between: inside, across hyperedges.

    Examples
    --------
    >>> power("2"), power("inf,1")
    (2.0, (inf, 1.0))
    """
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        values = []
    if not 1 <= len(values) <= 2:
        raise argparse.ArgumentTypeError(f"{text!r} is neither a number nor two, as in 2 or inf,1")
    return values[0] if len(values) == 1 else (values[0], values[1])


def fan_out(text: str) -> int | list[int]:
    """One fan-out, or one for each layer with commas between; -1 means all.

    Examples
    --------
    >>> fan_out("10"), fan_out("10,-1")
    (10, [10, -1])
    """
    try:
        values = [int(part) for part in text.split(",")]
    except ValueError:
        values = []
    if not values or any(value < 1 and value != -1 for value in values):
        raise argparse.ArgumentTypeError(
            f"{text!r} must be positive, or -1 for all, as in 10 or 10,5"
        )
    return values[0] if len(values) == 1 else values


def split(text: str) -> int | str | Path:
    """Number of a split, ``random``, ``stratified``, or a file that says which node is for what."""
    if text in ("random", "stratified"):
        return text
    if Path(text).suffix and Path(text).is_file():
        return Path(text)
    try:
        return _at_least(text, 1)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(
            f"{text!r} must be the number of a split (a positive integer), random, stratified or "
            "a file"
        ) from None


def device(text: str) -> str:
    """A device that torch knows by name and can use on this machine."""
    try:
        name = str(torch.device(text))
    except RuntimeError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a device that torch knows, such as cpu"
        ) from None
    try:
        require_device(name)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return name


def above_zero(text: str) -> float:
    """A finite positive number."""
    return _number(text, lambda value: 0 < value < math.inf, "a positive number")


def from_zero(text: str) -> float:
    """A finite non-negative number."""
    return _number(text, lambda value: 0 <= value < math.inf, "a non-negative number")


def rate(text: str) -> float:
    """A dropout rate: at least 0 and below 1.

    Examples
    --------
    >>> rate("0.5")
    0.5
    """
    return _number(text, lambda value: 0 <= value < 1, "at least 0 and below 1")


def _number(text: str, is_allowed: Callable[[float], bool], rule: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not is_allowed(value):
        raise argparse.ArgumentTypeError(f"{text!r} must be {rule}")
    return value


def _at_least(text: str, least: int) -> int:
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if value < least:
        rule = "a positive integer" if least == 1 else "a non-negative integer"
        raise argparse.ArgumentTypeError(f"{text!r} must be {rule}")
    return value
