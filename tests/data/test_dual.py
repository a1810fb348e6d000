"""The dual turns a hypergraph around, and hyperedges get classes, numbers and splits."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from hypersage_dgl.data import dual, from_tables, member_sets, with_targets
from hypersage_dgl.hypergraphs import validate

MEMBERS = {"node": ["a", "a", "b", "c", "d"], "hyperedge": ["x", "y", "y", "z", "z"]}
ABOUT = {"hyperedge": ["z", "x", "y", "w"], "topic": ["art", "maths", "art", ""]}
ABOUT["price"] = ["3", "1.5", "", "2"]
DATA = from_tables(MEMBERS, hyperedges=ABOUT)


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
