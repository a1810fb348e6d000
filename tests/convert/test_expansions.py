"""Clique and star expansion against dense matrices."""

import networkx as nx
import numpy as np
import torch
from hypothesis import given

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import clique_expansion, star_expansion, to_networkx_bipartite

from .cases import dense, graphs


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
