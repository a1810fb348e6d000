"""Cutting against Python sets: structure, data, maps back, and the given graph."""

from __future__ import annotations

import dgl
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from random_hypergraphs import hypergraphs

from hypersage_dgl import hypergraph, induced, remove_hyperedges, remove_nodes, validate

from .cases import incidences, snapshot, unchanged, with_data


def assert_is_cut(cut, graph, nodes, hyperedges):
    """The cut holds just these, in this order, with their data and the maps back."""
    expected = [
        (nodes.index(v), hyperedges.index(e), i)
        for i, (v, e) in enumerate(incidences(graph))
        if v in nodes and e in hyperedges
    ]
    rows = [i for *_, i in expected]
    validate(cut)
    assert incidences(cut) == [(v, e) for v, e, _ in expected]
    assert cut.num_nodes("node") == len(nodes)
    assert cut.num_nodes("hyperedge") == len(hyperedges)
    assert cut.idtype == graph.idtype
    assert cut.nodes["node"].data[dgl.NID].tolist() == nodes
    assert cut.nodes["hyperedge"].data[dgl.NID].tolist() == hyperedges
    for key in ("feat", "label"):
        assert torch.equal(cut.nodes["node"].data[key], graph.nodes["node"].data[key][nodes])
    years = graph.nodes["hyperedge"].data["year"]
    assert torch.equal(cut.nodes["hyperedge"].data["year"], years[hyperedges])
    for relation in ("in", "contains"):
        assert cut.edges[relation].data[dgl.EID].tolist() == rows
        marks = graph.edges[relation].data["mark"]
        assert torch.equal(cut.edges[relation].data["mark"], marks[rows])
    if "weight" in graph.edges["in"].data:
        weights = graph.edges["in"].data["weight"]
        assert torch.equal(cut.edges["in"].data["weight"], weights[rows])
        weights = graph.nodes["hyperedge"].data["weight"]
        assert torch.equal(cut.nodes["hyperedge"].data["weight"], weights[hyperedges])


def some(draw, count: int) -> list[int]:
    return draw(st.lists(st.integers(0, count - 1), unique=True)) if count else []


@given(h=hypergraphs(), drop_empty=st.booleans(), data=st.data())
def test_induced_keeps_what_the_sets_keep(h, drop_empty, data):
    graph = with_data(h)
    before = snapshot(graph)
    nodes = some(data.draw, h.num_nodes)
    hyperedges = [e for e, m in enumerate(h.hyperedges) if not drop_empty or set(m) & set(nodes)]
    assert_is_cut(induced(graph, nodes, drop_empty), graph, nodes, hyperedges)
    assert unchanged(graph, before)


@given(h=hypergraphs(), drop_empty=st.booleans(), data=st.data())
def test_remove_nodes_keeps_the_others_in_order(h, drop_empty, data):
    graph = with_data(h)
    before = snapshot(graph)
    gone = some(data.draw, h.num_nodes)
    nodes = [v for v in range(h.num_nodes) if v not in gone]
    hyperedges = [e for e, m in enumerate(h.hyperedges) if not drop_empty or set(m) & set(nodes)]
    assert_is_cut(remove_nodes(graph, gone, drop_empty), graph, nodes, hyperedges)
    assert unchanged(graph, before)


@given(h=hypergraphs(), data=st.data())
def test_remove_hyperedges_keeps_all_nodes(h, data):
    graph = with_data(h)
    before = snapshot(graph)
    gone = some(data.draw, len(h.hyperedges))
    hyperedges = [e for e in range(len(h.hyperedges)) if e not in gone]
    cut = remove_hyperedges(graph, gone)
    assert_is_cut(cut, graph, list(range(h.num_nodes)), hyperedges)
    assert unchanged(graph, before)


BAD_CUTS = {
    "induced, too large": (lambda g: induced(g, [9]), ValueError, "9"),
    "induced, repeated": (lambda g: induced(g, [1, 1]), ValueError, "repeated"),
    "induced, float": (lambda g: induced(g, [0.5]), TypeError, "0.5"),
    "remove_nodes, negative": (lambda g: remove_nodes(g, [-1]), ValueError, "-1"),
    "remove_hyperedges, too large": (lambda g: remove_hyperedges(g, [5]), ValueError, "5"),
}


@pytest.mark.parametrize("name", BAD_CUTS)
def test_bad_cuts_are_named(name):
    change, error, words = BAD_CUTS[name]
    graph = hypergraph([[0, 1], [1, 2]])
    graph.nodes["node"].data["feat"] = torch.ones(3, 2)
    with pytest.raises(error) as caught:
        change(graph)
    assert words in str(caught.value)
