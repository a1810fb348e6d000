"""Columns of numbers by the ranges of training nodes: values, blanks, and what stays as it is."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from hypersage_dgl.data import Range, from_tables, measure_ranges, scale_features

MEMBERS = {"node": ["a", "b", "c", "d"], "hyperedge": ["x", "x", "y", "y"]}
NODES = {
    "node": ["a", "b", "c", "d"],
    "year": [1900, 2000, None, 2100],
    "share": [0.5, -1, None, 1],
    "price": [0, 4000, 1000, 0],
    "colour": ["red", "red", "blue", "blue"],
    "code": [[500, 1], [2, 3], [4, 5], [6, 7]],
}
TRAIN = torch.tensor([0, 1, 2])


def made(**changes):
    return from_tables(MEMBERS, {**NODES, **changes})


def column(data, name):
    return data.feat.to_dense()[:, data.feature_names.index(name)].tolist()


def test_numbers_are_shares_of_the_range_of_the_training_nodes():
    data = made()
    ranges = measure_ranges(data, TRAIN)
    assert ranges == {
        "price": Range(0, 4000, pytest.approx(5000 / 3)),
        "year": Range(1900, 2000, 1950),
    }
    scaled = scale_features(data, ranges)
    # The last node is beyond the range; a blank is the mean, and a 0 is no blank.
    assert column(scaled, "year") == [0, 1, 0.5, 2]
    assert column(scaled, "price") == [0, 1, 0.25, 0]
    for name in data.feature_names:
        if name not in ranges:
            assert column(scaled, name) == column(data, name)


def test_dense_features_are_scaled_alike():
    data = made()
    ranges = measure_ranges(data, TRAIN)
    dense = replace(data, feat=data.feat.to_dense())
    assert torch.equal(
        scale_features(dense, ranges).feat, scale_features(data, ranges).feat.to_dense()
    )
    assert measure_ranges(dense, TRAIN) == ranges


def test_other_tables_take_the_same_ranges():
    ranges = measure_ranges(made(), TRAIN)
    new = {"node": ["a", "b", "c", "d"], "year": [1950, None, 2000, 1900]}
    with pytest.warns(UserWarning, match="features are not in nodes and count as blank"):
        later = from_tables(MEMBERS, new, feature_names=made().feature_names)
    scaled = scale_features(later, ranges)
    assert column(scaled, "year") == [0.5, 0.5, 1, 0]
    # A column that is missing is blank at every node.
    assert column(scaled, "price") == pytest.approx([5 / 12] * 4)


def test_a_matrix_has_no_blanks():
    data = made()
    ranges = measure_ranges(data, TRAIN)
    bare = replace(data, attributes=type(data.attributes)())
    assert measure_ranges(bare, TRAIN) == {}
    assert column(scale_features(bare, ranges), "year") == [0, 1, -19, 2]


def test_columns_of_one_number_or_of_none_at_training_nodes():
    data = made(year=[3000, 3000, 3000, 6000], price=[None, None, None, 7])
    ranges = measure_ranges(data, TRAIN)
    assert ranges == {"price": Range(7, 7, 7), "year": Range(3000, 3000, 3000)}
    assert column(scale_features(data, ranges), "year") == [0, 0, 0, 1]


@pytest.mark.parametrize("given", [[1, 2], [3, 1, 2], ["1", 2, 1], 5, [1, 2, float("nan")]])
def test_what_is_no_range_is_refused(given):
    with pytest.raises(ValueError, match="the range of column 'year' is "):
        scale_features(made(), {"year": given})
    assert scale_features(made(), {"unknown": given}).feature_names
