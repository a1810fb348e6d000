"""Sampled aggregates on average: the full one where that was promised, and how far off elsewhere.

One sample of many disjoint copies of a hypergraph is as many independent samples of it.
"""

from __future__ import annotations

import functools
import itertools

import dgl
import pytest
import torch

from hypersage_dgl import hypergraph, num_neighbors
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.nn import HyperSAGEConv, Sum
from hypersage_dgl.training import seed_everything

# Node 0 is in all of them: sizes and members differ, and some members overlap.
HYPEREDGES = [[0, 1], [0, 2, 3, 4], [0, 4, 5, 6, 7, 8, 9], [0, 9, 1]]
NODES, WIDTH, COPIES = 10, 3, 4000
# A mean of independent draws is further off than 4.5 standard errors once in 150,000 times.
SIGMAS = 4.5


def features(copies: int = 1) -> torch.Tensor:
    numbers = torch.Generator().manual_seed(2)
    x = torch.rand(NODES, WIDTH, generator=numbers, dtype=torch.float64) * 2 + 0.2
    return x.repeat(copies, 1)


@functools.cache
def copied() -> dgl.DGLGraph:
    return hypergraph([[v + NODES * i for v in e] for i in range(COPIES) for e in HYPEREDGES])


def power(x: torch.Tensor, p: float) -> torch.Tensor:
    return x.log() if p == 0 else x**p


def sampled(
    conv: HyperSAGEConv, alpha: int, beta: int, member_weight: torch.Tensor | None = None
) -> torch.Tensor:
    """F2 of node 0, drawn once in each copy."""
    counts = num_neighbors(hypergraph(HYPEREDGES), conv.include_self).repeat(COPIES)
    seed_everything(4)
    by = None if member_weight is None else member_weight.repeat(COPIES)
    sampler = HyperSAGESampler(1, alpha, beta, num_neighbors=counts, member_weight=by)
    found, _, [pair] = sampler.sample(copied(), torch.arange(COPIES) * NODES)
    return conv.aggregate(pair, features(COPIES)[found["node"]])


def z_scores(draws: torch.Tensor, expected: torch.Tensor) -> torch.Tensor:
    """Distance of the mean from the expected one, in standard errors."""
    error = draws.std(0) / COPIES**0.5
    return ((draws.mean(0) - expected) / error).abs()


def full(conv: HyperSAGEConv) -> torch.Tensor:
    return conv.aggregate(hypergraph(HYPEREDGES), features())[0]


@pytest.mark.parametrize("p", [1, 2, 3, 0.5, -1])
@pytest.mark.parametrize(
    ("inter", "alpha", "beta", "include_self"),
    [
        *[(inter, 2, -1, True) for inter in ("size", "mean", "paper", "invariant")],
        *[(inter, 1, -1, True) for inter in ("size", "mean")],
        # Without self a draw of v alone drops out; two draws always leave another.
        *[(inter, 2, -1, False) for inter in ("size", "mean")],
        *[("mean", 2, beta, True) for beta in (1, 2, 3)],
        *[(inter, -1, 2, True) for inter in ("mean", "paper", "invariant")],
    ],
)
@pytest.mark.many
def test_unbiased_in_the_power(p, inter, alpha, beta, include_self):
    conv = HyperSAGEConv(WIDTH, 2, p, inter=inter, include_self=include_self).double()
    draws = power(sampled(conv, alpha, beta), p)
    assert bool((draws.std(0) > 0.01).all()), "nothing was sampled"
    assert float(z_scores(draws, power(full(conv), p)).max()) < SIGMAS


def test_unbiased_in_the_logarithm_of_the_geometric_mean():
    conv = HyperSAGEConv(WIDTH, 2, 0).double()
    assert float(z_scores(sampled(conv, 2, -1).log(), full(conv).log()).max()) < SIGMAS


@pytest.mark.parametrize("p", [3, -1])
def test_biased_outside_of_the_power(p):
    # The same draws, compared without the power: the root of a mean is not the mean of roots. It
    # also shows that the bound above can fail.
    conv = HyperSAGEConv(WIDTH, 2, p).double()
    assert float(z_scores(sampled(conv, 1, -1), full(conv)).min()) > SIGMAS


def mean_by_size(beta: int, p: float) -> torch.Tensor:
    """Exact mean of F2^p of node 0 over all choices of beta hyperedges, weighted by size."""
    x = features()
    inside = {i: (x[e] ** p).mean(0) for i, e in enumerate(HYPEREDGES)}
    draws = []
    for chosen in itertools.combinations(inside, beta):
        sizes = {i: len(HYPEREDGES[i]) for i in chosen}
        total = sum(sizes[i] * inside[i] for i in chosen)
        draws.append(total / sum(sizes.values()))
    return torch.stack(draws).mean(0)


@pytest.mark.parametrize("p", [1, 2, -1])
def test_bias_of_size_shrinks_as_beta_grows(p):
    conv = HyperSAGEConv(WIDTH, 2, p, inter="size").double()
    exact = power(full(conv), p)
    bias = {}
    for beta in (1, 2, 3):
        draws = power(sampled(conv, -1, beta), p)
        assert float(z_scores(draws, mean_by_size(beta, p)).max()) < SIGMAS
        bias[beta] = float((mean_by_size(beta, p) - exact).abs().max())
        if beta == 1:
            assert float(z_scores(draws, exact).max()) > 2 * SIGMAS
    assert bias[1] > 1.5 * bias[2] > 2 * bias[3] > 0
    torch.testing.assert_close(mean_by_size(4, p), exact)
    torch.testing.assert_close(power(sampled(conv, -1, 4), p), exact.expand(COPIES, -1))


# Far from equal, so that draws without their factors would be far off.
HEAVY = torch.tensor([8.0, 1, 1, 5, 2, 1, 9, 1, 3, 1])


@pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])
@pytest.mark.parametrize("alpha", [1, 2, 3])
def test_sums_over_members_drawn_by_weight_are_unbiased(alpha, include_self):
    conv = HyperSAGEConv(
        WIDTH, 2, inter="mean", include_self=include_self, intra_aggr=Sum(), inter_aggr=Sum()
    ).double()
    draws = sampled(conv, alpha, -1, HEAVY)
    assert bool((draws.std(0) > 0.01).all()), "nothing was sampled"
    assert float(z_scores(draws, full(conv)).max()) < SIGMAS


@pytest.mark.parametrize("p", [1, 2, -1])
def test_means_over_members_drawn_by_weight_are_biased_less_and_less(p):
    conv = HyperSAGEConv(WIDTH, 2, p, inter="mean").double()
    exact, bias = power(full(conv), p), {}
    for alpha in (1, 2, 3, 5):
        draws = power(sampled(conv, alpha, -1, HEAVY), p)
        bias[alpha] = float(((draws.mean(0) - exact) / exact).abs().max())
    # With one draw its factor is in both sums of the quotient, and cancels.
    assert bias[1] > 0.05
    assert bias[1] > 1.5 * bias[2] > 1.5 * bias[3]
    assert bias[5] < 0.02
    torch.testing.assert_close(power(sampled(conv, 7, -1, HEAVY), p), exact.expand(COPIES, -1))
