"""Taking each node's own part off two sums is the plain way, as long as the digits suffice."""

from __future__ import annotations

import pytest
import torch
from products import product

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import HyperSAGEConv, Max, Mean, PowerMean
from hypersage_dgl.nn import fast as fast_paths
from hypersage_dgl.nn.fast import fused, others
from hypersage_dgl.nn.stage import split_stages

from .cases import (
    DTYPES,
    INTERS,
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


def spied(monkeypatch) -> list[int]:
    taken, theirs = [], others.aggregate_others
    spy = lambda *args: taken.append(1) or theirs(*args)  # noqa: E731
    monkeypatch.setattr(fast_paths.others, "aggregate_others", spy)
    return taken


@product(
    {
        "p": [-1, 0, 0.01, 0.5, 1, 2, 3, learned, by_channel],
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


@pytest.mark.parametrize("inter", INTERS)
def test_means_of_features_of_any_sign(inter, monkeypatch):
    taken = spied(monkeypatch)
    for weights in WEIGHTS:
        for where in PLACES:
            graph, nodes = place(weights, where, False)
            feat = torch.randn(10, WIDTH, generator=torch.Generator().manual_seed(2))[nodes]
            means = {"intra_aggr": Mean(), "inter_aggr": Mean()}
            assert_alike(layer(1, inter, False, torch.float32, **means), graph, feat)
    assert len(taken) == 2 * len(WEIGHTS) * len(PLACES)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("dominant", [1e3, 1e8, 1e16])
@pytest.mark.parametrize("p", [1, 2, -1])
def test_one_that_dominates_takes_no_digit_from_the_others(p, dominant, dtype, monkeypatch):
    taken = spied(monkeypatch)
    graph = hypergraph([[0, 1, 2], [1, 2], [3, 0], [4, 5, 0], [6, 7]])
    conv = HyperSAGEConv(1, 1, p, include_self=False)
    x = torch.tensor([[dominant], [0.3], [0.7], [0.5], [0.0], [0.0], [4.0], [0.0]], dtype=dtype)
    found, plain = conv.aggregate(graph, x), conv.aggregate(graph, x.double(), fast=False)
    rtol = 1e-6 if dtype == torch.float32 else 1e-11
    torch.testing.assert_close(found.double(), plain, rtol=rtol, atol=0)
    assert len(taken) == 1


def test_zeros_are_no_lost_digits(monkeypatch):
    graph, _ = place("both", "graph", False)
    x = torch.zeros(10, 2)
    x[3], x[0, 1] = 0.3, 0.7
    conv = HyperSAGEConv(2, 1, include_self=False)
    plain = conv.aggregate(graph, x, fast=False)
    monkeypatch.setattr(fast_paths.without_self, "inside_without_self", None)
    found = conv.aggregate(graph, x)
    assert torch.equal(found == 0, plain == 0)
    torch.testing.assert_close(found, plain, rtol=1e-6, atol=0)


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("dominant", [1.0, 1e16])
def test_some_columns_at_a_time(dominant, p, monkeypatch):
    monkeypatch.setattr(fused, "ENTRIES", 1)
    graph, _ = place("both", "graph", False)
    x = torch.rand(10, 20, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    # Digits are lost in the second part of three alone.
    x[0, 9] = dominant
    rows = {fast: x.clone().requires_grad_() for fast in (True, False)}
    conv = HyperSAGEConv(20, 1, p, include_self=False)
    found = {fast: conv.aggregate(graph, row, fast=fast) for fast, row in rows.items()}
    torch.testing.assert_close(found[True], found[False], rtol=1e-11, atol=0)
    for fast in found:
        found[fast].sum().backward()
    torch.testing.assert_close(rows[True].grad, rows[False].grad)


def test_what_it_is_not_for():
    intra, inter = split_stages(place("none", "graph", False)[0])
    x = features(torch.float32)
    mean = PowerMean(2)
    assert others.applies(intra, inter, x, mean, mean)
    assert not others.applies(intra, inter, x, mean, PowerMean(3))
    assert not others.applies(intra, inter, x, Max(), Max())
    assert not others.applies(intra, inter, x.bfloat16(), mean, mean)
    assert not others.applies(intra, inter, x, *[PowerMean(1000)] * 2)
    assert not others.applies(intra, inter, x, *[PowerMean(20)] * 2)


def test_second_derivatives():
    graph, _ = place("both", "graph", False)
    conv = layer(1, "size", False, torch.float64)
    x = features(torch.float64, zeros=False).requires_grad_()
    assert torch.autograd.gradgradcheck(lambda x: conv.aggregate(graph, x).pow(2), x)
