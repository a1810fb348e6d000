"""The plain aggregators and one's own, at either level, against loops."""

from __future__ import annotations

import math
import statistics

import pytest
import torch
from hypothesis import given
from random_hypergraphs import WIDTH, hypergraphs

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import LSTM, Aggregator, HyperSAGEConv, Max, Mean, Min, PowerMean, Sum

SELF = pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])


class LogMeanExp(Aggregator):
    """A user's own, by lift and root."""

    reduce = "mean"

    def lift(self, x):
        return x.exp()

    def root(self, y):
        return y.log()


class LogSumExp(LogMeanExp):
    reduce = "sum"


class Median(Aggregator):
    """A user's own, by a Python reducer on mailboxes (groups, members, width)."""

    @staticmethod
    def reduce(mailbox):
        ordered = mailbox.sort(dim=1).values
        middle = ordered.shape[1] // 2
        return (ordered[:, middle] + ordered[:, -middle - 1]) / 2


class SquaredMax(Aggregator):
    """A user's own on a built-in maximum, with a lift and a root."""

    reduce = "max"

    def lift(self, x):
        return x**2

    def root(self, y):
        return y.sqrt()


BY_LOOP = {
    Mean: statistics.fmean,
    Sum: math.fsum,
    Max: max,
    Min: min,
    LogMeanExp: lambda values: math.log(statistics.fmean(map(math.exp, values))),
    LogSumExp: lambda values: math.log(math.fsum(map(math.exp, values))),
    Median: statistics.median,
    SquaredMax: max,
}


def two_levels(hyperedges, x, include_self, inside, across):
    """F2 by Python: every hyperedge counts once."""
    rows = []
    for v in range(len(x)):
        neighborhoods = [set(e) if include_self else set(e) - {v} for e in hyperedges if v in e]
        neighborhoods = [n for n in neighborhoods if n]
        rows.append(
            [
                across([inside([x[j][c] for j in n]) for n in neighborhoods])
                if neighborhoods
                else 0.0
                for c in range(len(x[0]))
            ]
        )
    return torch.tensor(rows, dtype=torch.float64)


@SELF
@pytest.mark.parametrize("make", BY_LOOP, ids=lambda make: make.__name__)
@given(h=hypergraphs(weighted=False))
def test_inside(h, make, include_self):
    x = h.features() / 10
    conv = HyperSAGEConv(WIDTH, 2, inter="mean", include_self=include_self, intra_aggr=make())
    expected = two_levels(h.hyperedges, x.tolist(), include_self, BY_LOOP[make], statistics.fmean)
    torch.testing.assert_close(conv.double().aggregate(h.graph(), x), expected)


@SELF
@pytest.mark.parametrize("make", BY_LOOP, ids=lambda make: make.__name__)
@given(h=hypergraphs(weighted=False))
def test_across(h, make, include_self):
    x = h.features() / 10
    conv = HyperSAGEConv(WIDTH, 2, inter="mean", include_self=include_self, inter_aggr=make())
    expected = two_levels(h.hyperedges, x.tolist(), include_self, statistics.fmean, BY_LOOP[make])
    torch.testing.assert_close(conv.double().aggregate(h.graph(), x), expected)


@SELF
@pytest.mark.parametrize("make", BY_LOOP, ids=lambda make: make.__name__)
@given(h=hypergraphs(weighted=False))
def test_at_both_levels(h, make, include_self):
    x = h.features() / 10
    conv = HyperSAGEConv(
        WIDTH, 2, inter="mean", include_self=include_self, intra_aggr=make(), inter_aggr=make()
    ).double()
    expected = two_levels(h.hyperedges, x.tolist(), include_self, BY_LOOP[make], BY_LOOP[make])
    for fast in (True, False):
        torch.testing.assert_close(conv.aggregate(h.graph(), x, fast=fast), expected)


@SELF
@pytest.mark.parametrize("inter", ["size", "mean", "paper", "invariant"])
@given(h=hypergraphs())
def test_mean_is_a_power_mean_of_one_and_max_of_infinity(h, inter, include_self):
    graph = h.graph()
    options = {"inter": inter, "include_self": include_self}
    for aggregator, p in ((Mean, 1), (Max, math.inf), (Min, -math.inf)):
        # Max and Min have no floor, so their inputs stay above it.
        x = h.features(signed=aggregator is Mean) + (0 if aggregator is Mean else 0.011)
        plain = HyperSAGEConv(
            WIDTH, 2, intra_aggr=aggregator(), inter_aggr=aggregator(), **options
        ).double()
        power = HyperSAGEConv(WIDTH, 2, p, **options).double()
        torch.testing.assert_close(plain.aggregate(graph, x), power.aggregate(graph, x))


def test_max_and_min_have_no_floor():
    x = torch.tensor([[-3.0], [-1.0], [0.0]])
    graph = hypergraph([[0, 1], [1, 2]])
    for make, expected in ((Max, [-1.0, 0.0]), (Min, [-3.0, -1.0])):
        conv = HyperSAGEConv(1, 1, intra_aggr=make())
        assert conv.hyperedge_embed(graph, x).flatten().tolist() == expected


@SELF
def test_lstm_reads_members_in_the_order_of_incidences(include_self):
    torch.manual_seed(2)
    hyperedges = [[3, 0, 1], [2, 3], [1, 2, 0, 3]]
    x = torch.rand(4, WIDTH, dtype=torch.float64)
    aggregator = LSTM(WIDTH)
    conv = HyperSAGEConv(
        WIDTH, 2, inter="mean", include_self=include_self, intra_aggr=aggregator
    ).double()
    rows = []
    for v in range(4):
        states = []
        for e in hyperedges:
            members = [j for j in e if include_self or j != v]
            if v in e and members:
                states.append(aggregator.lstm(x[members][None])[1][0].flatten())
        rows.append(torch.stack(states).mean(0))
    torch.testing.assert_close(conv.aggregate(hypergraph(hyperedges), x), torch.stack(rows))


def test_a_levels_own_aggregator_goes_before_p():
    x = torch.rand(4, WIDTH) + 0.1
    graph = hypergraph([[0, 1, 2], [2, 3]])
    mixed = HyperSAGEConv(WIDTH, 2, 3, intra_aggr=PowerMean(2))
    pair = HyperSAGEConv(WIDTH, 2, (2, 3))
    torch.testing.assert_close(mixed.aggregate(graph, x), pair.aggregate(graph, x))


@pytest.mark.parametrize("bad", ["max", Max, 3])
def test_an_aggregator_that_is_none_is_named(bad):
    with pytest.raises(TypeError, match="intra_aggr"):
        HyperSAGEConv(2, 2, intra_aggr=bad)


@pytest.mark.parametrize("make", [Mean, Sum, Max, Min, lambda: LSTM(4)])
def test_repr_is_one_line(make):
    text = repr(make())
    assert "\n" not in text
    assert text.endswith(")")
