"""Positions of nodes and outlines of hyperedges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypersage_dgl.drawing.layout import LEAST, hull, layout, levels

HYPEREDGES = [[0, 1, 2], [2, 3], [3], [4, 5, 6, 7], [0, 1, 2]]
SMALL = st.lists(st.sets(st.integers(0, 9), min_size=1, max_size=5), max_size=8)


def test_isolated_nodes_stand_beside_the_rest():
    points = layout(HYPEREDGES, num_nodes=12)
    assert points[8:, 0].min() > points[:8, 0].max()


@given(SMALL, st.integers(0, 3))
def test_nodes_do_not_lie_on_one_another(hyperedges, seed):
    points = layout([sorted(e) for e in hyperedges], num_nodes=10, seed=seed)
    distances = np.linalg.norm(points[:, None] - points[None], axis=2) + 10 * np.eye(10)
    assert distances.min() > LEAST / 2


def test_hull_of_one_is_a_circle_and_of_two_a_thick_line():
    circle = hull(np.array([[2.0, 3.0]]), radius=0.5)
    np.testing.assert_allclose(np.linalg.norm(circle - [2, 3], axis=1), 0.5)
    line = hull(np.array([[0.0, 0.0], [0.0, 4.0]]), radius=0.5)
    np.testing.assert_allclose(
        [line.min(axis=0), line.max(axis=0)], [[-0.5, -0.5], [0.5, 4.5]], atol=1e-9
    )
    x, y = line.T
    area = 0.5 * abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))
    assert area == pytest.approx(4 + np.pi / 4, rel=0.01)


@given(SMALL)
def test_hyperedges_with_a_common_member_have_other_levels(hyperedges):
    found = levels([sorted(e) for e in hyperedges])
    for i, one in enumerate(hyperedges):
        for j, other in enumerate(hyperedges[:i]):
            assert found[i] != found[j] or not one & other
