"""Output that a page shows beside what a command printed: words exactly, numbers nearly."""

from __future__ import annotations

import re

NUMBER = re.compile(r"\d+\.?\d*(?:e[-+]\d+)?")
SECONDS = re.compile(r"\d+\.\d+ s\b")
# Losses and gaps of another machine, and accuracies in percent.
SHARE, POINTS = 0.25, 1.0


def same_output(shown: str, printed: str) -> bool:
    """Whether both say the same; seconds are left out, whole numbers are exact."""
    one, two = (SECONDS.sub("SECONDS s", text) for text in (shown, printed))
    if NUMBER.sub("#", one).split() != NUMBER.sub("#", two).split():
        return False
    return all(near(a, b) for a, b in zip(NUMBER.findall(one), NUMBER.findall(two)))


def near(one: str, two: str) -> bool:
    """Whether a number is that of another machine."""
    if "." not in one:
        return one == two
    a, b = float(one), float(two)
    return abs(a - b) <= (POINTS if min(a, b) > 10 else SHARE * max(a, b))
