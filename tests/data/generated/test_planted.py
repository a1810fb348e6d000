"""The draws of generated hypergraphs: sizes in range, distinct members, words of the class."""

import numpy as np
import pytest

from hypersage_dgl.data.generated.planted import draw_features, draw_hyperedges, draw_sizes


def test_sizes_are_in_range_and_have_their_mean():
    sizes = draw_sizes(np.random.default_rng(0), 20_000, 5.0, 2.5, 40)
    assert (sizes.min(), sizes.max() <= 40) == (2, True)
    assert sizes.mean() == pytest.approx(5.0, rel=0.02)


def test_members_are_distinct_and_cover_the_connected_nodes():
    sizes = np.full(300, 4)
    rng = np.random.default_rng(1)
    edges, nodes, labels = draw_hyperedges(rng, sizes, 200, 150, 3, 1.0)
    assert np.bincount(edges).tolist() == sizes.tolist()
    assert len(np.unique(edges * 200 + nodes)) == len(nodes)
    assert len(np.unique(nodes)) == 150
    classes = [set(labels[nodes[edges == e]].tolist()) for e in range(300)]
    assert all(len(found) == 1 for found in classes)


def test_words_without_noise_are_of_the_class():
    labels = np.arange(60) % 3
    features = draw_features(np.random.default_rng(2), labels, 3, 30, 4, 0.0)
    assert features.shape == (60, 30)
    assert (np.diff(features.indptr) == 4).all()
    assert (features.indices // 10 == np.repeat(labels, 4)).all()
