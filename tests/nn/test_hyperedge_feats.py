"""Features of hyperedges: F1 + U f_e by loops, the same on every path, nothing where absent."""

from __future__ import annotations

import math
import warnings

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from oracle import aggregate
from random_hypergraphs import WIDTH, hypergraphs
from small_hypergraph import model_for, small
from torch import nn

from hypersage_dgl import add_hyperedges, add_incidences, add_nodes, hypergraph
from hypersage_dgl.nn import LSTM, HyperSAGE, HyperSAGEConv, Max, Mean
from hypersage_dgl.training import (
    FullGraph,
    Minibatches,
    Predictor,
    decode_config,
    encode_config,
    fit,
    load_checkpoint,
    sampler_for,
    save_checkpoint,
)

SELF = pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])
POWERS = [1, 2, -1, 0, 20, 1000, (1, 2), (3, 1), (math.inf, 1)]
K = 4


def featured(weighted: bool = True, idtype: torch.dtype = torch.int64):
    """The small hypergraph with features of its hyperedges, at least 0."""
    case = small(weighted, idtype)
    numbers = torch.Generator().manual_seed(9)
    count = case.graph.num_nodes("hyperedge")
    feat = torch.rand(count, K, generator=numbers, dtype=torch.float64)
    case.graph.nodes["hyperedge"].data["feat"] = feat
    return case


def positive(feats: int, width: int) -> nn.Module:
    """A map of one's own, whose rows a power mean takes."""
    return nn.Sequential(nn.Linear(feats, width), nn.Softplus())


@SELF
@given(h=hypergraphs(), data=st.data())
def test_a_layer_is_the_oracle_with_what_each_hyperedge_adds(h, data, include_self):
    p = data.draw(st.sampled_from(POWERS), label="p")
    torch.manual_seed(h.seed % 1000)
    conv = HyperSAGEConv(WIDTH, 2, p, include_self=include_self, hyperedge_feats=K).double()
    graph, x = h.graph(), h.features(least=0.1)
    feat = torch.rand(len(h.hyperedges), K, dtype=torch.float64)
    graph.nodes["hyperedge"].data["feat"] = feat
    case = h.case(x, p if isinstance(p, tuple) else (p, p), include_self=include_self)
    weight = conv.mix.map.weight.tolist()
    case.offset = [
        [math.fsum(u * f for u, f in zip(row, each)) for row in weight] for each in feat.tolist()
    ]
    expected = torch.tensor(aggregate(case), dtype=torch.float64).reshape(x.shape)
    with warnings.catch_warnings():
        # U f_e may be negative, and the power mean across says that it raises that.
        warnings.simplefilter("ignore")
        for fast in (True, False):
            actual = conv.aggregate(graph, x, fast=fast)
            torch.testing.assert_close(actual, expected, rtol=1e-6, atol=1e-6)


@SELF
@pytest.mark.parametrize("p", [1, 2, (1, 3)])
@pytest.mark.parametrize("make", [None, positive], ids=["linear", "own"])
def test_every_path_gives_the_same(p, make, include_self):
    case = featured()
    options = {"hyperedge_feats": K, "hyperedge_map": make, "include_self": include_self}
    model = model_for(p, **options).eval()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = model(case.graph, case.feat)
        plain = model_for(p, fast=False, **options).eval()
        torch.testing.assert_close(plain(case.graph, case.feat), expected)
        torch.testing.assert_close(model(case.graph, case.feat.to_sparse_csr()), expected)
        for size in (1, 5, 100):
            torch.testing.assert_close(model.inference(case.graph, case.feat, size), expected)
        found, out, pairs = sampler_for(model, case.graph).sample(case.graph, [4, 0, 12])
        torch.testing.assert_close(model(pairs, case.feat[found["node"]]), expected[out["node"]])
        labels, nodes = torch.zeros(13).long(), torch.arange(5)
        for batches in (
            FullGraph(case.graph, case.feat, labels, nodes, model=model),
            Minibatches(
                case.graph, case.feat, labels, nodes, sampler_for(model, case.graph), shuffle=False
            ),
        ):
            (batch,) = batches
            torch.testing.assert_close(model(batch.graph, batch.feat), expected[:5])


@SELF
@pytest.mark.parametrize("p", [1, 2, (1, 3)])
def test_gradients_are_those_of_finite_differences(p, include_self):
    graph = hypergraph([[0, 1, 2, 3], [2, 3], [4], [0, 3, 4]], 6)
    graph.nodes["hyperedge"].data["feat"] = torch.rand(4, K, dtype=torch.float64)
    options = {"hyperedge_feats": K, "hyperedge_map": positive, "include_self": include_self}
    conv = HyperSAGEConv(2, 2, p, **options).double()
    x = torch.rand(6, 2, dtype=torch.float64) + 0.3
    assert torch.autograd.gradcheck(
        lambda *_: conv.aggregate(graph, x), (x.requires_grad_(), *conv.mix.parameters())
    )


def test_absent_features_change_nothing_and_w_is_drawn_alike():
    case, bare = featured(), small()
    with_them, without = model_for(2, layers=1).eval(), model_for(2, layers=1).eval()
    assert torch.equal(with_them(case.graph, case.feat), without(bare.graph, bare.feat))
    mixing = model_for(2, layers=1, hyperedge_feats=K).eval()
    assert torch.equal(mixing.first.linear.weight, without.first.linear.weight)
    case.graph.nodes["hyperedge"].data["feat"].zero_()
    torch.testing.assert_close(mixing(case.graph, case.feat), without(bare.graph, bare.feat))


@SELF
def test_aggregators_of_every_kind_take_them(include_self):
    case = featured()
    for aggr in (Max(), Mean(), LSTM):
        model = model_for(intra_aggr=aggr, hyperedge_feats=K, include_self=include_self).eval()
        expected = model(case.graph, case.feat)
        torch.testing.assert_close(model.inference(case.graph, case.feat, 5), expected)


@SELF
@pytest.mark.parametrize("idtype", [torch.int64, torch.int32])
def test_arrivals_are_those_of_the_grown_hypergraph(idtype, include_self):
    case = featured(idtype=idtype)
    model = model_for(1, hyperedge_feats=K, include_self=include_self)
    predictor = Predictor(model)
    predictor.attach(case.graph, case.feat)
    new, row = torch.rand(1, 5, dtype=torch.float64), torch.rand(2, K, dtype=torch.float64)
    arrive = {"memberships": [[2]], "hyperedges": [[13, 3], [13]]}
    grown = add_incidences(add_nodes(case.graph, 1), [13], [2])
    grown = add_hyperedges(grown, arrive["hyperedges"])
    feat = torch.cat((case.feat, new))
    for told in (row, None):
        grown.nodes["hyperedge"].data["feat"][-2:] = 0 if told is None else told
        expected = predictor.predict(grown, feat).probabilities
        found = predictor.predict_new(new, **arrive, hyperedge_features=told)
        torch.testing.assert_close(found.probabilities, expected[-1:])
    predictor.commit(new, **arrive, hyperedge_features=row)
    grown.nodes["hyperedge"].data["feat"][-2:] = row
    now = predictor.attached().graph
    assert torch.equal(now.nodes["hyperedge"].data["feat"], grown.nodes["hyperedge"].data["feat"])
    expected = predictor.predict(grown, feat).probabilities
    torch.testing.assert_close(predictor.predict_attached(range(14)).probabilities, expected)


def test_arrivals_with_features_that_do_not_fit_are_refused():
    case, bare = featured(), small()
    predictor = Predictor(model_for(hyperedge_feats=K))
    predictor.attach(case.graph, case.feat)
    new = torch.rand(1, 5, dtype=torch.float64)
    with pytest.raises(ValueError, match=r"shape \(2, 4\); give \(1, 4\)"):
        predictor.commit(new, [[]], [[13, 0]], hyperedge_features=torch.rand(2, K))
    predictor.attach(bare.graph, bare.feat)
    with pytest.raises(ValueError, match="have feat, which the rows before do not have"):
        predictor.predict_new(new, [[]], [[13, 0]], hyperedge_features=torch.rand(1, K))


def test_features_that_do_not_fit_are_named():
    case = small()
    conv = HyperSAGEConv(5, 2, hyperedge_feats=K).double()
    with pytest.raises(ValueError, match="there are none; set g"):
        conv(case.graph, case.feat)
    case.graph.nodes["hyperedge"].data["feat"] = torch.rand(10, 3)
    with pytest.raises(ValueError, match=r"shape \(10, 4\), and they have shape \(10, 3\)"):
        conv(case.graph, case.feat)
    narrow = HyperSAGEConv(5, 2, hyperedge_feats=3, hyperedge_map=lambda k, _: nn.Linear(k, 2))
    with pytest.raises(ValueError, match=r"makes rows of shape \(10, 2\)"):
        narrow.double()(case.graph, case.feat)
    for bad in (-1, 1.5):
        with pytest.raises(ValueError, match="hyperedge_feats"):
            HyperSAGEConv(5, 2, hyperedge_feats=bad)


def test_it_is_saved_reset_and_shown(tmp_path):
    model = HyperSAGE(5, 8, 2, hyperedge_feats=K, hyperedge_map=nn.Linear)
    assert decode_config(encode_config(model.config)) == model.config
    save_checkpoint(tmp_path / "kept", model)
    loaded = load_checkpoint(tmp_path / "kept").model
    assert torch.equal(loaded.first.mix.map.weight, model.first.mix.map.weight)
    with pytest.raises(ValueError, match="cannot be saved as JSON"):
        encode_config(HyperSAGE(5, 8, 2, hyperedge_feats=K, hyperedge_map=positive).config)
    before = model.first.mix.map.weight.clone()
    model.reset_parameters()
    assert not torch.equal(before, model.first.mix.map.weight)
    assert not model.first.is_constant
    assert repr(model.first) == "HyperSAGEConv(5, 8, p=1, hyperedge_feats=4)"


def test_a_class_that_the_hyperedges_alone_tell_is_learned():
    """Features of the nodes are noise; a shuffled control learns nothing."""
    numbers = torch.Generator().manual_seed(6)
    count = 300
    kinds = torch.randint(2, (count,), generator=numbers)
    graph = hypergraph([[2 * i, 2 * i + 1] for i in range(count)])
    labels = kinds.repeat_interleave(2)
    feat = torch.rand(2 * count, 3, generator=numbers)
    nodes = torch.randperm(2 * count, generator=numbers)
    scores = {}
    for name, told in (("told", kinds), ("shuffled", kinds[torch.randperm(count)])):
        graph.nodes["hyperedge"].data["feat"] = F.one_hot(told, 2).float()
        torch.manual_seed(0)
        model = HyperSAGE(3, 8, 2, 1, hyperedge_feats=2, dropout=0.0, normalize=False)
        fit(model, FullGraph(graph, feat, labels, nodes[:300]), epochs=100, lr=0.05)
        with torch.no_grad():
            found = model.eval()(graph, feat)[nodes[300:]].argmax(1)
        scores[name] = float((found == labels[nodes[300:]]).float().mean())
    assert scores["told"] > 0.98
    assert scores["shuffled"] < 0.7
