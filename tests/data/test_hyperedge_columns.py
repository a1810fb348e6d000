"""Columns of hyperedges are features by name, whatever else is in the table and in which order."""

from __future__ import annotations

import pytest
import torch

from hypersage_dgl.data import (
    from_tables,
    hyperedge_columns,
    measure_ranges,
    scale_features,
    with_hyperedge_features,
)

MEMBERS = {"node": ["a", "b", "b", "c"], "hyperedge": ["x", "x", "y", "z"]}
ABOUT = {
    "hyperedge": ["z", "x", "y"],
    "year": [1950, "1990", None],
    "kind": ["old", "new", "new"],
    "empty": [None, "", None],
    "area": [3, 1, 2],
}


def features(data):
    return data.graph.nodes["hyperedge"].data["feat"]


def test_numbers_become_features_in_the_order_of_names():
    data = from_tables(MEMBERS, hyperedges=ABOUT)
    columns = hyperedge_columns(data)
    assert columns.node_names == data.hyperedge_names == ("x", "y", "z")
    assert columns.feature_names == ("area", "year")
    expected = torch.tensor([[1.0, 1990.0], [2.0, 0.0], [3.0, 1950.0]])
    assert torch.equal(features(data), expected)
    assert torch.equal(features(with_hyperedge_features(data, columns)), expected)


def test_the_names_of_a_model_choose_and_order_the_columns():
    data = from_tables(MEMBERS, hyperedges={**ABOUT, "new": [7, 7, 7]})
    columns = hyperedge_columns(data, ["year", "area"])
    expected = torch.tensor([[1990.0, 1.0], [0.0, 2.0], [1950.0, 3.0]])
    changed = with_hyperedge_features(data, columns)
    assert torch.equal(features(changed), expected)
    # The hypergraph that was given stays as it was.
    assert features(data).shape == (3, 3)


def test_ranges_serve_hyperedges_too_and_a_blank_is_the_mean():
    data = from_tables(MEMBERS, hyperedges=ABOUT)
    columns = hyperedge_columns(data)
    ranges = measure_ranges(columns, torch.arange(3))
    found = features(with_hyperedge_features(data, scale_features(columns, ranges)))
    assert torch.equal(found, torch.tensor([[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]))


def test_a_table_without_the_columns_is_refused():
    data = from_tables(
        MEMBERS, hyperedges={"hyperedge": ["x", "y", "z"], "kind": ["old", "new", ""]}
    )
    assert hyperedge_columns(data).feature_names == ()
    assert "feat" not in data.graph.nodes["hyperedge"].data
    with pytest.raises(ValueError, match=r"venues.csv has none of the columns.*: year"):
        hyperedge_columns(data, ["year"], "venues.csv")
