"""Gradients of the layer: right by finite differences, and finite where the data are zero."""

from __future__ import annotations

import math

import pytest
import torch

from hypersage_dgl import hypergraph, hypergraph_from_incidence
from hypersage_dgl.nn import LSTM, Attention, HyperSAGEConv, Max, Mean, Min, PowerMean, Sum

INF = math.inf
# Overlapping, equal and singleton hyperedges; node 5 is isolated.
HYPEREDGES = [[0, 1, 2, 3], [2, 3], [3, 2], [4], [0, 3, 4]]
WEIGHTS = {
    "hyperedge_weight": [1.0, 0.5, 2.0, 3.0, 1.5],
    "incidence_weight": [0.3 + 0.2 * i for i in range(12)],
}
SELF = pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])


def distinct(width: int = 2) -> torch.Tensor:
    """Float64 features above the floor, no two alike, so that max and min have a slope."""
    numbers = torch.Generator().manual_seed(4)
    x = torch.randperm(6 * width, generator=numbers).double().view(6, width) / 10 + 0.3
    return x.requires_grad_()


def learned_of(conv) -> list[torch.nn.Parameter]:
    return [q for name, q in conv.named_parameters() if not name.startswith("linear")]


def check(conv, graph, fast: bool = True) -> None:
    """Compare with finite differences, in the features and in what the aggregators learn."""
    conv = conv.double()

    def aggregate(x, *_):
        return conv.aggregate(graph, x, fast=fast)

    assert torch.autograd.gradcheck(aggregate, (distinct(), *learned_of(conv)), fast_mode=True)


@SELF
@pytest.mark.parametrize("fast", [True, False], ids=["fast", "plain"])
@pytest.mark.parametrize("p", [-20, -1, 0, 0.01, 0.5, 1, 2, 3, 20, 100, INF, -INF])
def test_of_every_p(p, include_self, fast):
    conv = HyperSAGEConv(2, 2, p, include_self=include_self)
    check(conv, hypergraph(HYPEREDGES, 6, **WEIGHTS), fast)


@SELF
@pytest.mark.parametrize("p", [(1, 2), (INF, 1), (-1, 3), (0, -20), (20, -INF)])
def test_of_pairs_of_p(p, include_self):
    conv = HyperSAGEConv(2, 2, p, include_self=include_self)
    check(conv, hypergraph(HYPEREDGES, 6, **WEIGHTS))


@SELF
@pytest.mark.parametrize("fast", [True, False], ids=["fast", "plain"])
@pytest.mark.parametrize("p", [-20, 0.5, 1, 2, (1, 2), INF])
def test_of_learned_weights_beside_an_empty_hyperedge(p, include_self, fast):
    graph = hypergraph_from_incidence([0, 1, 2, 4], [0, 0, 2, 2], 6, 4, allow_empty=True)
    conv = HyperSAGEConv(2, 2, p, include_self=include_self).double()

    def aggregate(x, of_hyperedges, of_incidences):
        graph.nodes["hyperedge"].data["weight"] = of_hyperedges
        graph.edges["in"].data["weight"] = of_incidences
        return conv.aggregate(graph, x, fast=fast)

    weights = [torch.linspace(0.5, 2, 4, dtype=torch.float64).requires_grad_() for _ in range(2)]
    assert torch.autograd.gradcheck(aggregate, (distinct(), *weights), fast_mode=True)


@SELF
@pytest.mark.parametrize("inter", ["mean", "paper", "invariant"])
@pytest.mark.parametrize("p", [-20, -1, 0.5, 1, 2, 20])
def test_of_every_weighting(inter, p, include_self):
    conv = HyperSAGEConv(2, 2, p, inter=inter, include_self=include_self)
    check(conv, hypergraph(HYPEREDGES, 6, **WEIGHTS))


@SELF
@pytest.mark.parametrize("p", [-20.0, -1.0, 0.0, 0.05, 0.5, 1.0, 2.0, 20.0])
@pytest.mark.parametrize("channels", [None, 2])
@pytest.mark.many
def test_of_a_learned_p(p, channels, include_self):
    learned = PowerMean(p, learn=True, channels=channels)
    conv = HyperSAGEConv(2, 2, learned, include_self=include_self)
    assert len(learned_of(conv)) == 1
    check(conv, hypergraph(HYPEREDGES, 6, **WEIGHTS))


@SELF
@pytest.mark.parametrize("level", ["intra_aggr", "inter_aggr"])
@pytest.mark.parametrize(
    "make",
    [
        Mean,
        Sum,
        Max,
        Min,
        lambda: LSTM(2),
        lambda: PowerMean(2.0, learn=True),
        lambda: Attention(2, hidden=3),
    ],
    ids=["mean", "sum", "max", "min", "lstm", "learned", "attention"],
)
def test_of_every_aggregator(make, level, include_self):
    aggregator = make()
    # An LSTM gives negative numbers, which only p=1 takes.
    p = 1.0 if isinstance(aggregator, LSTM) else 3.0
    conv = HyperSAGEConv(2, 2, p, include_self=include_self, **{level: aggregator})
    check(conv, hypergraph(HYPEREDGES, 6))


@SELF
@pytest.mark.parametrize("p", [-1, 0, 1, 2, 20, (1, 3)])
def test_of_a_learned_node_weight(p, include_self):
    conv = HyperSAGEConv(2, 2, p, include_self=include_self, node_weight="hypermsg").eval()
    assert len(learned_of(conv)) == 6
    check(conv, hypergraph(HYPEREDGES, 6, **WEIGHTS))
    check(conv, hypergraph(HYPEREDGES, 6), fast=False)


@SELF
@pytest.mark.parametrize("p", [-1, 0, 1, 2, 20])
def test_of_the_incidence_weights(p, include_self):
    graph = hypergraph(HYPEREDGES, 6)
    conv = HyperSAGEConv(2, 2, p, include_self=include_self).double()
    weight = torch.tensor(WEIGHTS["incidence_weight"], dtype=torch.float64, requires_grad=True)
    x = distinct().detach()
    assert torch.autograd.gradcheck(lambda a: conv.aggregate(graph, x, a), weight, fast_mode=True)


@SELF
@pytest.mark.parametrize("learn", [False, True], ids=["fixed", "learned"])
@pytest.mark.parametrize("p", [-20, -5, -1, -0.5, -0.01, 0, 0.01, 0.5, 1, 2, 3, 5, 20, 50, 100])
@pytest.mark.many
def test_are_finite_with_exact_zeros_in_float32(p, learn, include_self):
    numbers = torch.Generator().manual_seed(1)
    x = torch.rand(40, 6, generator=numbers) * (torch.rand(40, 6, generator=numbers) > 0.7)
    x[:4] = 0
    hyperedges = [
        torch.randperm(38, generator=numbers)[: int(n)].tolist()
        for n in torch.randint(1, 9, (30,), generator=numbers)
    ]
    graph = hypergraph([[0, 1, 2, 3], [0, 1], *hyperedges], 40)
    power = PowerMean(float(p), learn=True) if learn else p
    conv = HyperSAGEConv(6, 3, power, include_self=include_self)
    x.requires_grad_()
    for fast in (True, False):
        out = conv(graph, x).square().sum() + conv.aggregate(graph, x, fast=fast).sum()
        gradients = torch.autograd.grad(out, [x, *conv.parameters()])
        assert all(bool(torch.isfinite(g).all()) for g in gradients)
        assert bool((gradients[0] != 0).any())


@SELF
@pytest.mark.parametrize("p", [(2, -1), (-20, 100), (100, -20), (0, 3), (INF, 0), (1, -INF)])
def test_of_pairs_are_finite_with_exact_zeros_in_float32(p, include_self):
    x = torch.rand(6, 4)
    x[x < 0.5] = 0
    x[1] = 0
    x.requires_grad_()
    conv = HyperSAGEConv(4, 3, p, include_self=include_self)
    conv(hypergraph(HYPEREDGES, 6), x).square().sum().backward()
    assert all(bool(torch.isfinite(q.grad).all()) for q in [x, *conv.parameters()])


def test_a_row_of_zeros_has_a_finite_gradient():
    # Node 2 is isolated and zero: nothing to normalise.
    x = torch.zeros(3, 2, requires_grad=True)
    conv = HyperSAGEConv(2, 2)
    out = conv(hypergraph([[0, 1]], 3), x)
    out.sum().backward()
    assert torch.isfinite(x.grad).all()
    assert torch.equal(out[2], conv.linear.bias)


@SELF
@pytest.mark.parametrize("p", [-20, -5, -4, -1, -0.05, 0, 0.05, 0.5, 2, 5, 20])
def test_are_finite_with_a_tiny_floor(p, include_self):
    eps = 1e-7
    x = torch.tensor([[2 * eps], [0.0], [0.3], [eps], [0.9], [0.5]], requires_grad=True)
    conv = HyperSAGEConv(1, 3, p, eps=eps, include_self=include_self)
    conv(hypergraph(HYPEREDGES, 6), x).square().sum().backward()
    assert torch.isfinite(x.grad).all()


SMALL = [[0, 1, 2], [2, 3], [1, 3]]


@pytest.mark.parametrize("p", [1, 2, 0.01, (1, 2)])
@pytest.mark.parametrize("inter", ["size", "mean", "paper", "invariant"])
@pytest.mark.many
def test_gradients_of_weights_that_equal_one(inter, p):
    if p == 0.01 and inter in ("paper", "invariant"):
        p = 3
    conv, x = (
        HyperSAGEConv(3, 2, p, inter=inter).double(),
        torch.rand(4, 3, dtype=torch.float64) + 0.1,
    )

    def of_incidences(weight):
        return conv.aggregate(hypergraph(SMALL), x, weight)

    def of_hyperedges(weight):
        graph = hypergraph(SMALL)
        graph.nodes["hyperedge"].data["weight"] = weight
        return conv.aggregate(graph, x)

    for function, count in ((of_incidences, 7), (of_hyperedges, 3)):
        ones = torch.ones(count, dtype=torch.float64, requires_grad=True)
        assert torch.autograd.gradcheck(function, ones)
