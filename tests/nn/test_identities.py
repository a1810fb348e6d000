"""What the layer is in matrix terms, and what Figure 1 of the paper says against what is so."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from random_hypergraphs import WIDTH, hypergraphs

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import HyperSAGEConv, Max, Mean

INF = math.inf
INTERS = ["size", "mean", "paper", "invariant"]
SELF = pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])


def incidence_matrix(hyperedges, num_nodes: int) -> np.ndarray:
    """Give H, nodes × hyperedges."""
    matrix = np.zeros((num_nodes, len(hyperedges)))
    for e, members in enumerate(hyperedges):
        matrix[members, e] = 1
    return matrix


def clique_expansion(hyperedges, num_nodes: int) -> np.ndarray:
    """Give the adjacency of the clique expansion, weighted by common hyperedges."""
    incidence = incidence_matrix(hyperedges, num_nodes)
    common = incidence @ incidence.T
    np.fill_diagonal(common, 0)
    return common


def aggregate(hyperedges, x, p=1.0, **options) -> torch.Tensor:
    conv = HyperSAGEConv(x.shape[1], 2, p, **options).double()
    return conv.aggregate(hypergraph(hyperedges, len(x)), x)


@given(h=hypergraphs(weighted=False), p=st.sampled_from([-3, -1, 0.5, 1, 2, 3]))
def test_size_without_self_is_the_weighted_clique_expansion_on_powers(h, p):
    x = h.features(least=0.05)
    adjacency = clique_expansion(h.hyperedges, h.num_nodes)
    degree = adjacency.sum(axis=1, keepdims=True)
    mean = adjacency @ x.numpy() ** p / np.where(degree == 0, 1, degree)
    expected = np.where(degree == 0, 0, np.where(degree == 0, 1, mean) ** (1 / p))
    actual = aggregate(h.hyperedges, x, p, include_self=False)
    np.testing.assert_allclose(actual, expected, rtol=1e-10)


@given(h=hypergraphs(weighted=False))
def test_mean_with_self_is_the_random_walk_of_hgnn(h):
    x = h.features(signed=True)
    incidence = incidence_matrix(h.hyperedges, h.num_nodes)
    per_node = np.diag(1 / np.maximum(incidence.sum(axis=1), 1))
    per_hyperedge = np.diag(1 / incidence.sum(axis=0))
    expected = per_node @ incidence @ per_hyperedge @ incidence.T @ x.numpy()
    actual = aggregate(h.hyperedges, x, inter="mean")
    np.testing.assert_allclose(actual, expected, rtol=1e-10, atol=1e-12)


@given(h=hypergraphs(weighted=False))
def test_paper_equals_size_at_nodes_of_one_hyperedge(h):
    x = h.features(least=0.05)
    once = incidence_matrix(h.hyperedges, h.num_nodes).sum(axis=1) == 1
    size, paper = (aggregate(h.hyperedges, x, 2, inter=inter) for inter in ("size", "paper"))
    torch.testing.assert_close(size[once], paper[once])


class TestFanoPlanes:
    """Seven nodes, seven lines of three; the second plane is the first with v2 and v3 swapped."""

    FIRST = ([0, 1, 2], [0, 3, 4], [0, 5, 6], [1, 3, 5], [1, 4, 6], [2, 3, 6], [2, 4, 5])
    SECOND = tuple([{1: 2, 2: 1}.get(v, v) for v in line] for line in FIRST)

    def difference(self, **options) -> float:
        x = torch.rand(7, WIDTH, generator=torch.Generator().manual_seed(3)).double() + 0.1
        first, second = (aggregate(plane, x, **options) for plane in (self.FIRST, self.SECOND))
        return float((first - second).abs().max())

    def test_are_two_hypergraphs_with_one_clique_expansion(self):
        lines = [{frozenset(line) for line in plane} for plane in (self.FIRST, self.SECOND)]
        assert lines[0] != lines[1]
        complete = np.ones((7, 7)) - np.eye(7)
        for plane in (self.FIRST, self.SECOND):
            assert np.array_equal(clique_expansion(plane, 7), complete)

    @SELF
    @pytest.mark.parametrize("inter", INTERS)
    @pytest.mark.parametrize("p", [-20, -1, 0.5, 1, 2, 3, 20, INF, -INF])
    def test_one_power_cannot_tell_them_apart(self, p, inter, include_self):
        assert self.difference(p=p, inter=inter, include_self=include_self) < 1e-12

    @SELF
    def test_the_geometric_mean_cannot_either(self, include_self):
        assert self.difference(p=0, include_self=include_self) < 1e-12

    @SELF
    @pytest.mark.parametrize("inter", INTERS)
    @pytest.mark.parametrize("p", [(1, 2), (2, 1), (-1, 3), (INF, 1), (1, -INF)])
    def test_two_powers_tell_them_apart(self, p, inter, include_self):
        assert self.difference(p=p, inter=inter, include_self=include_self) > 1e-3

    @SELF
    def test_max_inside_and_mean_across_tells_them_apart(self, include_self):
        options = {"intra_aggr": Max(), "inter_aggr": Mean(), "include_self": include_self}
        assert self.difference(**options) > 1e-2


class TestFigureOneA:
    """{v1, v2, v3}, and {v2, v3} beside it."""

    BEFORE, AFTER = ([0, 1, 2],), ([0, 1, 2], [1, 2])

    def test_the_unweighted_clique_expansion_does_not_change(self):
        before, after = (clique_expansion(h, 3) > 0 for h in (self.BEFORE, self.AFTER))
        assert np.array_equal(before, after)

    @SELF
    @pytest.mark.parametrize("inter", INTERS)
    @pytest.mark.parametrize("p", [-1, 0.5, 1, 2, (1, 2)])
    def test_hypersage_changes_at_v2_and_v3_alone(self, p, inter, include_self):
        x = torch.tensor([[1.0], [2.0], [4.0]], dtype=torch.float64)
        options = {"p": p, "inter": inter, "include_self": include_self}
        before, after = (aggregate(h, x, **options) for h in (self.BEFORE, self.AFTER))
        assert torch.equal(before[0], after[0])
        assert (before[1:] - after[1:]).abs().min() > 1e-3

    def test_by_hand(self):
        x = torch.tensor([[1.0], [2.0], [4.0]], dtype=torch.float64)
        # v2 without self: (1 + 4 + 4)/3 by size, ((1 + 4)/2 + 4)/2 by mean; before (1 + 4)/2.
        size = aggregate(self.AFTER, x, include_self=False)
        mean = aggregate(self.AFTER, x, include_self=False, inter="mean")
        assert size.flatten().tolist() == pytest.approx([3, 3, 5 / 3])
        assert mean.flatten().tolist() == pytest.approx([3, 3.25, 1.75])
        # With self v2 has |N(v,e)| = 3 and 2, |N(v)| = 3, |E(v)| = 2.
        paper = aggregate(self.AFTER, x, inter="paper")
        assert paper.flatten().tolist() == pytest.approx([7 / 3, 13 / 6, 13 / 6])
        invariant = aggregate(self.AFTER, x, inter="invariant")
        assert invariant.flatten().tolist() == pytest.approx([7 / 3, 13 / 3, 13 / 3])
