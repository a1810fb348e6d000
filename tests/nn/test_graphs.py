"""A graph is a 2-uniform hypergraph: there the layer is GraphSAGE, with DGL's as the judge."""

from __future__ import annotations

import dgl
import pytest
import torch
from dgl.nn import GraphConv, SAGEConv

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import LSTM, HyperSAGEConv, Max

NUM_NODES, IN_FEATS = 12, 5
LINKS = [(0, 1), (1, 2), (5, 2), (2, 0), (3, 4), (4, 2), (6, 1), (7, 8), (8, 2), (9, 0), (0, 8)]


def graph_and_hypergraph():
    """The links in both directions, each node's neighbours in the order of its hyperedges."""
    sources, destinations = [], []
    for u, v in LINKS:
        sources += [v, u]
        destinations += [u, v]
    return dgl.graph((sources, destinations), num_nodes=NUM_NODES), hypergraph(LINKS, NUM_NODES)


def features() -> torch.Tensor:
    """Features that are nowhere negative, as after a ReLU; nodes 10 and 11 are isolated."""
    numbers = torch.Generator().manual_seed(6)
    x = torch.rand(NUM_NODES, IN_FEATS, generator=numbers)
    return x * (torch.rand(NUM_NODES, IN_FEATS, generator=numbers) > 0.3)


def tied(sage: SAGEConv, **options) -> HyperSAGEConv:
    """A layer without the L2 step whose one W is both matrices of GraphSAGE."""
    conv = HyperSAGEConv(IN_FEATS, 3, include_self=False, normalize=False, **options)
    with torch.no_grad():
        torch.nn.init.normal_(conv.linear.bias)
        sage.fc_self.weight.copy_(conv.linear.weight)
        sage.fc_self.bias.copy_(conv.linear.bias)
        sage.fc_neigh.weight.copy_(conv.linear.weight)
    return conv


@pytest.mark.parametrize("inter", ["size", "mean"])
def test_mean(inter):
    graph, hyper = graph_and_hypergraph()
    sage = SAGEConv(IN_FEATS, 3, "mean")
    conv = tied(sage, inter=inter)
    torch.testing.assert_close(conv(hyper, features()), sage(graph, features()))


@pytest.mark.parametrize("include", ["power", "aggregator"])
def test_max_is_pool_with_an_identity(include):
    graph, hyper = graph_and_hypergraph()
    sage = SAGEConv(IN_FEATS, 3, "pool")
    with torch.no_grad():
        sage.fc_pool.weight.copy_(torch.eye(IN_FEATS))
        sage.fc_pool.bias.zero_()
    if include == "power":
        # As a power mean the maximum has the floor: inputs above it, isolated nodes at zero.
        x = features() + 0.02
        conv = tied(sage, p=(1, float("inf")))
    else:
        x = features()
        conv = tied(sage, inter_aggr=Max())
    torch.testing.assert_close(conv(hyper, x), sage(graph, x))


def test_lstm():
    graph, hyper = graph_and_hypergraph()
    sage = SAGEConv(IN_FEATS, 3, "lstm")
    conv = tied(sage, inter_aggr=LSTM(IN_FEATS))
    weights = sage.lstm.state_dict()
    missing = conv.inter_aggr.load_state_dict({f"lstm.{k}": v for k, v in weights.items()})
    assert missing.missing_keys == []
    torch.testing.assert_close(conv(hyper, features()), sage(graph, features()))


def test_graph_convolution_with_right_norm():
    graph, hyper = graph_and_hypergraph()
    right = GraphConv(
        IN_FEATS, IN_FEATS, norm="right", weight=False, bias=False, allow_zero_in_degree=True
    )
    conv = HyperSAGEConv(IN_FEATS, 3, include_self=False)
    torch.testing.assert_close(conv.aggregate(hyper, features()), right(graph, features()))


def test_graph_convolution_with_norm_on_both_sides_is_not_a_special_case():
    graph, hyper = graph_and_hypergraph()
    both = GraphConv(
        IN_FEATS, IN_FEATS, norm="both", weight=False, bias=False, allow_zero_in_degree=True
    )
    for inter in ("size", "mean", "paper", "invariant"):
        conv = HyperSAGEConv(IN_FEATS, 3, inter=inter, include_self=False)
        difference = conv.aggregate(hyper, features()) - both(graph, features())
        assert float(difference.abs().max()) > 0.01


@pytest.mark.parametrize("p", [-1, 0, 0.5, 2, 3])
def test_the_intra_level_does_nothing_without_self(p):
    # N(v,e) is one node, and a power mean of one is that one.
    _, hyper = graph_and_hypergraph()
    x = features() + 0.02
    one = HyperSAGEConv(IN_FEATS, 3, p, include_self=False).aggregate(hyper, x)
    other = HyperSAGEConv(IN_FEATS, 3, (1, p), include_self=False).aggregate(hyper, x)
    torch.testing.assert_close(one, other)
