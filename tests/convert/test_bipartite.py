"""networkx bipartite graphs."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import Named, from_networkx_bipartite, to_networkx_bipartite

from .cases import by_name, dense, graphs, named_graphs, unordered


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
