"""Both relations must hold the same incidences, in whatever order."""

from __future__ import annotations

import dgl
import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl._utils import GraphCache
from hypersage_dgl.data import NegativeSampler, member_sets
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.hypergraphs import (
    CONTAINS,
    IN,
    agree,
    check_relations,
    contains_ids,
    incidences,
    induced,
)
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.nn.baselines import HGNN
from hypersage_dgl.training import Predictor

HYPEREDGES = [[3, 1, 2], [2, 0], [0, 3, 4], [1]]


def reordered() -> dgl.DGLGraph:
    """As DGL's own subgraph leaves it: each relation sorted by its sources."""
    graph = hypergraph(HYPEREDGES)
    every = {ntype: torch.arange(graph.num_nodes(ntype)) for ntype in graph.ntypes}
    return dgl.node_subgraph(graph, every)


def test_the_same_order_needs_no_ids():
    assert contains_ids(hypergraph(HYPEREDGES)) is None


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
    graph = hypergraph(HYPEREDGES)
    if change == "add_edges":
        graph.add_edges([3], [3], etype=etype)
    else:
        graph.remove_edges([0], etype=etype)
    with pytest.raises(ValueError, match=r"different incidences \(\d+ and \d+\); build it with"):
        check_relations(graph, GraphCache())


def test_a_repeated_incidence_is_an_error():
    graph = hypergraph(HYPEREDGES)
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
    calls, inner = [], agree.incidences
    monkeypatch.setattr(agree, "incidences", lambda g: calls.append(1) or inner(g))
    graph, cache = hypergraph(HYPEREDGES), GraphCache()
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
