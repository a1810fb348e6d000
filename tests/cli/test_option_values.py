"""Values of options: what is read from a word, and the rule that a refused word breaks."""

from __future__ import annotations

import argparse
import math

import pytest

from hypersage_dgl.cli.option_values import (
    above_zero,
    device,
    fan_out,
    from_zero,
    positive,
    power,
    rate,
    split,
    whole,
)


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (whole, "0", 0),
        (positive, "1", 1),
        (power, "-1.5", -1.5),
        (power, "-inf", -math.inf),
        (power, "inf,0", (math.inf, 0.0)),
        (fan_out, "-1", -1),
        (fan_out, "10,-1,3", [10, -1, 3]),
        (split, "3", 3),
        (split, "random", "random"),
        (device, "cpu", "cpu"),
        (above_zero, "1e-9", 1e-9),
        (from_zero, "0", 0.0),
        (rate, "0", 0.0),
        (rate, "0.999", 0.999),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_what_is_read(read, text, value):
    found = read(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("read", "texts", "rule"),
    [
        (whole, ("-1", "1.0", "", "x"), "must be a non-negative integer"),
        (positive, ("0", "-3", "2.5"), "must be a positive integer"),
        (power, ("", "1,", "1,2,3", "two"), "is neither a number nor two"),
        (fan_out, ("0", "-2", "3,0", "1.5", ""), "must be positive, or -1 for all"),
        (
            split,
            ("0", "-1", "first", "Random"),
            "must be the number of a split (a positive integer)",
        ),
        (device, ("abacus", ""), "is not a device that torch knows"),
        (device, ("meta",), "cannot be used here"),
        (above_zero, ("0", "-1", "inf", "nan", "fast"), "must be a positive number"),
        (from_zero, ("-0.1", "inf", "nan"), "must be a non-negative number"),
        (rate, ("1", "-0.1", "nan", "half"), "must be at least 0 and below 1"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_what_is_refused(read, texts, rule):
    for text in texts:
        with pytest.raises(argparse.ArgumentTypeError) as caught:
            read(text)
        assert rule in str(caught.value)
        assert repr(text) in str(caught.value)
