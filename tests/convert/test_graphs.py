"""Ordinary graphs as 2-uniform hypergraphs."""

import dgl
import networkx as nx
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import from_graph, to_graph, to_networkx_graph

from .cases import WEIGHT, structure


@st.composite
def simple_graphs(draw):
    """Draw a networkx graph with isolated nodes, attributes and, perhaps, weights."""
    graph = nx.Graph(name=draw(st.text(max_size=3)))
    names = draw(st.lists(st.text(max_size=3) | st.integers(), unique=True, max_size=6))
    graph.add_nodes_from((name, {"colour": i}) for i, name in enumerate(names))
    pairs = [(a, b) for i, a in enumerate(names) for b in names[:i]]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    weighted = draw(st.booleans())
    graph.add_edges_from((a, b, {"weight": draw(WEIGHT)} if weighted else {}) for a, b in chosen)
    return graph


@given(simple_graphs())
def test_round_trip_of_networkx(graph):
    back = to_networkx_graph(from_graph(graph))
    assert nx.utils.graphs_equal(back, graph)


@given(simple_graphs())
def test_round_trip_of_dgl(graph):
    named = from_graph(graph)
    ordinary = to_graph(named)
    assert structure(from_graph(ordinary).graph) == structure(named.graph)
    adjacency = np.zeros((len(graph), len(graph)), dtype=np.float32)
    weight = ordinary.edata.get("weight", torch.ones(ordinary.num_edges()))
    for u, v, w in zip(*(ids.tolist() for ids in ordinary.edges(order="eid")), weight.tolist()):
        adjacency[u, v] += w
    expected = nx.to_numpy_array(graph, dtype=np.float32) if len(graph) else adjacency
    np.testing.assert_array_equal(adjacency, expected)


def test_all_edges_between_two_nodes_are_one_hyperedge():
    graph = dgl.graph(([2, 0, 1, 0], [1, 1, 2, 1]), num_nodes=4)
    graph.ndata["feat"] = torch.rand(4, 3)
    graph.edata["weight"] = torch.tensor([5.0, 7.0, 5.0, 7.0])
    made = from_graph(graph).graph
    found = structure(made)
    assert found["incidences"] == [(2, 0), (1, 0), (0, 1), (1, 1)]
    assert found["hyperedge weight"] == [5, 7]
    assert torch.equal(made.nodes["node"].data["feat"], graph.ndata["feat"])
    assert torch.equal(to_graph(made).ndata["feat"], graph.ndata["feat"])
    assert "degree" not in to_graph(made).ndata


def test_id_type_is_kept():
    graph = dgl.graph(([0], [1]), idtype=torch.int32)
    assert from_graph(graph).graph.idtype == torch.int32
    assert to_graph(from_graph(graph).graph).idtype == torch.int32


@pytest.mark.parametrize("kind", [nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_directed_and_parallel_edges_of_networkx(kind):
    graph = kind([("a", "b", {"weight": 2}), ("b", "a", {"weight": 2}), ("b", "c", {})])
    found = structure(from_graph(graph).graph)
    assert found["incidences"] == [(0, 0), (1, 0), (1, 1), (2, 1)]
    assert found["hyperedge weight"] == [2, 1]


@pytest.mark.parametrize(
    ("graph", "error", "match"),
    [
        (nx.Graph([("a", "b"), ("b", "b")]), ValueError, "'b' has a self-loop"),
        (dgl.graph(([0, 2], [1, 2])), ValueError, "node 2 has a self-loop"),
        (hypergraph([[0, 1]]), TypeError, "homogeneous"),
        ([(0, 1)], TypeError, "homogeneous"),
        (
            nx.DiGraph([("a", "b", {"weight": 1}), ("b", "a", {"weight": 2})]),
            ValueError,
            "between 'b' and 'a' differ in weight",
        ),
        (nx.Graph([(0, 1, {"weight": -1})]), ValueError, "must be positive"),
        (nx.Graph([(0, 1, {"weight": float("nan")})]), ValueError, "must be positive"),
    ],
)
def test_bad_graphs_are_refused(graph, error, match):
    with pytest.raises(error, match=match):
        from_graph(graph)


@pytest.mark.parametrize(
    ("graph", "match"),
    [
        (hypergraph([[0, 1], [0, 1, 2]]), "hyperedge 1 has 3 members"),
        (hypergraph([[0, 1], [1]]), "hyperedge 1 has 1 members"),
        (hypergraph([[0, 1]], incidence_weight=[1, 2]), "incidence weights, and a graph has no"),
    ],
)
def test_what_a_graph_cannot_hold_is_refused(graph, match):
    for convert in (to_graph, to_networkx_graph):
        with pytest.raises(ValueError, match=match):
            convert(graph)


def test_equal_hyperedges_are_parallel_edges_in_dgl_and_refused_by_networkx():
    twice = hypergraph([[0, 1], [1, 0]])
    assert to_graph(twice).num_edges() == 4
    with pytest.raises(ValueError, match="hyperedge 1 has the same members"):
        to_networkx_graph(twice)


def test_node_data_that_would_be_counted_again_are_refused():
    graph = dgl.graph(([0, 1], [1, 2]))
    graph.ndata["degree"] = torch.tensor([10, 20, 30])
    with pytest.raises(ValueError, match=r"node data \['degree'\].*rename"):
        from_graph(graph)


def test_node_data_called_size_are_kept():
    graph = dgl.graph(([0, 1], [1, 2]))
    graph.ndata["size"] = torch.tensor([10, 20, 30])
    assert from_graph(graph).graph.nodes["node"].data["size"].tolist() == [10, 20, 30]


@pytest.mark.parametrize(("weight", "words"), [("x", r"edge \(0, 1\) is 'x'"), (10**400, "inf")])
def test_weights_of_edges_that_are_no_numbers_are_named(weight, words):
    graph = nx.Graph()
    graph.add_edge(0, 1, weight=weight)
    with pytest.raises(ValueError, match=words):
        from_graph(graph)
