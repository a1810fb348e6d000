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
from hypersage_dgl.convert import clique_expansion, to_coo, to_hif_dict
from hypersage_dgl.data import NegativeSampler
from hypersage_dgl.hypergraphs import CONTAINS, IN, contains_ids, incidences


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
