"""The weights w(v,e): the table of the four weightings against Python sets, masses on samples."""

from __future__ import annotations

import math

import dgl
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from random_hypergraphs import hypergraphs

from hypersage_dgl import hypergraph, num_neighbors
from hypersage_dgl._utils import GraphCache
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.nn import HyperSAGEConv, Mean, PowerMean
from hypersage_dgl.nn.pairs import pairs_of
from hypersage_dgl.nn.stage import Stage, split_stages
from hypersage_dgl.nn.weighting import (
    WEIGHTINGS,
    checked_weight,
    hyperedge_weight,
    incidence_weight,
    mass_of,
    neighbors_of,
    scaled,
    true_sizes,
)

SELF = pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])
HYPEREDGES = [[0, 1, 2], [2, 3], [1, 3]]


def neighborhoods(h, v: int, include_self: bool) -> dict[int, set[int]]:
    """N(v,e) of the hyperedges of v that have one."""
    all_of_them = {e: set(m) - (set() if include_self else {v}) for e, m in enumerate(h.hyperedges)}
    return {e: n for e, n in all_of_them.items() if v in h.hyperedges[e] and n}


def table(h, v: int, inter: str, include_self: bool) -> dict[int, float]:
    """w(v,e) as the design's table has it."""
    near = neighborhoods(h, v, include_self)
    union, degree = len(set().union(*near.values())), len(near)
    own = h.hyperedge_weight.tolist() if h.weighted else [1.0] * len(h.hyperedges)
    weights = {
        e: own[e]
        * {
            "paper": len(n) / (union * degree),
            "invariant": len(n) / union,
            "size": len(n),
            "mean": 1.0,
        }[inter]
        for e, n in near.items()
    }
    if inter in ("size", "mean"):
        total = math.fsum(weights.values())
        weights = {e: w / total for e, w in weights.items()}
    return weights


@SELF
@pytest.mark.parametrize("inter", WEIGHTINGS)
@given(h=hypergraphs())
def test_the_table_read_off_the_layer(h, inter, include_self):
    # One column for each hyperedge, 1 at its members and 0 elsewhere, would mix up the hyperedges.
    # So the inter stage alone, on a unit matrix: row v is w(v,e).
    conv = HyperSAGEConv(1, 1, inter=inter, include_self=include_self).double()
    graph, count = h.graph(), len(h.hyperedges)
    _, inter_stage = split_stages(graph)
    expected = torch.zeros(h.num_nodes, count, dtype=torch.float64)
    for v in range(h.num_nodes):
        if neighborhoods(h, v, include_self):
            for e, w in table(h, v, inter, include_self).items():
                expected[v, e] = w
    weight = hyperedge_weight(inter_stage, inter != "mean", include_self)
    across, rows = Stage(graph, inter_stage.etype, weight), torch.eye(count, dtype=torch.float64)
    if not include_self:
        pairs = pairs_of(*split_stages(graph))
        across, rows = pairs.across(weight), rows[pairs.hyperedge]
    mean = across.sum(rows if across.weight is None else rows * across.weight.unsqueeze(-1))
    mean = mean / across.mass(rows).clamp_min(1e-300)
    if inter in ("paper", "invariant"):
        mean = mean * mass_of(inter, inter_stage, across, include_self, GraphCache())
    torch.testing.assert_close(mean, expected, rtol=1e-6, atol=1e-12)
    # And the layer's own inter stage is that matrix, with self.
    if include_self:
        conv.in_feats = count
        ours = conv.across(inter_stage, torch.eye(count, dtype=torch.float64))
        torch.testing.assert_close(ours, expected, rtol=1e-6, atol=1e-12)


@SELF
@pytest.mark.parametrize("inter", ["paper", "invariant"])
@given(h=hypergraphs(), data=st.data())
def test_masses_on_samples(h, data, inter, include_self):
    # True sizes, |N(v)| and |E(v)|, sums over the sampled hyperedges, scaled by |E(v)|/|sampled|.
    alpha, beta = (data.draw(st.sampled_from([1, 2, -1])) for _ in range(2))
    seeds = data.draw(st.lists(st.integers(0, h.num_nodes - 1), min_size=1, unique=True))
    graph = h.graph()
    sampler = HyperSAGESampler(1, alpha, beta, num_neighbors=num_neighbors(graph, include_self))
    [(first, second)] = sampler.sample(graph, seeds)[2]
    intra, stage = split_stages((first, second))
    weight = hyperedge_weight(stage, True, include_self)
    across = Stage(second, stage.etype, weight)
    if not include_self:
        across = pairs_of(intra, stage).across(weight)
    masses = mass_of(inter, stage, across, include_self, GraphCache()).flatten().tolist()
    hyperedges = second.srcnodes["hyperedge"].data[dgl.NID].tolist()
    sources = first.srcnodes["node"].data[dgl.NID].tolist()
    members: dict[int, set[int]] = {}
    for v, e in zip(*(ids.tolist() for ids in intra.edges)):
        members.setdefault(hyperedges[e], set()).add(sources[v])
    drawn: dict[int, list[int]] = {}
    for e, v in zip(*(ids.tolist() for ids in stage.edges)):
        drawn.setdefault(v, []).append(hyperedges[e])
    own = h.hyperedge_weight.tolist() if h.weighted else [1.0] * len(h.hyperedges)
    for position, v in enumerate(seeds):
        near = neighborhoods(h, v, include_self)
        counted = [
            e for e in drawn.get(position, []) if members[e] - (set() if include_self else {v})
        ]
        if not counted:
            assert masses[position] == 1
            continue
        union = len(set().union(*near.values()))
        total = math.fsum(own[e] * len(near[e]) for e in counted) / union
        if inter == "paper":
            expected = total / len(counted)
        else:
            # Hyperedges of v alone add nothing, so they count on both sides or on neither.
            alone = [e for e, m in enumerate(h.hyperedges) if set(m) == {v}]
            sampled = len(counted) + (
                0 if include_self else sum(e in alone for e in drawn[position])
            )
            expected = total * sum(v in m for m in h.hyperedges) / sampled
        assert masses[position] == pytest.approx(expected, rel=1e-6)


@SELF
def test_on_blocks_sizes_and_neighbours_are_the_true_ones(include_self):
    graph = hypergraph([[0, 1, 2, 3], [3, 4], [3]])
    counts = num_neighbors(graph, include_self)
    sampler = HyperSAGESampler(1, 1, -1, num_neighbors=counts)
    [(_, second)] = sampler.sample(graph, [3])[2]
    stage = Stage(second, ("hyperedge", "contains", "node"))
    names = second.srcnodes["hyperedge"].data[dgl.NID].tolist()
    assert true_sizes(stage).tolist() == [[4, 2, 1][e] for e in names]
    assert neighbors_of(second, include_self, GraphCache()).tolist() == [5 if include_self else 4]
    assert true_sizes(Stage(graph, stage.etype)).tolist() == [4, 2, 1]


def test_weight_of_hyperedges():
    plain = hypergraph(HYPEREDGES)
    _, stage = split_stages(plain)
    assert hyperedge_weight(stage, False, True) is None
    assert hyperedge_weight(stage, True, True).tolist() == [3, 2, 2]
    assert hyperedge_weight(stage, True, False).tolist() == [2, 1, 1]
    _, stage = split_stages(hypergraph(HYPEREDGES, hyperedge_weight=[0.5, 2, 4]))
    assert hyperedge_weight(stage, False, True).tolist() == [0.5, 2, 4]
    assert hyperedge_weight(stage, True, False).tolist() == [1, 2, 4]


def test_given_incidence_weights_go_before_the_graphs_own():
    intra, _ = split_stages(hypergraph(HYPEREDGES, incidence_weight=[1.0, 2, 3, 4, 5, 6, 7]))
    given_weight = torch.arange(7.0) + 10
    assert incidence_weight(intra, given_weight) is given_weight
    assert incidence_weight(intra, None).tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert incidence_weight(split_stages(hypergraph(HYPEREDGES))[0], None) is None


@pytest.mark.parametrize(
    ("weight", "words"),
    [
        (torch.ones(2), r"got \(2,\); it must be a tensor of shape \(3,\)"),
        ([1.0, 1, 1], "got list"),
        (torch.tensor([1.0, 0, 1]), "a weight 1 is 0.0; weights must be positive"),
        (torch.tensor([1.0, 1, math.nan]), "a weight 2 is nan"),
    ],
)
def test_bad_weights_are_named(weight, words):
    with pytest.raises(ValueError, match=words):
        checked_weight(weight, 3, "a weight")


@pytest.mark.parametrize("p", [-20, -1, 0.5, 1, 2, 20])
def test_scaled_is_the_root_of_the_mass_times_the_power(p):
    out, mass = torch.tensor([[0.5], [2.0]]).double(), torch.tensor([[3.0], [0.25]]).double()
    expected = (mass * out**p) ** (1 / p)
    torch.testing.assert_close(scaled(PowerMean(p), out, mass), expected)


def test_neighbours_are_kept_by_self_and_others():
    graph, cache = hypergraph([[0, 1], [2]]), GraphCache()
    assert neighbors_of(graph, True, cache).tolist() == [2, 2, 1]
    assert neighbors_of(graph, False, cache).tolist() == [1, 1, 0]
    assert neighbors_of(graph, True, cache) is neighbors_of(graph, True, cache)


@pytest.mark.parametrize("inter", ["paper", "invariant"])
def test_float32_stays_float32_with_a_mass(inter):
    conv = HyperSAGEConv(3, 2, inter=inter, inter_aggr=Mean())
    graph, x = hypergraph(HYPEREDGES), torch.rand(4, 3) + 0.1
    assert conv(graph, x).dtype == torch.float32
    expected = HyperSAGEConv(3, 2, 1, inter=inter).aggregate(graph, x)
    torch.testing.assert_close(conv.aggregate(graph, x), expected)


BAD_WEIGHTS = [torch.tensor([-1.0, 1, 1]), torch.tensor([math.inf, 1, 1]), torch.ones(3, 1)]


@pytest.mark.parametrize("weight", BAD_WEIGHTS, ids=["negative", "infinite", "two-dimensional"])
def test_stored_hyperedge_weights_are_checked(weight):
    graph = hypergraph(HYPEREDGES)
    graph.nodes["hyperedge"].data["weight"] = weight
    with pytest.raises(ValueError, match="hyperedge weight"):
        HyperSAGEConv(3, 2)(graph, torch.rand(4, 3))


def test_complex_weights_are_refused():
    with pytest.raises(TypeError, match=r"incidence weights are torch\.complex64; .* real numbers"):
        checked_weight(torch.ones(2, dtype=torch.complex64), 2, "incidence weight")
