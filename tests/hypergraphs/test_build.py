"""What goes into a hypergraph comes out of it, and nonsense is turned away by name."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from random_hypergraphs import hypergraphs

from hypersage_dgl import hypergraph, hypergraph_from_incidence, validate


def members_of(graph) -> list[list[int]]:
    nodes, edges = graph.edges(etype="in", order="eid")
    members: list[list[int]] = [[] for _ in range(graph.num_nodes("hyperedge"))]
    for v, e in zip(nodes.tolist(), edges.tolist()):
        members[e].append(v)
    return members


@given(h=hypergraphs())
def test_holds_exactly_the_given_incidences(h):
    graph = h.graph()
    assert members_of(graph) == h.hyperedges
    assert graph.num_nodes("node") == h.num_nodes
    assert graph.idtype == h.idtype
    nodes, edges = graph.edges(etype="in", order="eid")
    back_edges, back_nodes = graph.edges(etype="contains", order="eid")
    assert torch.equal(nodes, back_nodes)
    assert torch.equal(edges, back_edges)
    assert graph.nodes["hyperedge"].data["size"].tolist() == [len(set(e)) for e in h.hyperedges]
    assert graph.nodes["node"].data["degree"].tolist() == [
        sum(v in e for e in h.hyperedges) for v in range(h.num_nodes)
    ]
    validate(graph)


@given(h=hypergraphs(weighted=True))
def test_keeps_weights_in_the_order_given(h):
    graph = h.graph()
    assert torch.equal(graph.nodes["hyperedge"].data["weight"], h.hyperedge_weight)
    assert torch.equal(graph.edges["in"].data["weight"], h.incidence_weight)


@given(h=hypergraphs(weighted=False))
def test_from_incidence_in_any_order_is_the_same_hypergraph(h):
    pairs = [(v, e) for e, members in enumerate(h.hyperedges) for v in members]
    order = torch.randperm(len(pairs), generator=h.numbers(5)).tolist()
    nodes = [pairs[i][0] for i in order]
    edges = [pairs[i][1] for i in order]
    graph = hypergraph_from_incidence(nodes, edges, h.num_nodes, len(h.hyperedges))
    assert graph.edges(etype="in", order="eid")[0].tolist() == nodes
    assert [sorted(m) for m in members_of(graph)] == [sorted(m) for m in h.hyperedges]


@pytest.mark.parametrize(
    "wrap",
    [list, tuple, set, frozenset, np.array, torch.tensor, iter, lambda e: np.array(e, np.uint8)],
    ids=["list", "tuple", "set", "frozenset", "numpy", "torch", "iterator", "uint8"],
)
def test_takes_members_in_any_container(wrap):
    assert members_of(hypergraph(wrap(e) for e in ([0, 2, 3], [1, 2]))) == [[0, 2, 3], [1, 2]]


def test_merges_repeated_members_and_keeps_equal_hyperedges():
    graph = hypergraph([[1, 0, 1, 0], [0, 1], [1, 0]])
    assert members_of(graph) == [[1, 0], [0, 1], [1, 0]]
    merged = hypergraph_from_incidence([3, 1, 3], [0, 0, 0])
    assert members_of(merged) == [[3, 1]]
    assert merged.num_nodes("node") == 4


def test_can_be_empty():
    assert hypergraph([]).num_nodes("node") == 0
    assert hypergraph([], num_nodes=3).nodes["node"].data["degree"].tolist() == [0, 0, 0]


def test_does_not_share_memory_with_its_maker():
    nodes, weight = np.array([0, 1]), torch.tensor([1.0])
    graph = hypergraph_from_incidence(nodes, [0, 0], 2, 1, hyperedge_weight=weight)
    nodes[:], weight[:] = 0, 9.0
    assert members_of(graph) == [[0, 1]]
    assert graph.nodes["hyperedge"].data["weight"].item() == 1


BAD_HYPEREDGES = {
    "negative id": ([[0, -2]], {}, ValueError, "-2"),
    "too large id": ([[0, 7]], {"num_nodes": 5}, ValueError, "7"),
    "float": ([[0, 1.5]], {}, TypeError, "1.5"),
    "NaN": ([[0, math.nan]], {}, TypeError, "nan"),
    "infinity": ([[math.inf]], {}, TypeError, "inf"),
    "text": ([["a", "b"]], {}, TypeError, "a"),
    "None": ([[None]], {}, TypeError, "None"),
    "bool": ([[True, False]], {}, TypeError, "True"),
    "nested": ([[[0, 1]]], {}, TypeError, "0, 1"),
    "ragged": ([[[0], [1, 2]]], {}, TypeError, "hyperedge 0"),
    "empty hyperedge": ([[0], []], {}, ValueError, "hyperedge 1 is empty"),
    "number for hyperedge": ([3], {}, TypeError, "3"),
    "text for hyperedge": (["ab"], {}, TypeError, "ab"),
    "number for hyperedges": (5, {}, TypeError, "int"),
    "dict for hyperedges": ({0: [1]}, {}, TypeError, "dict"),
    "negative num_nodes": ([[0]], {"num_nodes": -1}, ValueError, "-1"),
    "fractional num_nodes": ([[0]], {"num_nodes": 2.5}, ValueError, "2.5"),
    "idtype": ([[0]], {"idtype": torch.float32}, ValueError, "float32"),
    "short weights": ([[0, 1]], {"incidence_weight": [1.0]}, ValueError, "incidence_weight"),
    "long weights": ([[0]], {"hyperedge_weight": [1.0, 2]}, ValueError, "hyperedge_weight"),
    "matrix of weights": ([[0]], {"hyperedge_weight": [[1.0]]}, ValueError, "(1, 1)"),
    "zero weight": ([[0]], {"hyperedge_weight": [0.0]}, ValueError, "0.0"),
    "negative weight": ([[0]], {"incidence_weight": [-1.0]}, ValueError, "-1.0"),
    "NaN weight": ([[0]], {"incidence_weight": [math.nan]}, ValueError, "nan"),
    "infinite weight": ([[0]], {"hyperedge_weight": [math.inf]}, ValueError, "inf"),
    "repeated and weighted": ([[2, 2]], {"incidence_weight": [1.0, 2]}, ValueError, "node 2"),
}


@pytest.mark.parametrize("name", BAD_HYPEREDGES)
def test_bad_hyperedges_are_named(name):
    hyperedges, options, error, words = BAD_HYPEREDGES[name]
    with pytest.raises(error) as caught:
        hypergraph(hyperedges, **options)
    assert words in str(caught.value)


BAD_INCIDENCES = {
    "mismatched lengths": ([0, 1], [0], 2, 1, ValueError, "2 node ids and 1 hyperedge ids"),
    "negative node": ([-1], [0], 2, 1, ValueError, "-1"),
    "too large node": ([2], [0], 2, 1, ValueError, "2"),
    "negative hyperedge": ([0], [-3], 2, 1, ValueError, "-3"),
    "too large hyperedge": ([0], [4], 2, 1, ValueError, "4"),
    "float ids": (torch.tensor([0.5]), [0], 2, 1, TypeError, "0.5"),
    "whole floats": ([0], [1.0], 2, 2, TypeError, "1.0"),
    "NaN hyperedge": ([0], [math.nan], 2, 1, TypeError, "nan"),
    "gap": ([0, 1], [0, 2], 2, 3, ValueError, "hyperedge 1 is empty"),
    "matrix": ([[0, 1]], [0], 2, 1, TypeError, "2 dimensions"),
    "negative count": ([0], [0], 2, -1, ValueError, "-1"),
}


@pytest.mark.parametrize("name", BAD_INCIDENCES)
def test_bad_incidences_are_named(name):
    *arguments, error, words = BAD_INCIDENCES[name]
    with pytest.raises(error) as caught:
        hypergraph_from_incidence(*arguments)
    assert words in str(caught.value)


def test_empty_hyperedges_where_they_are_allowed():
    weights = {"hyperedge_weight": [1.0, 2.0, 3.0], "incidence_weight": [4.0, 5.0, 6.0]}
    listed = hypergraph([[0, 1], [], [1]], 3, **weights, allow_empty=True)
    counted = hypergraph_from_incidence([0, 1, 1], [0, 0, 2], 3, 3, **weights, allow_empty=True)
    for graph in (listed, counted):
        validate(graph)
        assert graph.nodes["hyperedge"].data["size"].tolist() == [2, 0, 1]
        assert graph.nodes["node"].data["degree"].tolist() == [1, 2, 0]
        assert graph.nodes["hyperedge"].data["weight"].tolist() == [1, 2, 3]
        assert graph.edges["in"].data["weight"].tolist() == [4, 5, 6]
    assert hypergraph([[], []], 2, allow_empty=True).num_nodes("hyperedge") == 2
    with pytest.raises(ValueError, match=r"hyperedge 1 is empty.*allow_empty=True"):
        hypergraph([[0], []])
