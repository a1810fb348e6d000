"""Growing against Python lists: structure, data, weights, and the given graph."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from random_hypergraphs import hypergraphs

from hypersage_dgl import add_hyperedges, add_incidences, add_nodes, hypergraph, validate

from .cases import incidences, snapshot, unchanged, with_data


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


def test_growing_checks_weights_and_lengths():
    graph = hypergraph(
        [[0, 1, 2], [2, 3], [1, 3]], hyperedge_weight=[1.0, 2, 3], incidence_weight=torch.ones(7)
    )
    with pytest.raises(ValueError, match="weight"):
        add_hyperedges(graph, [[0, 3]], {"weight": torch.tensor([-1.0])})
    with pytest.raises(ValueError, match="1 given"):
        add_incidences(graph, [0], [1], {"weight": torch.tensor([5.0, 7.0])})


BAD_GROWTH = {
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


@pytest.mark.parametrize("name", BAD_GROWTH)
def test_bad_growth_is_named(name):
    change, error, words = BAD_GROWTH[name]
    graph = hypergraph([[0, 1], [1, 2]])
    graph.nodes["node"].data["feat"] = torch.ones(3, 2)
    with pytest.raises(error) as caught:
        change(graph)
    assert words in str(caught.value)
