"""Equation 4 as printed beside weights that sum to one, over what both recipes have."""

from __future__ import annotations

import pytest

from ..claimed import measured, sage, verdict
from ..made_up import runs

POWERS = (-1.0, 0.01, 1.0, 2.0)


@pytest.mark.parametrize(
    ("dblp", "citeseer", "expected"),
    [
        ((0, 1, 2, 3), (0, 0, 0, 0), "yes"),
        # p=-1: (-3 + 1) / 2 is -1.0, and (-3 + 0.8) / 2 is -1.1.
        ((-3, 0, 0, 0), (1, 0, 0, 0), "yes"),
        ((-3, 0, 0, 0), (0.8, 0, 0, 0), "partly"),
        ((-2, -2, -2, -2), (-2, -2, -2, -1), "no"),
    ],
)
def test_18_equation_4_as_printed(dblp, citeseer, expected):
    results = []
    for dataset, gains in (("dblp", dblp), ("citeseer", citeseer)):
        for p, gain in zip(POWERS, gains):
            results += sage(p, 60, dataset=dataset)
            results += sage(p, 60 + gain, dataset=dataset, column="literal")
            # An initialisation that only one of the recipes has.
            results += runs([0.99], dataset=dataset, init=5, method="hypersage", p=p)
    *by_power, over = measured(results, 18)
    means = [(a + b) / 2 for a, b in zip(dblp, citeseer)]
    assert by_power == [f"p={p:g}: {mean:+.1f}" for p, mean in zip(POWERS, means)]
    assert over == "over DBLP, Citeseer"
    assert verdict(results, 18) == expected
