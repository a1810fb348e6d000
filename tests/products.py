"""Products of options: all of them with --exhaustive, and always a slice with every two values."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from typing import Any
from zlib import crc32

import pytest

# Whether --exhaustive was given; conftest.py says so before any test is made. Cases that are left
# out are not even made: thousands of them would take longer to collect than the rest to run.
is_exhaustive = False


def is_in_share(name: str, share: str) -> bool:
    """Whether the test of this name is in a share such as ``3/8``; each is in one of the eight."""
    part, parts = map(int, share.split("/"))
    return crc32(name.encode()) % parts == part - 1


def product(
    options: dict[str, Sequence[Any]], is_allowed: Callable[..., bool] = lambda **_: True
) -> pytest.MarkDecorator:
    """Parametrize a test with the product of options; all but a slice is marked ``exhaustive``.

    The slice holds, for every two options, each two of their values together, wherever a case that
    is allowed has them.
    """
    names = list(options)
    cases = [
        case
        for case in itertools.product(*options.values())
        if is_allowed(**dict(zip(names, case)))
    ]
    kept = _pairwise_slice(cases)
    return pytest.mark.parametrize(
        names,
        [
            pytest.param(*case, marks=() if i in kept else pytest.mark.exhaustive)
            for i, case in enumerate(cases)
            if is_exhaustive or i in kept
        ],
    )


def _pairwise_slice(cases: list[tuple[Any, ...]]) -> set[int]:
    """Positions of cases that hold every pair of values, chosen greedily, always the same."""

    def pairs(case: tuple[Any, ...]) -> set[Any]:
        return set(itertools.combinations(enumerate(map(repr, case)), 2))

    order = list(range(len(cases)))
    random.Random(0).shuffle(order)
    held = [pairs(case) for case in cases]
    missing, kept = set().union(*held), set()
    for wanted in range(max(map(len, held), default=0), 0, -1):
        for i in order:
            if len(held[i] & missing) >= wanted:
                kept.add(i)
                missing -= held[i]
    return kept
