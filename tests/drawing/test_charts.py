"""Charts: places are in proportion, names are escaped, gaps and single values are drawn."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from hypersage_dgl.drawing.charts import (
    BOTTOM,
    HEIGHT,
    LEFT,
    TOP,
    WIDTH,
    line_chart,
    parity_chart,
    scatter_chart,
)


def points(svg: str) -> list[tuple[float, float]]:
    found = re.search(r'<polyline points="([^"]*)"', svg)[1]
    return [tuple(map(float, pair.split(","))) for pair in found.split()]


def test_a_curve_is_in_proportion():
    svg = line_chart({"loss": [0.0, 0.5, 1.0, 0.25]}, ["#000000"])
    places = points(svg)
    # Ticks at 0 and 1 are the ends of the axis.
    high = HEIGHT - BOTTOM - TOP
    assert [y for _, y in places] == pytest.approx(
        [HEIGHT - BOTTOM - high * v for v in (0, 0.5, 1, 0.25)], abs=0.06
    )
    steps = [b - a for (a, _), (b, _) in pairwise(places)]
    assert steps == pytest.approx([(WIDTH - LEFT - 12) / 3] * 3, abs=0.11)


@pytest.mark.parametrize(
    "values", [[1.0, None, 3.0], [float("nan"), 1.0, 3.0], [1.0, 3.0, float("inf")]]
)
def test_what_is_no_number_is_left_out(values):
    assert len(points(line_chart({"score": values}, ["#000000"]))) == 2


def test_one_value_and_equal_values_are_drawn():
    assert "<circle" in line_chart({"score": [0.3]}, ["#000000"])
    assert len({y for _, y in points(line_chart({"score": [2.0, 2.0]}, ["#000000"]))}) == 1
    assert "no values" in line_chart({"score": [None]}, ["#000000"])


def test_charts_are_xml_and_names_are_escaped():
    name = '<script>alert("x")</script> & co'
    for svg in (
        line_chart({name: [1.0, 2.0]}, ["#000000"], mark=2),
        scatter_chart([(0, 0), (1, 2)], [0, -1], [name, "b"], [True, False]),
        parity_chart([(0, 0), (1, 2)], [name, "b"]),
    ):
        root = ElementTree.fromstring(svg)
        assert name in "".join(root.itertext()) + root.get("aria-label")
        assert "<script" not in svg


def test_points_keep_to_the_frame_and_wrong_ones_have_a_ring():
    svg = scatter_chart(
        [(-5, 7), (3, -2), (0, 0)], [0, 1, 2], ["a", "b", "c"], [False, True, False]
    )
    circles = ElementTree.fromstring(svg).findall("circle")
    xs = [float(c.get("cx")) for c in circles]
    assert (min(xs), max(xs)) == (14, WIDTH - 14)
    assert xs[2] == pytest.approx(14 + (WIDTH - 28) * 5 / 8, abs=0.06)
    assert [c.get("class") for c in circles] == [None, "wrong", None]
    assert "no points" in scatter_chart([], [], [], [])


def test_equal_numbers_lie_on_the_line_of_a_parity_chart():
    svg = parity_chart([(0, 0), (4, 4), (1, 3), (2, 2)], list("abcd"))
    root = ElementTree.fromstring(svg)
    line = next(e for e in root.findall("line") if e.get("class") == "mark")
    x1, x2, y1, y2 = (float(line.get(key)) for key in ("x1", "x2", "y1", "y2"))
    above = []
    for circle in root.findall("circle"):
        x, y = float(circle.get("cx")), float(circle.get("cy"))
        above.append(y1 + (y2 - y1) * (x - x1) / (x2 - x1) - y)
    assert [above[i] for i in (0, 1, 3)] == pytest.approx([0, 0, 0], abs=0.11)
    # Predicted too large by 2 of 4, and upwards is more.
    assert above[2] == pytest.approx((y1 - y2) / 2, abs=0.11)
    assert parity_chart([(2, 2)], ["a"]).count("<circle") == 1
