"""validate turns away what is not a hypergraph; summary counts what Python counts."""

from __future__ import annotations

import statistics
from collections import Counter

import dgl
import pytest
import torch
from hypothesis import given
from random_hypergraphs import hypergraphs

from hypersage_dgl import hypergraph, induced, num_neighbors, summary, validate
from hypersage_dgl._utils import GraphCache
from hypersage_dgl.convert import clique_expansion, to_coo, to_hif_dict
from hypersage_dgl.data import NegativeSampler, member_sets
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.hypergraphs import (
    CONTAINS,
    IN,
    check_relations,
    contains_ids,
    incidences,
    measure,
)
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.nn.baselines import HGNN
from hypersage_dgl.training import Predictor


@given(h=hypergraphs())
def test_summary_counts_what_python_counts(h):
    sizes = [len(e) for e in h.hyperedges]
    degrees = [sum(v in e for e in h.hyperedges) for v in range(h.num_nodes)]
    distinct = Counter(frozenset(e) for e in h.hyperedges)
    s = summary(h.graph())
    assert (s.nodes, s.hyperedges, s.incidences) == (h.num_nodes, len(sizes), sum(sizes))
    assert s.size_mean == pytest.approx(statistics.fmean(sizes) if sizes else 0)
    assert s.size_sd == pytest.approx(statistics.pstdev(sizes) if sizes else 0)
    assert s.size_max == max(sizes, default=0)
    assert s.degree_mean == pytest.approx(statistics.fmean(degrees))
    assert s.degree_max == max(degrees)
    assert s.isolated_nodes == degrees.count(0)
    assert s.singleton_hyperedges == sizes.count(1)
    assert s.duplicate_hyperedges == len(sizes) - len(distinct)
    assert s.empty_hyperedges == 0


def test_summary_counts_hyperedges_that_a_cut_emptied():
    s = summary(induced(hypergraph([[0, 1], [2], [2]]), [0, 1]))
    assert (s.empty_hyperedges, s.duplicate_hyperedges, s.singleton_hyperedges) == (2, 0, 0)


def test_summary_prints_one_value_on_each_line():
    lines = str(summary(hypergraph([[0, 1, 2], [3]], num_nodes=2000))).splitlines()
    assert len(lines) == 12
    assert lines[0].split() == ["nodes", "2,000"]
    assert lines[3].split() == ["size", "mean", "2.00"]


@pytest.mark.parametrize("formats", ["coo", "csr", "csc", ["coo", "csc"]])
@pytest.mark.parametrize("read", [validate, summary, incidences, contains_ids, num_neighbors])
def test_restricted_formats_are_refused_with_the_cure(formats, read):
    # In DGL's C++ code some forms fail at once, others at the first sum.
    graph = hypergraph([[0, 1], [1, 2]]).formats(formats)
    with pytest.raises(ValueError, match=r"restricted to the sparse formats \['c.*graph\.formats"):
        read(graph)
    read(graph.formats(["coo", "csr", "csc"]))


def with_relations(first, second, num_nodes=3, num_hyperedges=2):
    graph = dgl.heterograph(
        {IN: first, CONTAINS: second},
        num_nodes_dict={"node": num_nodes, "hyperedge": num_hyperedges},
    )
    graph.nodes["hyperedge"].data["size"] = graph.in_degrees(etype=IN)
    graph.nodes["node"].data["degree"] = graph.in_degrees(etype=CONTAINS)
    return graph


def without(key: str, ntype: str):
    graph = hypergraph([[0, 1], [1, 2]])
    del graph.nodes[ntype].data[key]
    return graph


def with_wrong_size():
    graph = hypergraph([[0, 1], [1, 2]])
    graph.nodes["hyperedge"].data["size"] = torch.tensor([2, 3])
    return graph


BAD_GRAPHS = {
    "not a graph": (lambda: [[0, 1]], TypeError, "list"),
    "homogeneous": (lambda: dgl.graph(([0], [1])), ValueError, "_N"),
    "other relation": (
        lambda: dgl.heterograph({("a", "in", "b"): ([0], [0])}),
        ValueError,
        "('a', 'in', 'b')",
    ),
    "one relation": (lambda: dgl.heterograph({IN: ([0], [0])}), ValueError, "contains"),
    "a third relation": (
        lambda: dgl.heterograph(
            {IN: ([0], [0]), CONTAINS: ([0], [0]), ("node", "likes", "node"): ([0], [0])}
        ),
        ValueError,
        "likes",
    ),
    "different incidences": (
        lambda: with_relations(([0, 1], [0, 1]), ([0, 1], [0, 2])),
        ValueError,
        "different incidences",
    ),
    "other order": (
        lambda: with_relations(([0, 1], [0, 1]), ([1, 0], [1, 0])),
        ValueError,
        "another order",
    ),
    "repeated incidence": (
        lambda: with_relations(([0, 0], [1, 1]), ([1, 1], [0, 0])),
        ValueError,
        "repeated",
    ),
    "no size": (lambda: without("size", "hyperedge"), ValueError, "size"),
    "no degree": (lambda: without("degree", "node"), ValueError, "degree"),
    "wrong size": (with_wrong_size, ValueError, "size"),
}


@pytest.mark.parametrize("name", BAD_GRAPHS)
def test_validate_names_what_is_wrong(name):
    make, error, words = BAD_GRAPHS[name]
    with pytest.raises(error) as caught:
        validate(make())
    assert words in str(caught.value)
    assert "hypersage_dgl.hypergraph" in str(caught.value)


@pytest.mark.parametrize("function", [summary, num_neighbors, lambda g: induced(g, [0])])
def test_a_graph_without_our_types_is_turned_away(function):
    with pytest.raises(ValueError, match="relations"):
        function(dgl.graph(([0], [1])))


@pytest.mark.parametrize("etype", ["in", "contains"])
@pytest.mark.parametrize(
    "use",
    [
        incidences,
        summary,
        num_neighbors,
        lambda g: num_neighbors(g, method="sketch"),
        to_coo,
        to_hif_dict,
        clique_expansion,
        NegativeSampler,
    ],
)
def test_relations_that_differ_are_seen_by_all_who_read_one(use, etype):
    graph = hypergraph([[0, 1, 2], [1, 2, 3]])
    graph.remove_edges([0], etype=etype)
    with pytest.raises(ValueError, match=r"hold different incidences \(\d and \d\)"):
        use(graph)


MIXED = [[3, 1, 2], [2, 0], [0, 3, 4], [1]]


def reordered() -> dgl.DGLGraph:
    """As DGL's own subgraph leaves it: each relation sorted by its sources."""
    graph = hypergraph(MIXED)
    every = {ntype: torch.arange(graph.num_nodes(ntype)) for ntype in graph.ntypes}
    return dgl.node_subgraph(graph, every)


def test_the_same_order_needs_no_ids():
    assert contains_ids(hypergraph(MIXED)) is None


def test_another_order_is_matched():
    graph = reordered()
    nodes, edges = incidences(graph)
    back_edges, back_nodes = graph.edges(etype=CONTAINS, order="eid")
    ids = contains_ids(graph)
    assert not torch.equal(nodes, back_nodes)
    assert torch.equal(back_nodes[ids], nodes)
    assert torch.equal(back_edges[ids], edges)
    check_relations(graph, GraphCache())


def test_data_of_either_relation_stay_with_their_incidence_in_a_cut():
    graph = reordered()
    for etype in (IN, CONTAINS):
        first, second = graph.edges(etype=etype, order="eid")
        nodes, edges = (first, second) if etype == IN else (second, first)
        graph.edges[etype].data["says"] = edges * 10 + nodes
    cut = induced(graph, [3, 1, 0])
    kept = torch.tensor([3, 1, 0])
    for etype in (IN, CONTAINS):
        first, second = cut.edges(etype=etype, order="eid")
        nodes, edges = (first, second) if etype == IN else (second, first)
        assert torch.equal(cut.edges[etype].data["says"], edges * 10 + kept[nodes])
        assert torch.equal(
            graph.edges[etype].data["says"][cut.edges[etype].data[dgl.EID]],
            cut.edges[etype].data["says"],
        )


@pytest.mark.parametrize("etype", ["in", "contains"])
@pytest.mark.parametrize("change", ["add_edges", "remove_edges"])
def test_one_relation_changed_alone_is_an_error(etype, change):
    graph = hypergraph(MIXED)
    if change == "add_edges":
        graph.add_edges([3], [3], etype=etype)
    else:
        graph.remove_edges([0], etype=etype)
    with pytest.raises(ValueError, match=r"different incidences \(\d+ and \d+\); build it with"):
        check_relations(graph, GraphCache())


def test_a_repeated_incidence_is_an_error():
    graph = hypergraph(MIXED)
    graph.add_edges([3, 3], [0, 0], etype="in")
    graph.add_edges([0, 0], [3, 3], etype="contains")
    feat = torch.rand(graph.num_nodes("node"), 2)
    predictor = Predictor(HyperSAGE(2, 4, 2))
    for use in (
        lambda: check_relations(graph, GraphCache()),
        lambda: HyperSAGE(2, 4, 2)(graph, feat),
        lambda: predictor.predict(graph, feat),
        lambda: predictor.attach(graph, feat),
        lambda: HyperSAGESampler(1).sample(graph, [0]),
        lambda: HGNN(2, 4, 2)(graph, feat),
        lambda: member_sets(graph),
        lambda: NegativeSampler(graph),
    ):
        with pytest.raises(ValueError, match="an incidence is repeated; build it with"):
            use()


def test_what_is_no_hypergraph_is_named():
    with pytest.raises(ValueError, match="has the relations"):
        check_relations(dgl.graph(([0], [1])), GraphCache())


def test_it_is_looked_at_once_for_each_graph(monkeypatch):
    calls, inner = [], measure.incidences
    monkeypatch.setattr(measure, "incidences", lambda g: calls.append(1) or inner(g))
    graph, cache = hypergraph(MIXED), GraphCache()
    with torch.no_grad():
        for _ in range(3):
            check_relations(graph.local_var(), cache)
        assert len(calls) == 1
        for etype in ("in", "contains"):
            graph.add_edges([4], [0], etype=etype) if etype == "in" else graph.add_edges(
                [0], [4], etype=etype
            )
        check_relations(graph, cache)
    assert len(calls) == 2
