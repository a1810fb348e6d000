"""Hyperedge lists by name and by id."""

import numpy as np
import pytest
import torch
from hypothesis import given

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import from_hyperedges, to_hyperedges

from .cases import graphs, named_graphs, structure, unordered


@given(graphs(hyperedge_weight=False, incidence_weight=False))
def test_round_trip_of_ids(graph):
    back = from_hyperedges(to_hyperedges(graph), range(graph.num_nodes("node")))
    assert unordered(back.graph) == unordered(graph)


@given(named_graphs(hyperedge_weight=False, incidence_weight=False))
def test_round_trip_of_names(named):
    listed = dict(zip(named.hyperedge_names, to_hyperedges(named)))
    back = from_hyperedges(listed, named.node_names)
    assert unordered(back.graph) == unordered(named.graph)
    assert list(back.node_names) == list(named.node_names)
    assert list(back.hyperedge_names) == list(named.hyperedge_names)


@given(graphs(may_cut=False))
def test_the_builder_takes_the_lists(graph):
    weight = graph.nodes["hyperedge"].data.get("weight")
    back = hypergraph(
        to_hyperedges(graph),
        graph.num_nodes("node"),
        hyperedge_weight=weight,
        incidence_weight=graph.edges["in"].data.get("weight"),
    )
    assert structure(back) == structure(graph)


def test_sets_are_sorted_and_repeated_members_merged():
    named = from_hyperedges([{"c", "a", 3, "b"}, ["a", "a"]])
    assert named.node_names == (3, "a", "b", "c")
    assert to_hyperedges(named) == [[3, "a", "b", "c"], ["a"]]
    assert list(named.hyperedge_names) == [0, 1]


def test_weights_are_taken():
    named = from_hyperedges({"x": ["a", "b"], "y": ["b"]}, hyperedge_weight=[2, 3])
    assert named.graph.nodes["hyperedge"].data["weight"].tolist() == [2, 3]


@pytest.mark.parametrize(
    ("hyperedges", "names", "error", "match"),
    [
        ("abc", None, TypeError, "member lists"),
        (7, None, TypeError, "member lists"),
        ({"x": "abc"}, None, TypeError, "hyperedge 'x' is 'abc'"),
        ([["a"], 5], None, TypeError, "hyperedge 1 is 5"),
        ([["a"], [["b"]]], None, TypeError, "hyperedge 1: unhashable"),
        ({"x": ["a", "zoe"]}, ["a"], ValueError, "hyperedge 'x': node 'zoe' is unknown"),
        ([["a"]], ["a", "b", "a"], ValueError, "'a' occurs more than once"),
    ],
)
def test_bad_lists_are_refused(hyperedges, names, error, match):
    with pytest.raises(error, match=match):
        from_hyperedges(hyperedges, names)


@pytest.mark.parametrize(
    "hyperedges",
    [
        [torch.tensor([0, 1]), torch.tensor([1, 2])],
        [np.array([0, 1]), np.array([1, 2])],
        [list(torch.tensor([0, 1])), list(np.array([1, 2]))],
        torch.tensor([[0, 1], [1, 2]]),
        np.array([[0, 1], [1, 2]]),
    ],
)
def test_equal_numbers_of_tensors_are_one_node(hyperedges):
    named = from_hyperedges(hyperedges)
    assert named.node_names == (0, 1, 2)
    assert to_hyperedges(named) == [[0, 1], [1, 2]]
    known = from_hyperedges(hyperedges, node_names=torch.arange(4))
    assert known.node_names == (0, 1, 2, 3)


@pytest.mark.parametrize("members", [torch.tensor(1), torch.eye(2), np.array(1)])
def test_members_in_other_than_one_dimension_are_refused(members):
    with pytest.raises(TypeError, match=r"hyperedge 0 is [\s\S]*flat list"):
        from_hyperedges([members])
