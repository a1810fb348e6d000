"""Cutting and growing against Python sets: structure, data, maps back, and the given graph."""

from __future__ import annotations

import dgl
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from random_hypergraphs import hypergraphs

from hypersage_dgl import (
    add_hyperedges,
    add_incidences,
    add_nodes,
    hypergraph,
    induced,
    remove_hyperedges,
    remove_nodes,
    validate,
)


def with_data(h):
    """A weighted or plain graph whose data tell where each row came from."""
    graph = h.graph()
    graph.nodes["node"].data["feat"] = h.features()
    graph.nodes["node"].data["label"] = torch.arange(h.num_nodes)
    graph.nodes["hyperedge"].data["year"] = torch.arange(len(h.hyperedges)) + 1900
    for relation in ("in", "contains"):
        graph.edges[relation].data["mark"] = torch.arange(graph.num_edges(relation)) * 10
    return graph


def snapshot(graph):
    frames = [graph.nodes[t].data for t in graph.ntypes] + [
        graph.edges[r].data for r in graph.etypes
    ]
    return [{k: v.clone() for k, v in frame.items()} for frame in frames]


def unchanged(graph, before) -> bool:
    after = snapshot(graph)
    return all(
        a.keys() == b.keys() and all(torch.equal(a[k], b[k]) for k in a)
        for a, b in zip(after, before)
    )


def incidences(graph) -> list[tuple[int, int]]:
    nodes, edges = graph.edges(etype="in", order="eid")
    return list(zip(nodes.tolist(), edges.tolist()))


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


@given(h=hypergraphs(), num=st.integers(0, 3))
def test_add_nodes_adds_isolated_ones_with_their_data(h, num):
    graph = with_data(h)
    before = snapshot(graph)
    feat = torch.full((num, 3), 7.0, dtype=torch.float64)
    grown = add_nodes(graph, num, {"feat": feat})
    validate(grown)
    assert incidences(grown) == incidences(graph)
    assert torch.equal(
        grown.nodes["node"].data["feat"], torch.cat((graph.nodes["node"].data["feat"], feat))
    )
    assert grown.nodes["node"].data["label"].tolist() == [*range(h.num_nodes), *[0] * num]
    assert grown.idtype == graph.idtype
    assert unchanged(graph, before)


@given(h=hypergraphs(), data=st.data())
def test_add_hyperedges_appends_them(h, data):
    graph = with_data(h)
    before = snapshot(graph)
    new = data.draw(
        st.lists(st.lists(st.integers(0, h.num_nodes - 1), min_size=1, unique=True), max_size=3)
    )
    grown = add_hyperedges(graph, new, {"year": torch.full((len(new),), 2024)})
    validate(grown)
    m = len(h.hyperedges)
    assert incidences(grown) == incidences(graph) + [
        (v, m + e) for e, members in enumerate(new) for v in members
    ]
    years = grown.nodes["hyperedge"].data["year"].tolist()
    assert years == [*range(1900, 1900 + m), *[2024] * len(new)]
    assert torch.equal(grown.nodes["node"].data["feat"], graph.nodes["node"].data["feat"])
    if h.weighted:
        added = sum(len(e) for e in new)
        assert grown.nodes["hyperedge"].data["weight"][m:].tolist() == [1] * len(new)
        weights = grown.edges["in"].data["weight"]
        assert torch.equal(weights, torch.cat((h.incidence_weight, torch.ones(added))))
    assert unchanged(graph, before)


@given(h=hypergraphs(), data=st.data())
def test_add_incidences_merges_what_is_there(h, data):
    graph = with_data(h)
    before = snapshot(graph)
    m = len(h.hyperedges)
    pair = st.tuples(st.integers(0, h.num_nodes - 1), st.integers(0, max(m - 1, 0)))
    asked = data.draw(st.lists(pair, max_size=5)) if m else []
    grown = add_incidences(graph, [v for v, _ in asked], [e for _, e in asked])
    validate(grown)
    expected = list(dict.fromkeys(incidences(graph) + asked))
    assert incidences(grown) == expected
    marks = grown.edges["in"].data["mark"].tolist()
    old = graph.num_edges("in")
    assert marks == [i * 10 for i in range(old)] + [0] * (len(expected) - old)
    assert unchanged(graph, before)


def test_add_incidences_takes_the_data_of_the_new_ones():
    graph = hypergraph([[0, 1], [1]], incidence_weight=[1.0, 2.0, 3.0])
    grown = add_incidences(graph, [1, 0], [0, 1], {"weight": torch.tensor([8.0, 9.0])})
    assert incidences(grown) == [(0, 0), (1, 0), (1, 1), (0, 1)]
    assert grown.edges["in"].data["weight"].tolist() == [1, 2, 3, 9]


BAD_CHANGES = {
    "induced, too large": (lambda g: induced(g, [9]), ValueError, "9"),
    "induced, repeated": (lambda g: induced(g, [1, 1]), ValueError, "repeated"),
    "induced, float": (lambda g: induced(g, [0.5]), TypeError, "0.5"),
    "remove_nodes, negative": (lambda g: remove_nodes(g, [-1]), ValueError, "-1"),
    "remove_hyperedges, too large": (lambda g: remove_hyperedges(g, [5]), ValueError, "5"),
    "add_nodes, negative": (lambda g: add_nodes(g, -2), ValueError, "-2"),
    "add_nodes, float": (lambda g: add_nodes(g, 1.5), ValueError, "1.5"),
    "add_nodes, unknown data": (lambda g: add_nodes(g, 1, {"x": torch.ones(1)}), ValueError, "x"),
    "add_nodes, short data": (
        lambda g: add_nodes(g, 2, {"feat": torch.ones(1, 2)}),
        ValueError,
        "(1, 2)",
    ),
    "add_hyperedges, unknown node": (lambda g: add_hyperedges(g, [[7]]), ValueError, "7"),
    "add_hyperedges, empty": (lambda g: add_hyperedges(g, [[]]), ValueError, "empty"),
    "add_incidences, lengths": (lambda g: add_incidences(g, [0, 1], [0]), ValueError, "2 node ids"),
    "add_incidences, unknown": (lambda g: add_incidences(g, [0], [4]), ValueError, "4"),
}


@pytest.mark.parametrize("name", BAD_CHANGES)
def test_bad_changes_are_named(name):
    change, error, words = BAD_CHANGES[name]
    graph = hypergraph([[0, 1], [1, 2]])
    graph.nodes["node"].data["feat"] = torch.ones(3, 2)
    with pytest.raises(error) as caught:
        change(graph)
    assert words in str(caught.value)
