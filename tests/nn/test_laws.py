"""Laws of the aggregation: equivariance, invariance, limits, order, locality."""

from __future__ import annotations

import itertools
import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from products import product
from random_hypergraphs import WIDTH, hypergraphs

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import LSTM, HyperSAGEConv, Max, Mean, Min, Sum

INF = math.inf
INTERS = ["size", "mean", "paper", "invariant"]
POWERS = [-20, -1, 0.5, 1, 2, 20, INF, -INF, (INF, 1), (1, 2), (-1, 3)]
SELF = pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])


def aggregate(hyperedges, x, p, **options):
    return (
        HyperSAGEConv(x.shape[1], 2, p, **options)
        .to(x.dtype)
        .aggregate(hypergraph(hyperedges, len(x)), x)
    )


def positive(*shape: int, seed: int = 0) -> torch.Tensor:
    """Float64 features well above the floor."""
    numbers = torch.Generator().manual_seed(seed)
    return torch.rand(*shape, generator=numbers, dtype=torch.float64) * 3 + 0.1


class TestPropertyOne:
    """Equivariance under relabelling of nodes and hyperedges. The LSTM is exempt: see below."""

    @SELF
    @pytest.mark.parametrize("inter", INTERS)
    @given(h=hypergraphs(weighted=False), data=st.data())
    def test_holds_for_power_means(self, h, data, inter, include_self):
        p = data.draw(st.sampled_from(POWERS), label="p")
        options = {"p": p, "inter": inter, "include_self": include_self}
        self.check(h, data, options)

    @SELF
    @pytest.mark.parametrize("make", [Mean, Sum, Max, Min])
    @given(h=hypergraphs(weighted=False), data=st.data())
    def test_holds_for_the_plain_aggregators(self, h, data, make, include_self):
        options = {"p": 2, "include_self": include_self, "intra_aggr": make(), "inter_aggr": make()}
        self.check(h, data, options)

    @staticmethod
    def check(h, data, options):
        x = h.features(least=0.1)
        sigma = data.draw(st.permutations(range(h.num_nodes)), label="nodes")
        tau = data.draw(st.permutations(range(len(h.hyperedges))), label="hyperedges")
        renamed = [[sigma[v] for v in reversed(h.hyperedges[e])] for e in tau]
        moved = torch.empty_like(x)
        moved[sigma] = x
        torch.testing.assert_close(
            aggregate(renamed, moved, **options)[sigma],
            aggregate(h.hyperedges, x, **options),
            rtol=1e-10,
            atol=1e-10,
        )

    @pytest.mark.parametrize("level", ["intra_aggr", "inter_aggr"])
    def test_does_not_hold_for_the_lstm(self, level):
        torch.manual_seed(0)
        conv = HyperSAGEConv(2, 2, **{level: LSTM(2)}).double()
        x = positive(4, 2)
        first = conv.aggregate(hypergraph([[0, 1, 2], [0, 3]]), x)
        second = conv.aggregate(hypergraph([[3, 0], [2, 0, 1]]), x)
        assert float((first - second).detach()[0].abs().max()) > 1e-3


class TestPropertyTwo:
    """Node 0 dominates a hyperedge of eight, which is split into unequal parts that share it."""

    WHOLE = ([0, 1, 2, 3, 4, 5, 6, 7], [0, 8, 9])
    SPLIT = ([0, 1], [0, 2, 3], [0, 4, 5, 6, 7], [0, 8, 9])
    OVERLAPPING = ([0, 1, 2, 3], [0, 3, 4, 5, 6, 7], [0, 8, 9])

    def change(self, parts, **options) -> float:
        """Relative change of F2(0) from the whole to the parts."""
        x = positive(10, 3)
        whole = aggregate(self.WHOLE, x, **options)[0]
        return float((aggregate(parts, x, **options)[0] / whole - 1).abs().max())

    @pytest.mark.parametrize("inter", ["invariant", "size"])
    @pytest.mark.parametrize("p", [-20, -1, 0.5, 1, 2, 3, 20, INF, -INF])
    def test_holds_without_self(self, inter, p):
        assert self.change(self.SPLIT, p=p, inter=inter, include_self=False) < 1e-12

    def test_holds_at_the_geometric_mean(self):
        assert self.change(self.SPLIT, p=0, inter="size", include_self=False) < 1e-12

    @pytest.mark.parametrize("inter", ["paper", "mean"])
    @pytest.mark.parametrize("p", [-1, 0.5, 1, 2])
    def test_fails_for_paper_and_mean(self, inter, p):
        assert self.change(self.SPLIT, p=p, inter=inter, include_self=False) > 0.01

    def test_fails_for_paper_by_the_number_of_hyperedges_alone(self):
        # Two hyperedges become four: Eq. 4 halves at p=1.
        change = self.change(self.SPLIT, p=1, inter="paper", include_self=False)
        assert change == pytest.approx(0.5)

    @pytest.mark.parametrize("inter", ["invariant", "size"])
    def test_fails_with_self(self, inter):
        assert self.change(self.SPLIT, p=1, inter=inter, include_self=True) > 0.01

    @pytest.mark.parametrize("inter", ["invariant", "size"])
    @pytest.mark.parametrize("p", [(1, 2), (2, 1), (INF, 1)])
    def test_fails_with_two_powers(self, inter, p):
        assert self.change(self.SPLIT, p=p, inter=inter, include_self=False) > 0.01

    @pytest.mark.parametrize("inter", INTERS)
    @pytest.mark.parametrize("p", [-1, 1, 2])
    def test_fails_under_overlapping_splits(self, inter, p):
        assert self.change(self.OVERLAPPING, p=p, inter=inter, include_self=False) > 0.01


@SELF
@pytest.mark.parametrize("inter", ["size", "mean"])
class TestLimits:
    HYPEREDGES = ([0, 1, 2, 3], [2, 3, 4], [4, 5], [5, 4], [0, 5, 6, 7])

    def distance(self, p, limit, inter, include_self) -> float:
        x = positive(9, 6, seed=2)
        options = {"inter": inter, "include_self": include_self}
        near = aggregate(self.HYPEREDGES, x, p, **options)[:8]
        far = aggregate(self.HYPEREDGES, x, limit, **options)[:8]
        return float((near.log() - far.log()).abs().max())

    @pytest.mark.parametrize("sign", [1, -1])
    def test_at_infinity(self, sign, inter, include_self):
        for p in (20, 100, 400):
            # Every weight is at least 1/24, so M_p lies within 24^(1/p) of the extreme.
            distance = self.distance(sign * p, sign * INF, inter, include_self)
            assert 0 < distance < math.log(24) / p

    @pytest.mark.parametrize("sign", [1, -1])
    def test_at_zero(self, sign, inter, include_self):
        near = [self.distance(sign * p, 0, inter, include_self) for p in (1e-2, 1e-3, 1e-4)]
        assert 0 < near[0] < 0.02
        # To first order the distance is p·Var(log x)/2.
        assert near[0] / near[1] == pytest.approx(10, rel=0.05)
        assert near[1] / near[2] == pytest.approx(10, rel=0.05)


@SELF
@pytest.mark.parametrize("inter", ["size", "mean"])
@given(h=hypergraphs())
def test_grows_with_p(h, inter, include_self):
    x = h.features(least=0.011)
    graph = h.graph()
    rows = [
        HyperSAGEConv(WIDTH, 2, p, inter=inter, include_self=include_self)
        .double()
        .aggregate(graph, x)
        for p in (-INF, -20, -3, -1, -0.05, 0, 0.01, 0.5, 1, 2, 20, INF)
    ]
    for smaller, larger in itertools.pairwise(rows):
        assert (smaller <= larger * (1 + 1e-10)).all()


@product({"p": [p for p in POWERS if p != 0], "inter": INTERS, "include_self": [True, False]})
@pytest.mark.many
def test_a_change_in_another_component_leaves_a_row_bit_identical(p, inter, include_self):
    near, far = [[0, 1, 2, 3], [2, 3], [3], [1, 4, 0]], [[6, 7, 8], [8, 9], [9]]
    graph = hypergraph(near + far, 11)
    x = positive(11, 3).float()
    conv = HyperSAGEConv(3, 4, p, inter=inter, include_self=include_self)
    for other in (0.0, 1e6):
        changed = x.clone()
        changed[6:] *= other
        for fast in (True, False):
            before, after = (conv.aggregate(graph, y, fast=fast) for y in (x, changed))
            assert torch.equal(before[:6], after[:6])
        assert torch.equal(conv(graph, x)[:6], conv(graph, changed)[:6])


@SELF
@pytest.mark.parametrize("p", [-20, 0, 0.01, 1, 2, 20, INF, (INF, 1)])
def test_new_hyperedges_elsewhere_leave_a_row_as_it_is(p, include_self):
    near = [[0, 1, 2, 3], [2, 3], [1, 4, 0]]
    x = positive(9, 3).float()
    small = aggregate(near, x, p, include_self=include_self)
    large = aggregate([*near, [6, 7, 8], [8]], x, p, include_self=include_self)
    # Not to the bit: where a row lies decides how torch rounds its powers.
    torch.testing.assert_close(small[:6], large[:6], rtol=1e-6, atol=0)
