"""The layer equals the oracle: every weighting, self or not, every p, on random hypergraphs."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import Case, aggregate, aggregate_node, intra, layer
from products import product
from random_hypergraphs import WIDTH, hypergraphs

from hypersage_dgl import hypergraph, induced
from hypersage_dgl.nn import HyperSAGEConv

INF = math.inf
SINGLE = [-20, -1, 0, 0.01, 0.5, 1, 2, 3, 20, INF, -INF]
PAIRS = [
    *((p, p) for p in SINGLE),
    *((1, 2), (2, 1), (INF, 1), (1, INF), (-1, 3), (0, 1), (1, 0), (0.5, -20), (20, -1)),
    *((-INF, INF), (3, 0.01), (0.01, 0.5), (-20, 20), (1, -1)),
]
INTERS = ["size", "mean", "paper", "invariant"]
TOLERANCE = {torch.float32: 1e-4, torch.float64: 1e-7}


def allowed(inter: str) -> list[tuple[float, float]]:
    """Where weights do not sum to one, s^(1/p) explodes at small |p|."""
    return [pair for pair in PAIRS if inter in ("size", "mean") or abs(pair[1]) >= 0.5]


def assert_near(actual, expected, dtype, p):
    """Compare relatively; a sum of signed numbers, at p=1, may come out at zero."""
    assert actual.dtype == dtype
    expected = torch.tensor(expected, dtype=torch.float64).reshape(actual.shape)
    rtol = TOLERANCE[dtype]
    atol = rtol if p == (1, 1) else 0
    torch.testing.assert_close(actual.double(), expected, rtol=rtol, atol=atol)


def as_argument(p):
    """Give one number where both levels share it."""
    return p[0] if p[0] == p[1] else p


@pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])
@pytest.mark.parametrize("inter", INTERS)
@settings(max_examples=6 * settings.default.max_examples)
@given(h=hypergraphs(), data=st.data())
def test_aggregate(h, data, inter, include_self):
    p = data.draw(st.sampled_from(allowed(inter)), label="p")
    x = h.features(signed=p == (1, 1))
    expected = aggregate(h.case(x, p, inter=inter, include_self=include_self))
    graph = h.graph()
    for dtype in TOLERANCE:
        conv = HyperSAGEConv(WIDTH, 2, as_argument(p), inter=inter, include_self=include_self)
        conv = conv.to(dtype)
        assert_near(conv.aggregate(graph, x.to(dtype)), expected, dtype, p)
        assert_near(conv.aggregate(graph, x.to(dtype), fast=False), expected, dtype, p)


@pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])
@pytest.mark.parametrize("inter", INTERS)
@given(h=hypergraphs(), data=st.data())
def test_forward(h, data, inter, include_self):
    p = data.draw(st.sampled_from(allowed(inter)), label="p")
    normalize = data.draw(st.booleans(), label="normalize")
    x = h.features(signed=p == (1, 1))
    torch.manual_seed(h.seed)
    conv = HyperSAGEConv(
        WIDTH, 4, as_argument(p), inter=inter, include_self=include_self, normalize=normalize
    ).double()
    torch.nn.init.normal_(conv.linear.bias)
    case = h.case(x, p, inter=inter, include_self=include_self)
    rows = layer(case, conv.linear.weight.tolist(), conv.linear.bias.tolist(), normalize)
    expected = torch.tensor(rows, dtype=torch.float64)
    # W mixes signs, so a channel may come out near zero: relative to the largest.
    scale = float(expected.abs().max())
    torch.testing.assert_close(conv(h.graph(), x), expected, rtol=1e-7, atol=1e-7 * scale)


@given(h=hypergraphs(), data=st.data())
def test_hyperedge_embed(h, data):
    p = data.draw(st.sampled_from(SINGLE), label="p")
    x = h.features(signed=p == 1)
    case = h.case(x, (p, p))
    expected = [intra(case, e, set(members)) for e, members in enumerate(h.hyperedges)]
    for dtype in TOLERANCE:
        conv = HyperSAGEConv(WIDTH, 2, p).to(dtype)
        assert_near(conv.hyperedge_embed(h.graph(), x.to(dtype)), expected, dtype, (p, p))


@pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])
@pytest.mark.parametrize("inter", INTERS)
@given(h=hypergraphs(), data=st.data())
def test_edge_weight_stands_in_for_the_stored_one(h, data, inter, include_self):
    p = data.draw(st.sampled_from(allowed(inter)), label="p")
    x = h.features()
    graph = h.graph()
    given_weight = h.positive(graph.num_edges("in"), salt=6).double()
    case = h.case(x, p, inter=inter, include_self=include_self)
    pairs = [(v, e) for e, members in enumerate(h.hyperedges) for v in members]
    case.incidence_weight = dict(zip(pairs, given_weight.tolist()))
    conv = HyperSAGEConv(WIDTH, 2, as_argument(p), inter=inter, include_self=include_self).double()
    for fast in (True, False):
        actual = conv.aggregate(graph, x, edge_weight=given_weight, fast=fast)
        assert_near(actual, aggregate(case), torch.float64, p)


@pytest.mark.parametrize("p", SINGLE)
@pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])
def test_hyperedges_that_a_cut_emptied_count_for_nothing(p, include_self):
    hyperedges = [[0, 1, 2], [3], [2, 3], [1, 2]]
    cut = induced(hypergraph(hyperedges, 5), [0, 1, 2, 4])
    plain = hypergraph([[0, 1, 2], [2], [1, 2]], 4)
    x = torch.rand(4, WIDTH, dtype=torch.float64)
    conv = HyperSAGEConv(WIDTH, 2, p, include_self=include_self).double()
    torch.testing.assert_close(conv.aggregate(cut, x), conv.aggregate(plain, x))
    assert torch.isfinite(conv.hyperedge_embed(cut, x)).all()


def test_equal_hyperedges_are_one_of_weight_two():
    x = torch.rand(4, WIDTH, dtype=torch.float64)
    twice = hypergraph([[0, 1, 2], [0, 1, 2], [2, 3]])
    heavy = hypergraph([[0, 1, 2], [2, 3]], hyperedge_weight=[2.0, 1.0])
    for p in (-1, 0, 2, (3, 1)):
        conv = HyperSAGEConv(WIDTH, 2, p).double()
        torch.testing.assert_close(conv.aggregate(twice, x), conv.aggregate(heavy, x))


@pytest.mark.parametrize("inter", INTERS)
def test_weights_of_one_are_no_weights(inter):
    hyperedges = [[0, 1, 2], [2, 3], [0, 2, 3, 4]]
    ones = hypergraph(hyperedges, hyperedge_weight=[1.0] * 3, incidence_weight=[1.0] * 9)
    x = torch.rand(5, WIDTH, dtype=torch.float64)
    conv = HyperSAGEConv(WIDTH, 2, 2, inter=inter).double()
    torch.testing.assert_close(conv.aggregate(ones, x), conv.aggregate(hypergraph(hyperedges), x))


@pytest.mark.parametrize("p", [-100, -20, -1, 0, 0.01, 1, 2, 20, 100])
@pytest.mark.parametrize("light", [0, 1, 2])
def test_lopsided_weights_without_self(p, light):
    # The member that dominates by its value weighs next to nothing, so that without v the sum is
    # next to nothing too: v's own term must not be subtracted from it.
    x = [[1.01], [3.0], [1.0]] if p < 0 else [[1.19], [0.5], [1.2]]
    feat = torch.tensor(x)
    weights = [1e-6 if i == light else 1.0 for i in range(3)]
    graph = hypergraph([[0, 1, 2]], incidence_weight=weights)
    stored = graph.edges["in"].data["weight"].tolist()
    case = Case(
        [[0, 1, 2]],
        feat.tolist(),
        include_self=False,
        p=(p, p),
        incidence_weight={(v, 0): stored[v] for v in range(3)},
    )
    actual = HyperSAGEConv(1, 1, p, include_self=False).aggregate(graph, feat)
    assert_near(actual, aggregate(case), torch.float32, (p, p))


@product(
    {
        "p": [-20, -1, 0.01, 0.5, 1, 2, 20, (1, 2), (-1, 20)],
        "inter": INTERS,
        "include_self": [True, False],
    }
)
@pytest.mark.many
def test_large_hyperedges_and_degrees(p, inter, include_self):
    if p == 0.01 and inter in ("paper", "invariant"):
        p = -0.5
    # Node 0 is in a hyperedge of 400 and in 150 of up to 12.
    numbers = torch.Generator().manual_seed(8)
    small = [
        [0, *(torch.randperm(399, generator=numbers)[: 1 + i % 11] + 1).tolist()]
        for i in range(150)
    ]
    hyperedges = [list(range(400)), *small]
    x = torch.rand(400, 2, generator=numbers) * (torch.rand(400, 2, generator=numbers) > 0.5)
    pair = p if isinstance(p, tuple) else (p, p)
    case = Case(hyperedges, x.tolist(), inter, include_self, pair)
    expected = [aggregate_node(case, v) for v in (0, 1, 399)]
    for dtype in TOLERANCE:
        conv = HyperSAGEConv(2, 2, p, inter=inter, include_self=include_self).to(dtype)
        for fast in (True, False):
            actual = conv.aggregate(hypergraph(hyperedges), x.to(dtype), fast=fast)
            assert_near(actual[[0, 1, 399]], expected, dtype, pair)
