"""XGI objects: both ways, all three kinds."""

import builtins

import numpy as np
import pytest
import xgi
from hypothesis import given

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import Attributes, Named, from_xgi, to_xgi

from .cases import by_name, everything, named_graphs, unordered


@given(named_graphs(incidence_weight=False, incidence_attributes=False))
def test_round_trip(named):
    back = from_xgi(to_xgi(named))
    assert by_name(back) == by_name(named)
    assert unordered(back.graph) == unordered(named.graph)


def test_order_names_and_attributes_of_an_xgi_hypergraph():
    theirs = xgi.Hypergraph(None, name="talks")
    theirs.add_nodes_from(["zoe", ("ann", {"age": 40}), "bob", "lonely"])
    theirs.add_edge(["bob", "zoe"], idx="x", weight=2.5, room=7)
    theirs.add_edge(["zoe", "ann"], idx="y")
    theirs.add_edge([], idx="empty")
    assert everything(from_xgi(theirs)) == {
        "nodes": 4,
        "hyperedges": 3,
        "incidences": [(0, 0), (2, 0), (0, 1), (1, 1)],
        "hyperedge weight": [2.5, 1, 1],
        "incidence weight": None,
        "node names": ["zoe", "ann", "bob", "lonely"],
        "hyperedge names": ["x", "y", "empty"],
        "class names": [],
        "attributes": Attributes(
            network={"name": "talks"}, nodes={1: {"age": 40}}, hyperedges={0: {"room": 7}}
        ),
    }


def test_xgi_counts_the_same():
    named = Named(hypergraph([[0, 1, 2], [2, 3], [3]], num_nodes=6), tuple("abcdef"))
    theirs = to_xgi(named)
    assert theirs.edges.size.asdict() == {0: 3, 1: 2, 2: 1}
    assert theirs.nodes.degree.asdict() == dict(zip("abcdef", [1, 1, 2, 2, 0, 0]))


def test_round_trip_of_a_directed_hypergraph():
    theirs = xgi.DiHypergraph()
    theirs.add_edge((["a", "b"], ["b", "c"]), idx="x")
    theirs.add_edge(([], ["a"]), idx="y")
    named = from_xgi(theirs)
    assert named.attributes.network_type == "directed"
    assert named.graph.edges["in"].data["direction"].tolist() == [1, 3, 2, 2]
    back = to_xgi(named)
    assert isinstance(back, xgi.DiHypergraph)
    assert back.edges.dimembers(dtype=dict) == theirs.edges.dimembers(dtype=dict)


def test_a_simplicial_complex_is_read_with_all_its_simplices():
    theirs = xgi.SimplicialComplex([["a", "b", "c"]])
    named = from_xgi(theirs)
    assert named.attributes.network_type == "asc"
    assert sorted(named.graph.nodes["hyperedge"].data["size"].tolist()) == [2, 2, 2, 3]
    assert to_xgi(named).edges.members(dtype=dict) == theirs.edges.members(dtype=dict)


def test_what_xgi_cannot_hold_is_refused():
    with pytest.raises(ValueError, match="incidence weights, and XGI has no place"):
        to_xgi(hypergraph([[0, 1]], incidence_weight=[1, 2]))
    directed = Named(hypergraph([[0, 1]]), attributes=Attributes(network_type="directed"))
    with pytest.raises(ValueError, match="node 0 in hyperedge 0 is neither tail nor head"):
        to_xgi(directed)


def test_what_is_no_xgi_hypergraph_is_refused():
    with pytest.raises(TypeError, match="got list"):
        from_xgi([[1, 2]])
    theirs = xgi.Hypergraph()
    theirs.add_edge([("a", "pair"), "b"])
    with pytest.raises(ValueError, match=r"'pair'\); it must be of type string or integer"):
        from_xgi(theirs)


def test_without_xgi_the_error_names_the_cure(monkeypatch):
    find = builtins.__import__

    def without(name, *args, **options):
        if name == "xgi":
            raise ModuleNotFoundError(name)
        return find(name, *args, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=r"pip install 'hypersage-dgl\[xgi\]'"):
        to_xgi(hypergraph([[0, 1]]))


def test_numbers_of_numpy_are_numbers():
    network = xgi.Hypergraph()
    network.add_node(np.int64(7), age=np.float32(0.5))
    network.add_edge([np.int64(7), np.int64(8)], idx=np.int64(3), weight=np.float64(2.5))
    named = from_xgi(network)
    assert named.graph.nodes["hyperedge"].data["weight"].tolist() == [2.5]
    assert (named.node_names, named.hyperedge_names) == ((7, 8), (3,))
    assert named.attributes.nodes == {0: {"age": 0.5}}
    assert type(named.attributes.nodes[0]["age"]) is float
