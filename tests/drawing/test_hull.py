"""Outlines of hyperedges, and the levels that keep them apart."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypersage_dgl.drawing.hull import hull, levels

SMALL = st.lists(st.sets(st.integers(0, 9), min_size=1, max_size=5), max_size=8)


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
