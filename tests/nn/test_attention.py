"""Attention at either level: the softmax by loops, and what it is on samples."""

from __future__ import annotations

import math

import dgl
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from random_hypergraphs import WIDTH, hypergraphs
from small_hypergraph import model_for, small

from hypersage_dgl import hypergraph
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.nn import Aggregator, Attention, HyperSAGE, HyperSAGEConv, Mean
from hypersage_dgl.nn.attention import attended
from hypersage_dgl.nn.stage import Stage
from hypersage_dgl.training import FullGraph, decode_config, encode_config, fit, sampler_for

SELF = pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])


def score_by_loops(net: Attention, row) -> float:
    hidden = [
        math.tanh(math.fsum([*(w * x for w, x in zip(weights, row)), b]))
        for weights, b in zip(net.hidden.weight.tolist(), net.hidden.bias.tolist())
    ]
    return math.fsum(u * h for u, h in zip(net.out.weight[0].tolist(), hidden))


def mean_by_loops(rows, weights):
    total = math.fsum(weights)
    return [
        math.fsum(w * row[c] for w, row in zip(weights, rows)) / total for c in range(len(rows[0]))
    ]


def attention_by_loops(net: Attention, rows, weights):
    scores = [score_by_loops(net, row) for row in rows]
    return mean_by_loops(rows, [a * math.exp(s) for a, s in zip(weights, scores)])


def two_levels(h, x, include_self, inside, across):
    """F2 by Python, with both kinds of weights."""
    case = h.case(x, (1, 1))
    heavy = case.hyperedge_weight or [1.0] * len(h.hyperedges)
    rows = []
    for v in range(len(x)):
        found, weights = [], []
        for e, members in enumerate(h.hyperedges):
            n = [j for j in members if include_self or j != v]
            if v in members and n:
                a = [case.incidence_weight.get((j, e), 1.0) for j in n]
                found.append(inside([case.x[j] for j in n], a))
                weights.append(heavy[e])
        rows.append(across(found, weights) if found else [0.0] * WIDTH)
    return torch.tensor(rows, dtype=torch.float64).reshape(x.shape)


def attention_for(seed: int) -> Attention:
    torch.manual_seed(seed % 1000)
    net = Attention(WIDTH, hidden=4).double()
    for parameter in net.parameters():
        torch.nn.init.normal_(parameter, std=2)
    return net


@SELF
@given(h=hypergraphs())
def test_inside(h, include_self):
    net, x = attention_for(h.seed), h.features(signed=True)
    conv = HyperSAGEConv(WIDTH, 2, inter="mean", include_self=include_self, intra_aggr=net)
    expected = two_levels(
        h, x, include_self, lambda *given: attention_by_loops(net, *given), mean_by_loops
    )
    for fast in (True, False):
        actual = conv.double().aggregate(h.graph(), x, fast=fast)
        torch.testing.assert_close(actual, expected, rtol=1e-6, atol=1e-6)


@SELF
@pytest.mark.parametrize("inter", ["size", "mean", "paper"])
@given(h=hypergraphs())
def test_across_in_the_place_of_the_weighting(h, inter, include_self):
    net, x = attention_for(h.seed), h.features(signed=True)
    conv = HyperSAGEConv(WIDTH, 2, inter=inter, include_self=include_self, inter_aggr=net)
    expected = two_levels(
        h, x, include_self, mean_by_loops, lambda *given: attention_by_loops(net, *given)
    )
    actual = conv.double().aggregate(h.graph(), x)
    torch.testing.assert_close(actual, expected, rtol=1e-6, atol=1e-6)


@SELF
@given(h=hypergraphs())
def test_a_score_of_zero_is_the_weighted_mean(h, include_self):
    net, x = Attention(WIDTH), h.features(signed=True)
    torch.nn.init.zeros_(net.out.weight)
    options = {"inter": "mean", "include_self": include_self}
    ours = HyperSAGEConv(WIDTH, 2, intra_aggr=net, inter_aggr=net, **options).double()
    plain = HyperSAGEConv(WIDTH, 2, intra_aggr=Mean(), inter_aggr=Mean(), **options).double()
    torch.testing.assert_close(ours.aggregate(h.graph(), x), plain.aggregate(h.graph(), x))


def test_weights_sum_to_one_and_huge_scores_are_harmless():
    stage = Stage(hypergraph([[0, 1, 2], [2, 3]], 5), ("node", "in", "hyperedge"))
    weight = attended(stage, torch.tensor([[1e4], [-1e4], [0.0], [900.0], [0.0]])).edge_weight
    torch.testing.assert_close(weight, torch.tensor([1.0, 0.0, 0.0, 0.0, 1.0]))


@SELF
def test_blocks_at_full_fan_out_are_the_whole_graph_and_samples_attend_to_the_sample(include_self):
    case = small()
    options = {"intra_aggr": Attention, "inter_aggr": Attention, "include_self": include_self}
    model = model_for(**options).eval()
    assert model.first.intra_aggr is not model.first.inter_aggr
    found, out, pairs = sampler_for(model, case.graph).sample(case.graph, [4, 0, 12])
    expected = model(case.graph, case.feat)
    torch.testing.assert_close(model(pairs, case.feat[found["node"]]), expected[out["node"]])
    (batch,) = FullGraph(
        case.graph, case.feat, torch.zeros(13).long(), torch.arange(5), model=model
    )
    torch.testing.assert_close(model(batch.graph, batch.feat), expected[:5])
    found, _, [(first, second)] = HyperSAGESampler(1, alpha=2).sample(case.graph, [4, 0])
    inside = model.first.inside(Stage(first, ("node", "in", "hyperedge")), case.feat[found["node"]])
    ids = first.srcnodes["node"].data[dgl.NID]
    for e in range(first.num_dst_nodes("hyperedge")):
        members, _, rows = first.in_edges(e, form="all", etype="in")
        x, weight = case.feat[ids[members]], first.edges["in"].data["weight"][rows].double()
        alpha = torch.softmax(model.first.intra_aggr.score(x).flatten() + weight.log(), 0)
        torch.testing.assert_close(inside[e], alpha @ x)
    assert second.num_dst_nodes("node") == 2


@SELF
def test_sparse_features_and_node_weights_go_with_it(include_self):
    case = small()
    model = model_for(intra_aggr=Attention, node_weight="hypermsg", include_self=include_self)
    model.eval()
    expected = model(case.graph, case.feat)
    torch.testing.assert_close(model(case.graph, case.feat.to_sparse_csr()), expected)
    torch.testing.assert_close(model.inference(case.graph, case.feat, 5), expected.detach())


def test_it_goes_into_json_and_back_and_is_not_kept():
    model = HyperSAGE(4, 8, 2, intra_aggr=Attention, inter_aggr=Attention)
    assert decode_config(encode_config(model.config)) == model.config
    assert not model.first.is_constant
    assert repr(model.first.intra_aggr) == "Attention(4)"
    assert repr(Attention(4, hidden=3)) == "Attention(4, hidden=3)"
    before = model.first.intra_aggr.hidden.weight.clone()
    model.reset_parameters()
    assert not torch.equal(before, model.first.intra_aggr.hidden.weight)


def test_other_widths_and_words_are_refused():
    with pytest.raises(ValueError, match="made for 3 channels"):
        HyperSAGEConv(4, 2, intra_aggr=Attention(3))

    class Own(Aggregator):
        reduce = "attention"

    with pytest.raises(ValueError, match="reduce='attention'"):
        HyperSAGEConv(4, 2, intra_aggr=Own())


def test_it_learns_whom_to_listen_to():
    """One member of each hyperedge is marked and tells the class; the others are noise."""
    numbers = torch.Generator().manual_seed(1)
    count, size = 300, 6
    labels = torch.randint(2, (count,), generator=numbers)
    said = torch.randint(2, (count, size), generator=numbers)
    said[:, 0] = labels
    marked = (torch.arange(size) == 0).float().expand(count, size)
    # Node 0 of each hyperedge is the one to classify, and has no feature itself.
    feat = torch.cat((F.one_hot(said, 2).float(), marked[..., None]), dim=2)
    feat = torch.cat((torch.zeros(count, 1, 3), feat), dim=1).reshape(-1, 3)
    step = size + 1
    graph = hypergraph([list(range(i * step, (i + 1) * step)) for i in range(count)])
    nodes, targets = torch.arange(count) * step, torch.zeros(len(feat)).long()
    targets[nodes] = labels
    scores = {}
    for name, aggr in (("mean", Mean()), ("attention", Attention)):
        torch.manual_seed(0)
        model = HyperSAGE(3, 8, 2, 1, intra_aggr=aggr, dropout=0.0, normalize=False)
        fit(model, FullGraph(graph, feat, targets, nodes[:200]), epochs=150, lr=0.05)
        with torch.no_grad():
            found = model.eval()(graph, feat)[nodes[200:]].argmax(1)
        scores[name] = float((found == labels[200:]).float().mean())
    assert scores["attention"] > 0.95
    assert scores["mean"] < 0.85
