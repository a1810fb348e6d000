"""Isolated nodes keep their self term, and nothing that is passed in changes."""

from __future__ import annotations

import math

import pytest
import torch
import torch.nn.functional as F
from products import product

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import LSTM, HyperSAGE, HyperSAGEConv, Max, Sum

INF = math.inf
INTERS = ["size", "mean", "paper", "invariant"]
SELF = pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])


@SELF
@pytest.mark.parametrize("inter", INTERS)
@pytest.mark.parametrize("p", [-20, -1, 0.5, 1, 2, 20, INF, -INF, (1, 2)])
def test_an_isolated_node_keeps_its_self_term(p, inter, include_self):
    # Node 3 is isolated; node 4 is alone in its hyperedges, which without self is the same.
    graph = hypergraph([[0, 1, 2], [4], [4]], 5)
    x = torch.rand(5, 3, dtype=torch.float64) + 0.1
    conv = HyperSAGEConv(3, 2, p, inter=inter, include_self=include_self).double()
    alone = [3] if include_self else [3, 4]
    for fast in (True, False):
        assert torch.equal(
            conv.aggregate(graph, x, fast=fast)[alone],
            torch.zeros(len(alone), 3, dtype=torch.float64),
        )
    torch.testing.assert_close(conv(graph, x)[alone], conv.linear(F.normalize(x[alone], dim=1)))


@SELF
@pytest.mark.parametrize("make", [Max, Sum, lambda: LSTM(3)], ids=["max", "sum", "lstm"])
def test_an_isolated_node_keeps_its_self_term_with_other_aggregators(make, include_self):
    graph = hypergraph([[0, 1, 2], [4], [4]], 5)
    x = torch.rand(5, 3) + 0.1
    conv = HyperSAGEConv(3, 2, include_self=include_self, intra_aggr=make(), inter_aggr=make())
    alone = [3] if include_self else [3, 4]
    assert torch.equal(conv.aggregate(graph, x)[alone], torch.zeros(len(alone), 3))


@SELF
@pytest.mark.parametrize("inter", INTERS)
@pytest.mark.parametrize("p", [-1, 1, 2, INF])
def test_a_hypergraph_without_hyperedges_is_all_self_terms(p, inter, include_self):
    x = torch.rand(4, 3) + 0.1
    conv = HyperSAGEConv(3, 2, p, inter=inter, include_self=include_self)
    graph = hypergraph([], 4)
    assert torch.equal(conv.aggregate(graph, x), torch.zeros(4, 3))
    torch.testing.assert_close(conv(graph, x), conv.linear(F.normalize(x, dim=1)))


@pytest.mark.parametrize("p", [-1, 0, 1, 2, INF])
def test_zero_features_give_no_nan(p):
    graph = hypergraph([[0, 1], [1, 2]], 4)
    conv = HyperSAGEConv(3, 2, p)
    assert torch.isfinite(conv(graph, torch.zeros(4, 3))).all()


def frames(graph):
    return {
        **{("node", t): graph.nodes[t].data for t in graph.ntypes},
        **{("edge", r): graph.edges[r].data for r in graph.etypes},
    }


def snapshot(graph):
    return {k: {name: v.clone() for name, v in f.items()} for k, f in frames(graph).items()}


@product({"p": [-20, -1, 0.5, 1, 2, INF, (1, 2)], "inter": INTERS, "include_self": [True, False]})
@pytest.mark.many
def test_features_and_graph_are_left_untouched(p, inter, include_self):
    graph = hypergraph(
        [[0, 1, 2], [2, 3], [3]],
        5,
        hyperedge_weight=[1.0, 2.0, 3.0],
        incidence_weight=[1.0, 2, 3, 4, 5, 6],
    )
    graph.nodes["node"].data["feat"] = torch.rand(5, 3)
    # Names that an implementation may want to use for itself.
    for name in ("h", "x", "_x", "m", "_m", "y", "_y", "num_neighbors"):
        graph.nodes["node"].data[name] = torch.rand(5, 2)
        graph.nodes["hyperedge"].data[name] = torch.rand(3, 2)
        graph.edges["in"].data[name] = torch.rand(6, 2)
    x = torch.rand(5, 3) * (torch.rand(5, 3) > 0.4)
    kept, before = x.clone(), snapshot(graph)
    model = HyperSAGE(3, 4, 2, p=p, inter=inter, include_self=include_self)
    model(graph, x).sum().backward()
    model.embed(graph, x)
    model.inference(graph, x, batch_size=2)
    model(graph, x.to_sparse_csr())
    model.layers[0].aggregate(graph, x, fast=False)
    model.layers[0].hyperedge_embed(graph, x)
    assert torch.equal(x, kept)
    assert x.grad is None
    after = snapshot(graph)
    for key, frame in before.items():
        assert frame.keys() == after[key].keys()
        assert all(torch.equal(v, after[key][name]) for name, v in frame.items())
