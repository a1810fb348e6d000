"""Cutting against Python sets: structure, data, maps back, and the given graph."""

from __future__ import annotations

import dgl
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from random_hypergraphs import hypergraphs

from hypersage_dgl import add_nodes, hypergraph, induced, remove_hyperedges, remove_nodes, validate
from hypersage_dgl.hypergraphs import CONTAINS, DERIVED, HYPEREDGE, IN, NODE
from hypersage_dgl.hypergraphs.cut import carry, cpu_incidences, like

from .cases import incidences, snapshot, unchanged, with_data

HYPEREDGES = [[0, 1, 2], [2, 3], [1, 3]]


def test_rows_go_where_the_index_says_and_new_ones_are_zero():
    old = hypergraph([[0, 1], [1, 2]])
    old.nodes[NODE].data["feat"] = torch.tensor([[1.0, 2], [3, 4], [5, 6]])
    old.nodes[HYPEREDGE].data["year"] = torch.tensor([1990, 1991])
    old.edges[IN].data["mark"] = torch.tensor([True, False, True, True])
    new = hypergraph([[0, 1], [2]], 4)
    carry(old, new, torch.tensor([2, -1, 0, 0]), torch.tensor([-1, 0]), torch.tensor([3, 1, -1]))
    assert new.nodes[NODE].data["feat"].tolist() == [[5, 6], [0, 0], [1, 2], [1, 2]]
    assert new.nodes[HYPEREDGE].data["year"].tolist() == [0, 1990]
    assert new.edges[IN].data["mark"].tolist() == [True, False, False]
    assert new.edges[IN].data["mark"].dtype == torch.bool
    validate(new)


def test_a_new_weight_is_one():
    old = hypergraph([[0, 1]], hyperedge_weight=[5.0], incidence_weight=[2.0, 3.0])
    old.nodes[NODE].data["weight"] = torch.tensor([7, 8])
    new = hypergraph([[0, 1], [2]])
    carry(old, new, torch.tensor([0, 1, -1]), torch.tensor([0, -1]), torch.tensor([0, 1, -1]))
    assert new.nodes[HYPEREDGE].data["weight"].tolist() == [5, 1]
    assert new.edges[IN].data["weight"].tolist() == [2, 3, 1]
    assert new.nodes[NODE].data["weight"].tolist() == [7, 8, 1]
    assert "weight" not in new.edges[CONTAINS].data


def test_counts_and_dgls_own_ids_are_not_carried():
    old = hypergraph([[0, 1, 2]])
    for ntype in (NODE, HYPEREDGE):
        old.nodes[ntype].data[dgl.NID] = torch.arange(old.num_nodes(ntype))
    old.edges[IN].data[dgl.EID] = torch.arange(3)
    new = hypergraph([[0, 1]])
    carry(old, new, torch.tensor([0, 1]), torch.tensor([0]), torch.tensor([0, 1]))
    assert new.nodes[HYPEREDGE].data["size"].tolist() == [2]
    assert new.nodes[NODE].data["degree"].tolist() == [1, 1]
    assert set(new.nodes[NODE].data) == DERIVED[NODE]
    assert set(new.nodes[HYPEREDGE].data) == DERIVED[HYPEREDGE]
    assert not new.edges[IN].data


def test_the_old_rows_are_copies():
    old = hypergraph([[0, 1]])
    old.nodes[NODE].data["feat"] = torch.ones(2)
    new = hypergraph([[0, 1]])
    carry(old, new, torch.arange(2), torch.arange(1), torch.arange(2))
    new.nodes[NODE].data["feat"][0] = 9
    assert old.nodes[NODE].data["feat"].tolist() == [1, 1]


@pytest.mark.parametrize("idtype", [torch.int32, torch.int64])
def test_like_keeps_the_id_type_and_incidences_are_long(idtype):
    graph = hypergraph(HYPEREDGES, idtype=idtype)
    nodes, edges = cpu_incidences(graph)
    assert nodes.tolist() == [0, 1, 2, 2, 3, 1, 3]
    assert edges.tolist() == [0, 0, 0, 1, 1, 2, 2]
    assert nodes.dtype == edges.dtype == torch.int64
    made = like(graph, nodes[:4], edges[:4], 9, 2)
    assert made.idtype == idtype
    assert (made.num_nodes(NODE), made.num_nodes(HYPEREDGE), made.num_edges(IN)) == (9, 2, 4)
    validate(made)


def test_own_data_called_size_or_degree_survive_growing():
    graph = hypergraph(HYPEREDGES)
    graph.nodes["node"].data["size"] = torch.arange(4)
    graph.nodes["hyperedge"].data["degree"] = torch.arange(3)
    graph.edges["in"].data["size"] = torch.arange(7)
    grown = add_nodes(graph, 1)
    assert grown.nodes["node"].data["size"].tolist() == [0, 1, 2, 3, 0]
    assert grown.nodes["hyperedge"].data["degree"].tolist() == [0, 1, 2]
    assert grown.edges["in"].data["size"].tolist() == list(range(7))


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
