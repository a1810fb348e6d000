"""Power means whose powers no float holds, against logarithms in Python's floats."""

from __future__ import annotations

import itertools
import math

import pytest
import torch
from oracle import Case, aggregate

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import HyperSAGEConv, Max, PowerMean
from hypersage_dgl.nn.large_powers import exceeds_floats, pass_large_powers, sign_of
from hypersage_dgl.nn.message_passing import pass_messages
from hypersage_dgl.nn.stage import Stage

HYPEREDGES = [[0, 1, 2, 3], [2, 3], [4], [0, 3, 4], [5, 0, 1, 2]]
IN, CONTAINS = ("node", "in", "hyperedge"), ("hyperedge", "contains", "node")
POWERS = [50, 200, -200, 1000, -1000]
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}
# As spread out as features are: the floor, far below it, equal ones, large ones.
ROWS = [[0.0, 3.0], [1e-3, 3.0], [0.7, 0.2], [0.7001, 1e3], [5.0, 0.0], [0.02, 1e-2]]


def log_mean(values, weights, p, eps=1e-2):
    """Weighted power mean by logarithms: largest term out, the others relative to it."""
    terms = [p * math.log(max(x, eps)) + math.log(w) for x, w in zip(values, weights)]
    largest = max(terms)
    total = largest + math.log(math.fsum(math.exp(t - largest) for t in terms))
    return math.exp((total - math.log(math.fsum(weights))) / p)


def expected(weights, powers):
    """F1 of every hyperedge; weights by incidence, a power for each channel."""
    left = iter(weights)
    by_hyperedge = [[next(left) for _ in members] for members in HYPEREDGES]
    rows = [
        [log_mean([ROWS[v][c] for v in members], w, p) for c, p in enumerate(powers)]
        for members, w in zip(HYPEREDGES, by_hyperedge)
    ]
    return torch.tensor(rows, dtype=torch.float64)


WEIGHTS = {"none": [1.0] * 14, "weighted": [10.0 ** ((7 * i) % 5 - 2) for i in range(14)]}


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("p", [*POWERS, 20, -20, 5.5])
def test_values(p, weights, dtype):
    x = torch.tensor(ROWS, dtype=dtype)
    weight = torch.tensor(WEIGHTS[weights], dtype=torch.float64)
    stage = Stage(hypergraph(HYPEREDGES), IN, edge_weight=None if weights == "none" else weight)
    target = expected(WEIGHTS[weights], (p, p))
    actual = pass_messages(stage, x, PowerMean(p))
    assert actual.dtype == dtype
    torch.testing.assert_close(actual.double(), target, rtol=TOLERANCE[dtype], atol=0)
    # The way around is exact wherever it is taken, also where floats would do.
    actual = pass_large_powers(stage, x, PowerMean(p))
    torch.testing.assert_close(actual.double(), target, rtol=TOLERANCE[dtype], atol=0)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("powers", [(1000.0, -1000.0), (200.0, 1.5), (-200.0, 0.0), (0.05, 1000.0)])
def test_learned_powers_by_channel(powers, weights):
    learned = PowerMean(2.0, learn=True, channels=2).double()
    with torch.no_grad():
        learned.p.copy_(torch.tensor(powers))
    weight = torch.tensor(WEIGHTS[weights], dtype=torch.float64)
    stage = Stage(hypergraph(HYPEREDGES), IN, edge_weight=None if weights == "none" else weight)
    x = torch.tensor(ROWS, dtype=torch.float64)
    assert exceeds_floats(learned, x)
    # p=0 is a geometric mean, which has a formula of its own.
    near = [p if p != 0 else 1e-9 for p in powers]
    torch.testing.assert_close(
        pass_messages(stage, x, learned), expected(WEIGHTS[weights], near), rtol=1e-6, atol=0
    )


def test_weights_of_sources():
    weight = torch.tensor([0.1, 10.0, 1.0, 2.0, 5.0, 0.01], dtype=torch.float64)
    stage = Stage(hypergraph(HYPEREDGES), IN, weight)
    by_incidence = [float(weight[v]) for members in HYPEREDGES for v in members]
    for p in POWERS:
        actual = pass_messages(stage, torch.tensor(ROWS, dtype=torch.float64), PowerMean(p))
        torch.testing.assert_close(actual, expected(by_incidence, (p, p)), rtol=1e-10, atol=0)


@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("inter", ["size", "mean", "paper", "invariant"])
@pytest.mark.parametrize("p", POWERS)
def test_both_levels_of_the_layer(p, inter, include_self):
    case = Case(HYPEREDGES, ROWS, inter, include_self, (p, p))
    target = torch.tensor(aggregate(case), dtype=torch.float64)
    for dtype, rtol in TOLERANCE.items():
        conv = HyperSAGEConv(2, 1, p, inter=inter, include_self=include_self).to(dtype)
        for fast in (True, False):
            actual = conv.aggregate(
                hypergraph(HYPEREDGES), torch.tensor(ROWS, dtype=dtype), fast=fast
            )
            torch.testing.assert_close(actual.double(), target, rtol=rtol, atol=0)


@pytest.mark.parametrize("p", POWERS)
def test_empty_destinations_are_zero_and_gradients_finite(p):
    stage = Stage(hypergraph([[0, 1], [1, 2]], 5), CONTAINS)
    x = torch.tensor([[0.0], [7.0]], requires_grad=True)
    out = pass_messages(stage, x, PowerMean(p))
    assert out[3:].tolist() == [[0.0], [0.0]]
    out.sum().backward()
    assert bool(torch.isfinite(x.grad).all())


@pytest.mark.parametrize("p", [*POWERS, -50])
def test_gradients(p):
    graph = hypergraph(HYPEREDGES)
    # Near one another, or the slope of all but the largest is zero.
    x = (1 + torch.rand(6, 2, dtype=torch.float64) / abs(p)).requires_grad_()
    weight = torch.linspace(0.5, 2, 14, dtype=torch.float64, requires_grad=True)

    def run(x, weight):
        return pass_large_powers(Stage(graph, IN, edge_weight=weight), x, PowerMean(p))

    assert torch.autograd.gradcheck(run, (x, weight), eps=1e-8, atol=1e-4, rtol=1e-3)


def test_lies_between_the_mean_and_the_largest_and_grows_with_p():
    stage, x = Stage(hypergraph(HYPEREDGES), IN), torch.rand(6, 2, dtype=torch.float64) + 0.1
    rows = [pass_messages(stage, x, PowerMean(p)) for p in (-1000, -200, -50, 50, 200, 1000)]
    for smaller, larger in itertools.pairwise(rows):
        assert bool((smaller <= larger * (1 + 1e-12)).all())
    largest = pass_messages(stage, x, Max())
    assert bool((rows[-1] <= largest).all())
    # M_p ≥ n^(-1/p) max
    assert bool((rows[-1] >= largest * 4 ** (-1 / 1000) * (1 - 1e-12)).all())


def test_which_powers_exceed():
    small, large = torch.tensor([[0.5]]), torch.tensor([[1e30]])
    assert [exceeds_floats(PowerMean(p), small) for p in (1, 2, 20, 100, 1000, -1000)] == [
        *[False] * 4,
        *[True] * 2,
    ]
    assert exceeds_floats(PowerMean(20), large)
    assert not exceeds_floats(PowerMean(1), large)
    assert not exceeds_floats(PowerMean(math.inf), large)
    assert not exceeds_floats(Max(), large)
    assert not exceeds_floats(PowerMean(1000), torch.empty(0, 3))


def test_sign_says_who_dominates():
    assert (sign_of(PowerMean(7)), sign_of(PowerMean(-7))) == (1.0, -1.0)
    learned = PowerMean(1.0, learn=True, channels=3)
    with torch.no_grad():
        learned.p.copy_(torch.tensor([3.0, -2.0, 0.0]))
    assert sign_of(learned).tolist() == [1, -1, 1]
