"""The full graph, cut or whole: any model, the same steps, and a penalty."""

from __future__ import annotations

import copy

import pytest
import torch
import torch.nn.functional as F
from small_hypergraph import CLASSES, WIDTH, model_for

from hypersage_dgl.nn import HyperSAGE, fast
from hypersage_dgl.nn.baselines import HGNN, MLP, MLPHLR, CliqueSAGE
from hypersage_dgl.training import FullGraph, Objective, fit

from .cases import assert_weights, full, logits_of, small, whole

TRAIN = torch.tensor([0, 1, 2, 5, 11])


def baseline(kind, **options):
    torch.manual_seed(4)
    return kind(WIDTH, 8, CLASSES, **{"dropout": 0.0, **options}).double()


def test_trains_hypersage_on_the_whole_as_on_the_cut():
    case, models, losses = small(), [], []
    for make in (whole, full):
        models.append(model_for())
        history = fit(models[-1], make(models[-1], *case, TRAIN), epochs=5)
        losses.append([epoch.loss for epoch in history.epochs])
    assert losses[0] == pytest.approx(losses[1], rel=1e-9)
    for ours, theirs in zip(models[0].parameters(), models[1].parameters()):
        torch.testing.assert_close(ours, theirs)


def test_batch_holds_the_logits_and_labels_of_the_nodes():
    case, model = small(), baseline(HGNN)
    expected = model(case.graph, case.feat)[TRAIN]
    for make in (full, whole):
        batches = make(model, *case, TRAIN)
        (batch,) = batches
        assert len(batches) == 1
        torch.testing.assert_close(logits_of(model, batch), expected)
        assert torch.equal(batch.labels, case.labels[TRAIN])
        # As given, whatever was cut: fit checks by them that a run is resumed on the same nodes.
        assert torch.equal(batches.nodes, TRAIN)
        assert torch.equal(batches.targets, case.labels[TRAIN])
        cut = batches.graph is not case.graph
        assert batches.options == {"batches": "FullGraph", "cut": cut, "keep_first": False}


def test_penalty_is_added_to_any_loss_and_is_not_logged():
    case, model = small(), baseline(MLPHLR, strength=0.5)
    weight = torch.tensor([1.0, 2.0, 3.0])
    logits = model(case.graph, case.feat)
    plain = F.cross_entropy(logits[TRAIN], case.labels[TRAIN], weight.double())
    goal = plain + model.penalty(case.graph, logits) / len(TRAIN)
    expected = torch.autograd.grad(goal, list(model.parameters()))
    history = fit(
        model,
        full(model, *case, TRAIN),
        epochs=1,
        objective=Objective(weight),
        optimizer=torch.optim.SGD(model.parameters(), lr=0.0),
    )
    assert history.epochs[0].loss == pytest.approx(float(plain.detach()), rel=1e-15)
    for parameter, gradient in zip(model.parameters(), expected):
        torch.testing.assert_close(parameter.grad, gradient)


def test_penalty_smooths_what_is_learned():
    case, rough = small(), {}
    for strength in (0.0, 10.0):
        model = baseline(MLPHLR, strength=strength)
        fit(model, full(model, *case, TRAIN), epochs=60)
        model.strength = 1.0
        rough[strength] = model.penalty(case.graph, model(case.graph, case.feat)).item()
    assert rough[10.0] < 0.8 * rough[0.0]


def test_strength_zero_is_the_mlp():
    case, models = small(), [baseline(MLPHLR, strength=0.0), baseline(MLP)]
    for model in models:
        # Fewer rows would add up in another order, which the last bit tells.
        fit(model, whole(model, *case, TRAIN), epochs=3)
    assert_weights(models[0], models[1].state_dict())


def test_repeats_by_its_seed():
    case, states = small(), []
    for _ in range(2):
        model = baseline(HGNN, dropout=0.5)
        fit(model, full(model, *case, TRAIN), epochs=4, seed=7)
        states.append(model)
    assert_weights(states[0], states[1].state_dict())


def test_a_mask_trains_as_its_ids_do():
    case, states = small(), []
    for nodes in (TRAIN, torch.isin(torch.arange(len(case.labels)), TRAIN)):
        model = baseline(HGNN, dropout=0.5)
        fit(model, full(model, *case, nodes), epochs=4, seed=7)
        states.append(model)
    assert_weights(states[0], states[1].state_dict())


def test_without_a_model_nothing_is_cut():
    # A norm over all nodes of the graph may be meant.
    case = small()
    batches = FullGraph(*case, TRAIN)
    assert batches.graph is case.graph
    assert batches.feat is case.feat


@pytest.mark.parametrize("kind", [HGNN, CliqueSAGE])
def test_refuses_what_does_not_fit(kind):
    graph, feat, labels = small()
    model = baseline(kind)
    with pytest.raises(ValueError, match=f"takes {WIDTH} columns"):
        full(model, graph, feat[:, 1:], labels, TRAIN)
    with pytest.raises(ValueError, match="12 rows of features for 13 nodes"):
        full(model, graph, feat[1:], labels, TRAIN)
    with pytest.raises(TypeError, match="float32"):
        full(model, graph, feat.float(), labels, TRAIN)
    with pytest.raises(ValueError, match="NaN"):
        full(model, graph, feat / 0, labels, TRAIN)
    with pytest.raises(ValueError, match="no node to train on"):
        full(model, graph, feat, labels, torch.tensor([], dtype=torch.int64))


def test_a_cut_for_one_reach_is_not_used_by_a_model_that_sees_further():
    case = small()
    batches = FullGraph(*case, torch.tensor([4]), model=baseline(HGNN, num_layers=1))
    assert batches.graph is not case.graph
    batches.check(baseline(MLP))
    for model in (baseline(HGNN), baseline(MLPHLR), model_for(), torch.nn.Linear(WIDTH, CLASSES)):
        with pytest.raises(ValueError, match="cut to a reach of 1"):
            fit(model.double(), batches, epochs=1)


def test_a_plain_model_takes_no_faster_path_on_sparse_features(monkeypatch):
    case = small()
    feat = torch.where(case.feat > 0.95, case.feat, 0.0)
    feat[:, 0] = 1.0
    sparse = torch.nn.functional.pad(feat, (0, 40)).to_sparse_csr()
    model = HyperSAGE(sparse.shape[1], 4, CLASSES, fast=False, dropout=0.0).double()
    quick = copy.deepcopy(model)
    for layer in quick.layers:
        layer.fast = True
    given = (case.graph, sparse, case.labels, TRAIN)
    expected = [epoch.loss for epoch in fit(quick, full(quick, *given), epochs=3).epochs]
    kept = quick.first_layer(case.graph, sparse).compact()
    assert kept.hidden.layout == torch.sparse_csr

    def never(*args):
        raise AssertionError("a faster path was taken")

    monkeypatch.setattr(fast, "dropped_linear", never)
    monkeypatch.setattr(fast, "aggregate", never)
    found = fit(model, full(model, *given), epochs=3).epochs
    assert [epoch.loss for epoch in found] == pytest.approx(expected, rel=1e-9)
    # Nor on what a model that may take them has kept.
    assert model(case.graph, kept).shape == (case.graph.num_nodes("node"), CLASSES)
