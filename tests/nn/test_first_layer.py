"""A kept first layer stands for the features, and only where it is right."""

from __future__ import annotations

import copy
import gc
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from hypersage_dgl import add_hyperedges, hypergraph
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.nn import (
    LSTM,
    Aggregator,
    HyperSAGE,
    HyperSAGEConv,
    Max,
    Mean,
    PowerMean,
    first_layer,
)

GRAPH = hypergraph([[0, 1, 2], [2, 3], [1, 3, 4], [4]], 6)
FEAT = torch.rand(6, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0))


def model_for(**options) -> HyperSAGE:
    torch.manual_seed(1)
    return HyperSAGE(4, 5, 3, **options).double().eval()


class Scaled(Aggregator):
    """Someone's own, with a number that decides what comes out."""

    def __init__(self, factor: float) -> None:
        super().__init__()
        self.factor = factor

    def lift(self, x):
        return x * self.factor


@pytest.mark.parametrize("layout", ["dense", "sparse"])
@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize(
    "options", [{}, {"p": 2}, {"include_self": False}, {"intra_aggr": Max()}, {"normalize": False}]
)
def test_it_gives_the_logits_of_the_features(options, layers, layout):
    model = model_for(num_layers=layers, **options)
    feat = FEAT if layout == "dense" else FEAT.to_sparse_csr()
    kept = model.first_layer(GRAPH, feat)
    expected = model(GRAPH, FEAT)
    torch.testing.assert_close(model(GRAPH, kept), expected)
    torch.testing.assert_close(model(GRAPH, kept.compact()), expected)
    if layers > 1:
        torch.testing.assert_close(model.embed(GRAPH, kept), model.embed(GRAPH, FEAT))
    assert not kept.hidden.requires_grad


def test_it_can_be_that_of_blocks_and_of_other_weights():
    model = model_for()
    weights = torch.rand(GRAPH.num_edges("in"), dtype=torch.float64) + 0.1
    kept = model.first_layer(GRAPH, FEAT, weights)
    torch.testing.assert_close(model(GRAPH, kept, weights), model(GRAPH, FEAT, weights))
    found, _, pairs = HyperSAGESampler(2).sample(GRAPH, torch.tensor([1, 4]))
    kept = model.first_layer(pairs, FEAT[found["node"]])
    torch.testing.assert_close(model(pairs, kept), model(GRAPH, FEAT)[[1, 4]])


def test_models_that_differ_in_weights_alone_share_it():
    model, other = model_for(p=2), model_for(p=2, num_layers=3)
    other.reset_parameters()
    torch.testing.assert_close(other(GRAPH, model.first_layer(GRAPH, FEAT)), other(GRAPH, FEAT))


@pytest.mark.parametrize(
    ("before", "now", "word"),
    [
        ({}, {"p": 2}, "p=2"),
        ({"p": (1, 2)}, {"p": (1, 3)}, "inter_aggr"),
        ({"p": 2}, {"p": 2, "eps": 0.1}, "eps=0.1"),
        ({}, {"inter": "mean"}, "'mean'"),
        ({}, {"include_self": False}, "include_self"),
        ({}, {"normalize": False}, "normalize"),
        ({}, {"normalize": (False, True)}, "normalize"),
        ({"intra_aggr": Max()}, {"intra_aggr": Mean()}, "Max.*Mean"),
    ],
    ids=str,
)
def test_a_first_layer_of_other_options_is_refused(before, now, word):
    kept = model_for(**before).first_layer(GRAPH, FEAT)
    with pytest.raises(ValueError, match=word):
        model_for(**now)(GRAPH, kept)
    model_for(**before)(GRAPH, kept)


@pytest.mark.parametrize(
    "options",
    [
        {"feat_drop": 0.1},
        {"p": PowerMean(1, learn=True)},
        {"intra_aggr": LSTM},
        {"node_weight": "hypermsg"},
        {"intra_aggr": Scaled(2.0)},
        {"inter_aggr": Scaled(2.0)},
    ],
    ids=["feat_drop", "learned", "lstm", "node weight", "own inside", "own across"],
)
def test_what_changes_in_training_is_not_kept(options):
    with pytest.raises(ValueError, match="cannot be kept"):
        model_for(**options).first_layer(GRAPH, FEAT)
    with pytest.raises(ValueError, match="may change in training"):
        model_for(**options)(GRAPH, model_for().first_layer(GRAPH, FEAT))


def test_other_widths_and_other_hypergraphs_are_refused():
    kept = model_for().first_layer(GRAPH, FEAT)
    with pytest.raises(ValueError, match="4 columns, this model takes 7"):
        HyperSAGE(7, 5, 3).double()(GRAPH, kept)
    with pytest.raises(ValueError, match="6 rows for 3 nodes"):
        model_for()(hypergraph([[0, 1, 2]]), kept)


def test_compact_is_sparse_where_few_entries_are_not_zero():
    model = model_for()
    assert model.first_layer(GRAPH, FEAT.to_sparse_csr()).compact().hidden.layout == torch.strided
    few = torch.zeros(6, 4, dtype=torch.float64)
    few[5, 0] = 1
    kept = model.first_layer(GRAPH, few).compact()
    assert kept.hidden.layout == torch.sparse_csr
    torch.testing.assert_close(model(GRAPH, kept), model(GRAPH, few))


CASES = [{}, {"p": 2}, {"include_self": False}, {"intra_aggr": Max()}, {"inter": "paper"}]


def counted(monkeypatch) -> list[int]:
    """How often something was kept anew."""
    made, theirs = [], first_layer.keep_lean
    monkeypatch.setattr(first_layer, "keep_lean", lambda *args: made.append(1) or theirs(*args))
    return made


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("dropout", [0.0, 0.5])
@pytest.mark.parametrize("layout", ["dense", "sparse"])
@pytest.mark.parametrize("options", CASES)
def test_a_cached_model_computes_what_another_does(options, layout, dropout, fast, monkeypatch):
    made = counted(monkeypatch)
    feat = FEAT if layout == "dense" else FEAT.to_sparse_csr()
    cached, plain = (
        model_for(dropout=dropout, fast=fast, cached=each, **options) for each in (True, False)
    )
    for mode in (True, False, True):
        slopes = []
        for model in (cached.train(mode), plain.train(mode)):
            torch.manual_seed(0)
            out = model(GRAPH, feat)
            slopes.append((out, *torch.autograd.grad(out.square().sum(), list(model.parameters()))))
        # Another form draws other masks.
        if not (mode and dropout):
            for ours, theirs in zip(*slopes):
                torch.testing.assert_close(ours, theirs)
    assert len(made) == 1


def change(name: str, conv: HyperSAGEConv, graph, feat):
    """Change one thing that decides the aggregate; give what the layer is called with then."""
    weight = None
    if name == "entry":
        feat[0, 0] += 1
    elif name == "stored entry":
        feat = feat.to_sparse_csr()
        conv(graph, feat)
        feat.values()[0] += 1
    elif name == "another tensor":
        feat = feat + 1
    elif name == "other data":
        feat.data = feat + 1
    elif name == "hyperedge weight":
        graph.nodes["hyperedge"].data["weight"] = torch.rand(4, dtype=torch.float64) + 0.1
    elif name == "incidence weight":
        graph.edges["in"].data["weight"][0] = 5.0
    elif name == "given weight":
        weight = torch.rand(graph.num_edges("in"), dtype=torch.float64) + 0.1
    elif name == "structure":
        graph = add_hyperedges(graph, [[0, 5]])
    elif name == "in place":
        for etype, ends in (("in", ([5], [0])), ("contains", ([0], [5]))):
            data = {"weight": torch.ones(1, dtype=torch.float64)}
            graph.add_edges(*ends, data, etype=etype)
    elif name == "power":
        conv.intra_aggr.p = conv.inter_aggr.p = 3.0
    elif name == "option":
        conv.include_self = False
    return graph, feat, weight


CHANGES = ["entry", "stored entry", "another tensor", "other data", "hyperedge weight"]
CHANGES += ["incidence weight", "given weight", "structure", "in place", "power", "option"]


@pytest.mark.parametrize("p", [1.0, 2.0])
@pytest.mark.parametrize("name", CHANGES)
def test_what_is_cached_is_never_stale(name, p):
    count = GRAPH.num_edges("in")
    weights = {"incidence_weight": torch.linspace(0.5, 2, count, dtype=torch.float64)}
    graph = hypergraph([[0, 1, 2], [2, 3], [1, 3, 4], [4]], 6, **weights)
    conv, feat = HyperSAGEConv(4, 2, p, cached=True).double(), FEAT.clone()
    before = conv(graph, feat)
    graph, feat, weight = change(name, conv, graph, feat)
    after = conv(graph, feat, weight)
    conv.cached = False
    torch.testing.assert_close(after, conv(graph, feat, weight))
    assert not torch.allclose(after, before)


def test_nothing_is_cached_of_what_learns_or_is_sampled(monkeypatch):
    made = counted(monkeypatch)
    found, _, [pair] = HyperSAGESampler(1).sample(GRAPH, torch.tensor([1, 4]))
    conv = HyperSAGEConv(4, 2, cached=True).double()
    conv(pair, FEAT[found["node"]])
    feat = FEAT.clone().requires_grad_()
    conv(GRAPH, feat).sum().backward()
    assert float(feat.grad.abs().min()) > 0
    for options in (
        {"p": PowerMean(2, learn=True)},
        {"feat_drop": 0.5},
        {"node_weight": "hypermsg"},
    ):
        HyperSAGEConv(4, 2, cached=True, **options).double()(GRAPH, FEAT)
    assert made == []


def test_what_is_cached_ends_with_the_graph_and_is_no_state():
    graph = hypergraph([[0, 1, 2], [2, 3], [1, 3, 4], [4]], 6)
    conv = HyperSAGEConv(4, 2, 2, cached=True).double()
    conv(graph, FEAT)
    [entry] = conv.cache._kept.values()
    kept = weakref.ref(entry[1]["first layer"][1])
    assert kept() is not None
    assert copy.deepcopy(conv).cache._kept == {}
    del graph, entry
    gc.collect()
    assert kept() is None


def test_threads_share_what_is_cached():
    conv, expected = HyperSAGEConv(4, 2, 2, cached=True).double(), {}
    feats = [FEAT + step for step in range(3)]
    conv.cached = False
    expected = [conv(GRAPH, feat) for feat in feats]
    conv.cached = True

    def once(i):
        return torch.allclose(conv(GRAPH, feats[i % 3]), expected[i % 3])

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(once, range(60)))


def test_a_cached_layer_of_another_type_is_refused_as_ever():
    conv = HyperSAGEConv(4, 2, cached=True).double()
    conv(GRAPH, FEAT)
    conv.float()
    with pytest.raises(TypeError, match="float64"):
        conv(GRAPH, FEAT)
