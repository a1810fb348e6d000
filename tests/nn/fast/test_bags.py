"""Sums by torch's kernels are DGL's sums, forward and back."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import dgl
import pytest
import torch
from products import product

from hypersage_dgl import add_hyperedges
from hypersage_dgl._utils import GraphCache
from hypersage_dgl.nn import HyperSAGEConv, Max, Mean, PowerMean, Sum
from hypersage_dgl.nn.fast import bags
from hypersage_dgl.nn.message_passing import pass_messages
from hypersage_dgl.nn.stage import split_stages

from .cases import (
    DTYPES,
    INTERS,
    PLACES,
    WEIGHTS,
    assert_alike,
    exists,
    features,
    layer,
    learned,
    place,
)


def both_sums(stage, x):
    """Sum and gradient by the kernels and by DGL."""
    found = []
    for function in (lambda x: bags.summed(stage, x), stage.sum):
        y = x.detach().clone().requires_grad_()
        out = function(y)
        (out * torch.linspace(-1, 2, out.numel(), dtype=x.dtype).view_as(out)).sum().backward()
        found.append((out.detach(), y.grad))
    return found


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("where", PLACES)
@pytest.mark.parametrize("width", [1, 3, 33])
@pytest.mark.parametrize("idtype", [torch.int32, torch.int64])
def test_is_dgls_sum_to_the_bit(dtype, where, width, idtype):
    graph, _ = place("none", where, True)
    graph = tuple(g.astype(idtype) for g in graph) if where == "blocks" else graph.astype(idtype)
    for stage in split_stages(graph, GraphCache()):
        x = torch.randn(stage.num_sources, width, dtype=dtype)
        for ours, theirs in zip(*both_sums(stage, x)):
            assert torch.equal(ours, theirs)


@pytest.mark.parametrize("dtype", DTYPES)
def test_edges_may_weigh(dtype):
    stage = split_stages(place("none", "graph", True)[0])[0]
    stage = replace(stage, edge_weight=torch.rand(stage.num_edges) + 0.1)
    for ours, theirs in zip(*both_sums(stage, torch.randn(stage.num_sources, 4, dtype=dtype))):
        torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("weighted", [False, True])
def test_derivatives_of_any_order(weighted):
    stage = split_stages(place("none", "graph", True)[0])[0]
    if weighted:
        weight = torch.rand(stage.num_edges, dtype=torch.float64) + 0.1
        stage = replace(stage, edge_weight=weight)
    x = torch.rand(stage.num_sources, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: bags.summed(stage, x).square(), x)
    assert torch.autograd.gradgradcheck(lambda x: bags.summed(stage, x).pow(3), x)


def test_what_the_kernels_do_not_know_goes_to_dgl(monkeypatch):
    monkeypatch.setattr(bags._Sum, "apply", None)
    stage = split_stages(place("none", "graph", True)[0])[0]
    rows = torch.rand(stage.num_sources, 2)
    assert bags.summed(stage, rows.bfloat16()).dtype == torch.bfloat16
    weight = torch.rand(stage.num_edges, requires_grad=True)
    bags.summed(replace(stage, edge_weight=weight), rows).sum().backward()
    assert float(weight.grad.abs().min()) > 0
    empty = dgl.heterograph(
        {stage.etype: ([], [])}, num_nodes_dict={"node": len(rows), "hyperedge": 3}
    )
    assert torch.equal(bags.summed(replace(stage, graph=empty), rows), torch.zeros(3, 2))


def test_what_is_kept_of_a_graph_ends_with_its_structure():
    graph, _ = place("none", "graph", True)
    cache, x = GraphCache(), features(torch.float32)
    intra = split_stages(graph, cache)[0]
    before = bags.bags_of(intra)
    assert bags.bags_of(split_stages(graph, cache)[0])[0] is before[0]
    grown = add_hyperedges(graph, [[8, 9]])
    stage = split_stages(grown, cache)[0]
    assert torch.equal(bags.summed(stage, x), stage.sum(x))
    graph.add_edges([8], [0], etype="in")
    stage = split_stages(graph, cache)[0]
    assert torch.equal(bags.summed(stage, x), stage.sum(x))


def test_threads_share_what_is_kept():
    graph, _ = place("none", "graph", True)
    cache, x = GraphCache(), features(torch.float32)
    expected = split_stages(graph)[0].sum(x)

    def once(_):
        return torch.equal(bags.summed(split_stages(graph, cache)[0], x), expected)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(once, range(200)))


@product(
    {
        "p": [(1, 2), (0.01, -1), (20, 1), (1, 20), (float("inf"), 2), learned],
        "inter": INTERS,
        "weights": WEIGHTS,
        "where": PLACES,
        "dtype": DTYPES,
    },
    exists,
)
def test_levels_that_differ_are_the_plain_way(p, inter, weights, where, dtype):
    graph, nodes = place(weights, where, True)
    options = {"inter_aggr": PowerMean(3.0)} if callable(p) else {}
    assert_alike(layer(p, inter, True, dtype, **options), graph, features(dtype)[nodes])


@pytest.mark.parametrize("aggregator", [Mean(), Sum(), Max(), PowerMean(2), PowerMean(0)])
def test_one_stage_is_pass_messages(aggregator):
    for stage in split_stages(place("both", "graph", True)[0]):
        stage = replace(stage, offset=torch.rand(stage.num_destinations, 3))
        x = torch.rand(stage.num_sources, 3)
        torch.testing.assert_close(
            bags.pass_fast(stage, x, aggregator), pass_messages(stage, x, aggregator)
        )


def test_a_layer_in_inference_mode_leaves_what_can_be_trained_with():
    graph, _ = place("none", "graph", True)
    conv = HyperSAGEConv(3, 2, p=2)
    with torch.inference_mode():
        conv(graph, features(torch.float32))
    conv(graph, features(torch.float32).requires_grad_()).sum().backward()
