"""Where nodes lie: apart from one another, isolated ones beside the rest."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hypersage_dgl.drawing.layout import LEAST, layout

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
