"""One lift, two sums and one root are the plain two stages, forward and gradient."""

from __future__ import annotations

import pytest
import torch
from products import product

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import Aggregator, HyperSAGEConv, Max, Mean, PowerMean, Sum
from hypersage_dgl.nn import fast as fast_paths
from hypersage_dgl.nn.fast import fused
from hypersage_dgl.nn.fast.fused import applies, cancels
from hypersage_dgl.nn.message_passing import root_of
from hypersage_dgl.nn.power_mean import is_identity

from .cases import (
    DTYPES,
    INF,
    INTERS,
    PLACES,
    WEIGHTS,
    assert_alike,
    by_channel,
    exists,
    features,
    layer,
    learned,
    place,
)


@product(
    {
        "p": [-20, -1, 0, 0.01, 0.5, 1, 2, 3, 20, 100, learned, by_channel],
        "inter": INTERS,
        "weights": WEIGHTS,
        "where": PLACES,
        "dtype": DTYPES,
    },
    exists,
)
def test_is_the_plain_way(p, inter, weights, where, dtype, monkeypatch):
    taken, theirs = [], fast_paths.fused.aggregate_fused
    monkeypatch.setattr(
        fast_paths.fused, "aggregate_fused", lambda *args: taken.append(1) or theirs(*args)
    )
    graph, nodes = place(weights, where, True)
    assert_alike(layer(p, inter, True, dtype), graph, features(dtype)[nodes])
    assert len(taken) == 2


@pytest.mark.parametrize("inter", INTERS)
def test_plain_means_and_ones_own_identity(inter):
    class Own(Aggregator):
        """Nothing overridden: a mean."""

    graph, x = place("both", "graph", True)[0], features(torch.float64)
    for first, second in ((Mean(), Mean()), (Own(), Mean()), (PowerMean(1), Own())):
        conv = layer(1, inter, True, torch.float64, intra_aggr=first, inter_aggr=second)
        assert applies(first, second, x)
        assert_alike(conv, graph, x)


class Doubled(Aggregator):
    def lift(self, x):
        return 2 * x

    def root(self, y):
        return y / 2


class OwnPower(PowerMean):
    def lift(self, x):
        return x


@pytest.mark.parametrize(
    ("inner", "outer", "expected"),
    [
        (PowerMean(2), PowerMean(2), True),
        (PowerMean(2), PowerMean(2.0), True),
        (Mean(), PowerMean(1), True),
        (PowerMean(2), PowerMean(3), False),
        (PowerMean(2), PowerMean(2, eps=0.1), False),
        (PowerMean(INF), PowerMean(INF), False),
        (Mean(), Sum(), False),
        (Max(), Max(), False),
        (Doubled(), Doubled(), False),
        (OwnPower(2), OwnPower(2), False),
        (PowerMean(2.0, learn=True), PowerMean(2.0, learn=True), False),
    ],
    ids=str,
)
def test_cancels(inner, outer, expected):
    assert cancels(inner, outer) is expected


def test_a_shared_aggregator_cancels_with_itself():
    shared = PowerMean(2.0, learn=True)
    assert cancels(shared, shared)


def test_identities():
    assert [is_identity(a) for a in (Mean(), Max(), PowerMean(1), PowerMean(2), Doubled())] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert not is_identity(PowerMean(1.0, learn=True))
    assert not is_identity(OwnPower(1))


def test_powers_that_no_float_holds_go_the_plain_way():
    x = features(torch.float64)
    assert applies(PowerMean(100), PowerMean(100), x)
    assert not applies(PowerMean(1000), PowerMean(1000), x)
    assert_alike(layer(1000, "size", True, torch.float64), place("both", "graph", True)[0], x)


@pytest.mark.parametrize("aggregator", [PowerMean(2), PowerMean(0), Mean(), Doubled()], ids=str)
def test_root_leaves_empty_rows_zero(aggregator):
    lifted = aggregator.lift(torch.tensor([[0.5, 2.0], [1.0, 1.0], [3.0, 0.2]]))
    lifted[1] = 0
    is_empty = torch.tensor([[False], [True], [False]])
    out = root_of(aggregator, lifted.clone(), is_empty)
    expected = torch.tensor([[0.5, 2.0], [0.0, 0.0], [3.0, 0.2]])
    torch.testing.assert_close(out, expected)
    full = root_of(aggregator, lifted[[0, 2]].clone(), is_empty[[0, 2]])
    torch.testing.assert_close(full, expected[[0, 2]])


def test_learned_weights_get_the_gradient_of_the_plain_way():
    graph, x = hypergraph([[0, 1, 2], [2, 3]], 5), torch.rand(5, 3, dtype=torch.float64) + 0.1
    conv, found = HyperSAGEConv(3, 2, 2).double(), []
    for fast in (True, False):
        weight = torch.arange(1.0, 6.0, dtype=torch.float64).requires_grad_()
        conv.aggregate(graph, x, weight, fast=fast).square().sum().backward()
        found.append(weight.grad)
    torch.testing.assert_close(*found)


def test_large_powers_take_some_columns_at_a_time(monkeypatch):
    monkeypatch.setattr(fused, "ENTRIES", 1)
    graph, _ = place("both", "graph", True)
    x = torch.rand(10, 20, generator=torch.Generator().manual_seed(3)) + 0.05
    rows = {fast: x.clone().requires_grad_() for fast in (True, False)}
    conv = HyperSAGEConv(20, 1, 20)
    found = {fast: conv.aggregate(graph, row, fast=fast) for fast, row in rows.items()}
    torch.testing.assert_close(found[True], found[False])
    for each in found.values():
        each.sum().backward()
    torch.testing.assert_close(rows[True].grad, rows[False].grad)
