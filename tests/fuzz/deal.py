"""Deal inputs out to readers, and readers to parts that run beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .children import Reader


class Dealt(NamedTuple):
    """A reader, and how many inputs it gets."""

    reader: Reader
    inputs: int


def deal(readers: Sequence[Reader], inputs: int, part: str = "1/1") -> list[Dealt]:
    """Inputs in proportion to the readers' shares, of one part of the readers such as ``2/4``.

    The parts together are the whole: each reader is in one of them, with as many inputs as it has
    there. Neighbours in the list take about as long, so every fourth is of the same part.
    """
    dealt, left, shares = [], inputs, sum(reader.share for reader in readers)
    for reader in readers:
        count = left * reader.share // shares
        shares, left = shares - reader.share, left - count
        dealt.append(Dealt(reader, count))
    number, parts = map(int, part.split("/"))
    if not 1 <= number <= parts:
        raise ValueError(f"part is {part}; give one from 1/{parts} to {parts}/{parts}")
    return dealt[number - 1 :: parts]
