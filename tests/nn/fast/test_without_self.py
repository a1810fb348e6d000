"""Leaving v out afterwards is the plain way, which lists the other members one by one."""

from __future__ import annotations

import pytest
import torch
from products import product

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import LSTM, Aggregator, HyperSAGEConv, Max, Mean, Min, PowerMean, Sum
from hypersage_dgl.nn import fast as fast_paths
from hypersage_dgl.nn.fast.without_self import applies, inside_without_self
from hypersage_dgl.nn.pairs import pairs_of
from hypersage_dgl.nn.stage import Stage, split_stages

from .cases import (
    DTYPES,
    HYPEREDGES,
    INF,
    INTERS,
    NODES,
    PLACES,
    WEIGHTS,
    WIDTH,
    assert_alike,
    by_channel,
    exists,
    features,
    layer,
    learned,
    place,
)

POWERS = [-20, -1, 0, 0.01, 0.5, 1, 2, 20, 1000, -1000, INF, -INF, learned, by_channel]
PAIRS = [(1, 2), (INF, 1), (-1, 3), (1000, -1)]


def spied(monkeypatch) -> list[int]:
    # The shorter way, where one mean is at both levels, has a test of its own.
    monkeypatch.setattr(fast_paths.others, "applies", lambda *args: False)
    taken, theirs = [], fast_paths.without_self.inside_without_self
    monkeypatch.setattr(
        fast_paths.without_self,
        "inside_without_self",
        lambda *args: taken.append(1) or theirs(*args),
    )
    return taken


@product(
    {
        "p": [*POWERS, *PAIRS],
        "inter": INTERS,
        "weights": WEIGHTS,
        "layout": ["dense", "csr"],
        "where": PLACES,
        "dtype": DTYPES,
    },
    exists,
)
def test_is_the_plain_way(p, inter, weights, layout, where, dtype, monkeypatch):
    taken = spied(monkeypatch)
    graph, nodes = place(weights, where, False)
    feat = features(dtype)[nodes]
    feat = feat if layout == "dense" else feat.to_sparse_csr()
    assert_alike(layer(p, inter, False, dtype), graph, feat)
    assert len(taken) == 2


class LogSumExp(Aggregator):
    reduce = "sum"

    def lift(self, x):
        return x.exp()

    def root(self, y):
        return y.log()


AGGREGATORS = {"mean": Mean, "sum": Sum, "max": Max, "min": Min, "log sum exp": LogSumExp}


@product(
    {
        "intra": list(AGGREGATORS),
        "inter_aggr": [None, "max", "sum"],
        "inter": INTERS,
        "weights": WEIGHTS,
        "where": PLACES,
        "dtype": DTYPES,
    }
)
def test_other_aggregators(intra, inter_aggr, inter, weights, where, dtype, monkeypatch):
    taken = spied(monkeypatch)
    graph, nodes = place(weights, where, False)
    across = None if inter_aggr is None else AGGREGATORS[inter_aggr]()
    options = {"intra_aggr": AGGREGATORS[intra](), "inter_aggr": across}
    feat = features(dtype, zeros=False)[nodes]
    assert_alike(layer(1, inter, False, dtype, **options), graph, feat)
    assert len(taken) == 2


@pytest.mark.parametrize("make", [Mean, Sum, Max, Min, lambda: PowerMean(2)])
def test_inside_is_a_loop_over_the_others(make):
    x, aggregator = features(torch.float64), make()
    intra, inter = split_stages(hypergraph(HYPEREDGES, NODES))
    pairs = pairs_of(intra, inter)
    actual = inside_without_self(intra, pairs, x, aggregator)
    reduce = {"mean": torch.mean, "sum": torch.sum, "max": torch.amax, "min": torch.amin}
    for v, e, row in zip(pairs.node.tolist(), pairs.hyperedge.tolist(), actual):
        others = x[[u for u in HYPEREDGES[e] if u != v]]
        lifted = others.clamp_min(0.01) ** 2 if isinstance(aggregator, PowerMean) else others
        expected = reduce[aggregator.reduce](lifted, dim=0)
        expected = expected.sqrt() if isinstance(aggregator, PowerMean) else expected
        torch.testing.assert_close(row, expected)


@pytest.mark.parametrize("dominant", [1e6, 1e12])
@pytest.mark.parametrize("make", [Mean, Sum, lambda: PowerMean(2), lambda: PowerMean(20)])
def test_a_dominant_node_takes_no_digit_from_the_others(make, dominant):
    # Subtracted from the sum it would: 1e12 + 1 - 1e12 is 1 only by luck in float32.
    x = torch.tensor([[dominant], [0.3], [0.7]])
    intra, inter = split_stages(hypergraph([[0, 1, 2]]))
    pairs = pairs_of(intra, inter)
    plain = HyperSAGEConv(1, 1, include_self=False, intra_aggr=make(), inter_aggr=Sum())
    actual = inside_without_self(intra, pairs, x, make())
    torch.testing.assert_close(actual, plain.aggregate(hypergraph([[0, 1, 2]]), x, fast=False))
    [mine] = [row for v, row in zip(pairs.node.tolist(), actual) if v == 0]
    assert 0.3 < float(mine) <= 1.0


def test_ties_of_the_dominant_are_all_there():
    x = torch.tensor([[5.0], [5.0], [1.0]])
    intra, inter = split_stages(hypergraph([[0, 1, 2]]))
    pairs = pairs_of(intra, inter)
    for make, expected in ((Max, [5, 5, 5]), (Min, [1, 1, 5]), (Sum, [6, 6, 10])):
        found = inside_without_self(intra, pairs, x, make()).flatten().tolist()
        assert found == expected


def test_python_reducers_are_left_to_the_plain_way():
    assert not applies(LSTM(WIDTH))
    assert all(applies(make()) for make in AGGREGATORS.values())
    conv = layer(1, "mean", False, torch.float64, intra_aggr=LSTM(WIDTH))
    assert_alike(conv, place("none", "graph", False)[0], features(torch.float64))


@pytest.mark.parametrize("p", [-1, 0, 1, 2, 1000])
def test_learned_weights_get_the_gradient_of_the_plain_way(p):
    x, found = features(torch.float64), []
    conv = layer(p, "size", False, torch.float64)
    for fast in (True, False):
        weight = torch.linspace(0.5, 2, 22, dtype=torch.float64).requires_grad_()
        graph = hypergraph(HYPEREDGES, NODES)
        assert graph.num_edges("in") == len(weight)
        conv.aggregate(graph, x, weight, fast=fast).square().sum().backward()
        found.append(weight.grad)
    torch.testing.assert_close(*found, rtol=1e-7, atol=1e-9)


def test_no_pair_at_all():
    graph, x = hypergraph([[0], [1]], 3), torch.rand(3, 2)
    intra, inter = split_stages(graph)
    rows = inside_without_self(intra, pairs_of(intra, inter), x, PowerMean(2))
    assert rows.shape == (0, 2)
    assert Stage(graph, ("node", "in", "hyperedge")).num_edges == 2
