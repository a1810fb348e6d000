"""Clique and star expansion against dense matrices; networkx bipartite graphs."""

import networkx as nx
import numpy as np
import pytest
import torch
from hypothesis import given

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import (
    Named,
    clique_expansion,
    from_networkx_bipartite,
    star_expansion,
    to_networkx_bipartite,
)

from .cases import by_name, dense, graphs, named_graphs, unordered


def adjacency(graph, values):
    matrix = np.zeros((graph.num_nodes(), graph.num_nodes()))
    for u, v, value in zip(*(ids.tolist() for ids in graph.edges(order="eid")), values.tolist()):
        assert matrix[u, v] == 0, "an edge occurs twice"
        matrix[u, v] = value
    return matrix


def without_diagonal(matrix):
    return matrix - np.diag(np.diag(matrix))


@given(graphs())
def test_clique_expansion_is_h_w_h_transposed(graph):
    h = dense(graph)
    weight = graph.nodes["hyperedge"].data.get("weight", torch.ones(h.shape[1]))
    expected = without_diagonal(h @ np.diag(weight.double().numpy()) @ h.T)
    expansion = clique_expansion(graph, weighted=True)
    np.testing.assert_allclose(adjacency(expansion, expansion.edata["weight"]), expected, 1e-6)
    plain = clique_expansion(graph)
    assert "weight" not in plain.edata
    np.testing.assert_array_equal(adjacency(plain, torch.ones(plain.num_edges())), expected > 0)
    assert plain.idtype == graph.idtype


@given(graphs())
def test_star_expansion_is_the_bipartite_block_matrix(graph):
    h = dense(graph)
    n, m = h.shape
    expected = np.block([[np.zeros((n, n)), h], [h.T, np.zeros((m, m))]])
    expansion = star_expansion(graph)
    values = expansion.edata.get("weight", torch.ones(expansion.num_edges()))
    np.testing.assert_array_equal(adjacency(expansion, values), expected)
    assert expansion.ndata["is_hyperedge"].tolist() == [False] * n + [True] * m
    assert ("weight" in expansion.ndata) == ("weight" in graph.nodes["hyperedge"].data)


@given(graphs(hyperedge_weight=False, incidence_weight=False))
def test_networkx_projects_to_the_same_clique_expansion(graph):
    bipartite = to_networkx_bipartite(graph)
    # networkx wants something on the other side.
    bipartite.add_node(("hyperedge", "one more"), bipartite=1)
    nodes = [("node", i) for i in range(graph.num_nodes("node"))]
    projected = nx.bipartite.weighted_projected_graph(bipartite, nodes)
    expected = {(u[1], v[1]): w for u, v, w in projected.edges(data="weight")}
    expansion = clique_expansion(graph, weighted=True)
    pairs = zip(*(ids.tolist() for ids in expansion.edges(order="eid")))
    found = dict(zip(pairs, expansion.edata["weight"].tolist()))
    assert found == {**expected, **{(v, u): w for (u, v), w in expected.items()}}


def test_node_data_and_hyperedge_weights_are_carried():
    graph = hypergraph([[0, 1, 2]], num_nodes=4, hyperedge_weight=[2.5])
    graph.nodes["node"].data["feat"] = torch.rand(4, 2)
    expansion = clique_expansion(graph)
    assert torch.equal(expansion.ndata["feat"], graph.nodes["node"].data["feat"])
    assert set(expansion.ndata) == {"feat"}
    assert star_expansion(graph).ndata["weight"].tolist() == [1, 1, 1, 1, 2.5]


@given(named_graphs())
def test_round_trip(named):
    assert by_name(from_networkx_bipartite(to_networkx_bipartite(named))) == by_name(named)


@given(graphs())
def test_ids_are_kept(graph):
    back = from_networkx_bipartite(to_networkx_bipartite(graph))
    assert unordered(back.graph) == unordered(graph)


@given(graphs())
def test_networkx_sees_the_same_incidence_matrix(graph):
    bipartite = to_networkx_bipartite(graph)
    n, m = graph.num_nodes("node"), graph.num_nodes("hyperedge")
    if n and m:
        matrix = nx.bipartite.biadjacency_matrix(
            bipartite, [("node", i) for i in range(n)], [("hyperedge", i) for i in range(m)]
        )
        np.testing.assert_array_equal(matrix.toarray(), dense(graph))


def davis():
    """Build networkx's own bipartite example: 18 women, 14 events, 89 attendances."""
    return nx.davis_southern_women_graph()


def test_a_graph_made_by_networkx():
    named = from_networkx_bipartite(davis())
    assert repr(named) == "Named(18 nodes, 14 hyperedges, 89 incidences)"
    event = named.hyperedge_names.index("E8")
    assert named.graph.nodes["hyperedge"].data["size"][event] == davis().degree("E8") == 14


def test_a_node_and_a_hyperedge_may_share_their_name():
    named = Named(hypergraph([[0, 1]]), ("a", "b"), ("a",))
    assert by_name(from_networkx_bipartite(to_networkx_bipartite(named))) == by_name(named)


def bipartite(*edges, **sides):
    graph = nx.Graph()
    graph.add_nodes_from((key, {"bipartite": side}) for key, side in sides.items())
    graph.add_edges_from(edges)
    return graph


@pytest.mark.parametrize(
    ("graph", "error", "match"),
    [
        ("text", TypeError, "str"),
        (nx.DiGraph(), TypeError, "DiGraph"),
        (nx.MultiGraph(), TypeError, "MultiGraph"),
        (nx.Graph([("a", "x")]), ValueError, "node 'a' has bipartite=None"),
        (bipartite(a=0, x=2), ValueError, "node 'x' has bipartite=2"),
        (bipartite(a=0, x=[1]), ValueError, r"node 'x' has bipartite=\[1\]"),
        (bipartite(("a", "b"), a=0, b=0), ValueError, "joins two nodes"),
        (bipartite(("x", "y"), x=1, y=1), ValueError, "joins two hyperedges"),
        (
            bipartite(("a", "x", {"weight": "w"}), a=0, x=1),
            ValueError,
            r"\('a', 'x'\) has weight 'w'",
        ),
        (bipartite(("a", "x", {"weight": -1}), a=0, x=1), ValueError, "must be positive"),
    ],
)
def test_bad_graphs_are_refused(graph, error, match):
    with pytest.raises(error, match=match):
        from_networkx_bipartite(graph)


def test_two_keys_of_one_name_are_refused():
    graph = bipartite(a=0)
    graph.add_node(("node", "a"), bipartite=0)
    with pytest.raises(ValueError, match="name the same node"):
        from_networkx_bipartite(graph)


def test_sides_may_be_floats():
    named = from_networkx_bipartite(bipartite(("a", "x"), a=0.0, x=1.0))
    assert (named.node_names, named.hyperedge_names) == (("a",), ("x",))
