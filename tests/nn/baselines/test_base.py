"""What holds for every baseline."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref

import pytest
import torch
from torch.nn import LayerNorm

from hypersage_dgl import hypergraph, remove_nodes
from hypersage_dgl.nn.baselines.stacked import Stacked

from .cases import (
    CLASSES,
    HIDDEN,
    HYPEREDGES,
    ISOLATED,
    KINDS,
    NODES,
    WIDTH,
    features,
    model_for,
    small,
)

pytestmark = pytest.mark.parametrize("kind", KINDS)


def test_sparse_features_are_dense_ones(kind):
    model, graph, feat = model_for(kind), small(), features()
    expected = model(graph, feat)
    torch.testing.assert_close(model(graph, feat.to_sparse_csr()), expected)
    torch.testing.assert_close(model(graph, feat.to_sparse_coo()), expected)


def test_sparse_gradients_are_dense_ones(kind):
    def gradients(feat):
        model = model_for(kind)
        model(small(), feat).square().sum().backward()
        return [parameter.grad for parameter in model.parameters()]

    for ours, expected in zip(gradients(features().to_sparse_csr()), gradients(features())):
        torch.testing.assert_close(ours, expected)


def test_hidden_units_are_alive(kind):
    # Else the other tests here would compare biases.
    model, graph, feat = model_for(kind), small(), features()
    assert not torch.allclose(model(graph, feat), model(graph, 2 * feat))


def test_isolated_nodes_and_empty_features_are_finite(kind):
    model, graph, feat = model_for(kind).train(), small(), features()
    feat[ISOLATED[0]] = 0
    logits = model(graph, feat)
    assert logits.shape == (NODES, CLASSES)
    logits.sum().backward()
    assert bool(torch.isfinite(logits).all())
    assert all(bool(torch.isfinite(parameter.grad).all()) for parameter in model.parameters())


def test_no_hyperedge_at_all_and_empty_hyperedges(kind):
    model, feat = model_for(kind), features()
    assert bool(torch.isfinite(model(hypergraph([], NODES), feat)).all())
    cut = remove_nodes(hypergraph([[0, 1], [2, 3, 4]], NODES), [0, 1])
    assert int(cut.in_degrees(etype="in").min()) == 0
    assert bool(torch.isfinite(model(cut, feat[2:])).all())


def test_order_of_members_and_nodes_does_not_matter(kind):
    model, feat = model_for(kind), features()
    expected = model(small(), feat)
    turned = hypergraph([members[::-1] for members in HYPEREDGES[::-1]], NODES)
    torch.testing.assert_close(model(turned, feat), expected)
    order = torch.randperm(NODES, generator=torch.Generator().manual_seed(1))
    place = torch.empty_like(order).scatter_(0, order, torch.arange(NODES))
    moved = hypergraph([place[members].tolist() for members in HYPEREDGES], NODES)
    torch.testing.assert_close(model(moved, feat[order]), expected[order])


def test_both_id_types(kind):
    model, feat = model_for(kind), features()
    torch.testing.assert_close(model(small(torch.int32), feat), model(small(), feat))


def test_copies_and_loaded_states_agree(kind):
    model, graph, feat = model_for(kind), small(), features()
    expected = model(graph, feat)
    for twin in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert torch.equal(twin(graph, feat), expected)
    torch.manual_seed(99)
    loaded = KINDS[kind](WIDTH, HIDDEN, CLASSES).double().eval()
    assert not torch.allclose(loaded(graph, feat), expected)
    loaded.load_state_dict(model.state_dict())
    assert torch.equal(loaded(graph, feat), expected)


def test_config_makes_it_again(kind):
    model = model_for(kind, dropout=0.25)
    twin = KINDS[kind](**model.config).double().eval()
    twin.load_state_dict(model.state_dict())
    assert torch.equal(twin(small(), features()), model(small(), features()))


def test_reset_draws_again(kind):
    model = model_for(kind)
    before = {name: value.clone() for name, value in model.named_parameters()}
    model.reset_parameters()
    # A norm begins the same each time, and its biases are those that cases.py drew.
    norms = {
        f"{name}.weight" for name, part in model.named_modules() if isinstance(part, LayerNorm)
    }
    for name, value in model.named_parameters():
        assert name in norms or bool((value != before[name]).all()), name


def test_graph_stays_untouched(kind):
    graph = small()
    data = {ntype: set(graph.nodes[ntype].data) for ntype in graph.ntypes}
    model_for(kind).train()(graph, features()).sum().backward()
    assert {ntype: set(graph.nodes[ntype].data) for ntype in graph.ntypes} == data
    assert not any(graph.edges[etype].data for etype in graph.etypes)


def test_dropout_acts_in_training_alone(kind):
    graph, feat = small(), features()
    for options in ({"dropout": 0.5}, {"dropout": 0.0, "feat_drop": 0.5}):
        model = model_for(kind, **options)
        assert torch.equal(model(graph, feat), model(graph, feat))
        model.train()
        assert not torch.equal(model(graph, feat), model(graph, feat))
    # The features alone: with one layer there is no hidden one.
    model = model_for(kind, num_layers=1, dropout=0.9)
    expected = model(graph, feat)
    if kind != "HyperGCN" and not isinstance(model, Stacked):
        assert torch.equal(model.train()(graph, feat), expected)


def test_refuses_what_is_no_hypergraph(kind):
    import dgl

    with pytest.raises(ValueError, match="hypergraph"):
        model_for(kind)(dgl.rand_graph(NODES, 5), features())


def test_keeps_no_graph_alive(kind):
    model, graph = model_for(kind), hypergraph([[0, 1, 2, 3]], 10)
    logits = model(graph, features())
    if kind == "MLPHLR":
        model.penalty(graph, logits)
    alive = weakref.ref(graph)
    del graph, logits
    gc.collect()
    assert alive() is None


def test_reach_is_declared(kind):
    layers = 3
    reach = model_for(kind, num_layers=layers).reach
    # TFHNN has layers that look at no hyperedge, and smooths twice before them.
    known = {"MLP": 0, "MLPHLR": None, "HyperGCN": 2 * layers - 1, "TFHNN": 2}
    assert reach == known.get(kind, layers)


def test_first_is_the_layer_that_sees_the_features(kind):
    model = model_for(kind)
    assert model.first is model.layers[0]
    assert model.first.in_feats == WIDTH
