"""Hyperedges as nodes: the dual, and columns of numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from hypersage_dgl.data import (
    dual,
    from_tables,
    hyperedge_columns,
    measure_ranges,
    member_sets,
    scale_features,
    with_hyperedge_features,
    with_targets,
)
from hypersage_dgl.hypergraphs import validate

MEMBERS = {"node": ["a", "a", "b", "c", "d"], "hyperedge": ["x", "y", "y", "z", "z"]}
ABOUT = {"hyperedge": ["z", "x", "y", "w"], "topic": ["art", "maths", "art", ""]}
ABOUT["price"] = ["3", "1.5", "", "2"]
DATA = from_tables(MEMBERS, hyperedges=ABOUT)
PLACES = {"node": ["a", "b", "b", "c"], "hyperedge": ["x", "x", "y", "z"]}
YEARS = {
    "hyperedge": ["z", "x", "y"],
    "year": [1950, "1990", None],
    "kind": ["old", "new", "new"],
    "empty": [None, "", None],
    "area": [3, 1, 2],
}


def test_incidences_are_turned_around_and_twice_is_once():
    turned = dual(DATA)
    validate(turned.graph)
    # w has no member, so it is a node without a hyperedge.
    assert turned.node_names == DATA.hyperedge_names == ("w", "x", "y", "z")
    assert member_sets(turned.graph) == [(1, 2), (2,), (3,), (3,)]
    back = dual(turned)
    assert member_sets(back.graph) == member_sets(DATA.graph) == [(), (0,), (0, 1), (2, 3)]
    assert (back.node_names, back.attributes) == (DATA.node_names, DATA.attributes)


def test_labels_numbers_and_splits_of_hyperedges():
    edges = with_targets(dual(DATA), "topic")
    assert (edges.class_names, edges.labels.tolist()) == (("art", "maths"), [-1, 1, 0, 0])
    numbers = with_targets(dual(DATA), "price", "regression").numbers
    torch.testing.assert_close(numbers, torch.tensor([2, 1.5, torch.nan, 3]), equal_nan=True)
    split = edges.with_split("random", seed=1)
    assert sorted(torch.cat(split.splits[0]).tolist()) == [1, 2, 3]
    with pytest.raises(ValueError, match="no node has the attribute 'colour'"):
        with_targets(dual(DATA), "colour")


@pytest.mark.parametrize("layout", ["dense", "sparse"])
def test_features_are_the_mean_of_the_members(layout):
    feat = torch.tensor([[1.0, 0], [3, 2], [0, 5], [2, 0]])
    given = feat.to_sparse_csr() if layout == "sparse" else feat
    turned = dual(replace(DATA, feat=given, feature_names=("k", "l")))
    found = turned.feat.to_dense() if layout == "sparse" else turned.feat
    assert found.tolist() == [[0, 0], [1, 0], [2, 1], [1, 2.5]]
    assert turned.feature_names == ("k", "l")
    assert dual(DATA).feat is None


def features(data):
    return data.graph.nodes["hyperedge"].data["feat"]


def test_numbers_become_features_in_the_order_of_names():
    data = from_tables(PLACES, hyperedges=YEARS)
    columns = hyperedge_columns(data)
    assert columns.node_names == data.hyperedge_names == ("x", "y", "z")
    assert columns.feature_names == ("area", "year")
    expected = torch.tensor([[1.0, 1990.0], [2.0, 0.0], [3.0, 1950.0]])
    assert torch.equal(features(data), expected)
    assert torch.equal(features(with_hyperedge_features(data, columns)), expected)


def test_the_names_of_a_model_choose_and_order_the_columns():
    data = from_tables(PLACES, hyperedges={**YEARS, "new": [7, 7, 7]})
    columns = hyperedge_columns(data, ["year", "area"])
    expected = torch.tensor([[1990.0, 1.0], [0.0, 2.0], [1950.0, 3.0]])
    changed = with_hyperedge_features(data, columns)
    assert torch.equal(features(changed), expected)
    # The hypergraph that was given stays as it was.
    assert features(data).shape == (3, 3)


def test_ranges_serve_hyperedges_too_and_a_blank_is_the_mean():
    data = from_tables(PLACES, hyperedges=YEARS)
    columns = hyperedge_columns(data)
    ranges = measure_ranges(columns, torch.arange(3))
    found = features(with_hyperedge_features(data, scale_features(columns, ranges)))
    assert torch.equal(found, torch.tensor([[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]))


def test_a_table_without_the_columns_is_refused():
    data = from_tables(
        PLACES, hyperedges={"hyperedge": ["x", "y", "z"], "kind": ["old", "new", ""]}
    )
    assert hyperedge_columns(data).feature_names == ()
    assert "feat" not in data.graph.nodes["hyperedge"].data
    with pytest.raises(ValueError, match=r"venues.csv has none of the columns.*: year"):
        hyperedge_columns(data, ["year"], "venues.csv")
