"""Training on a whole graph: the same steps as FullGraph, any model, and a penalty."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

from hypersage_dgl import hypergraph
from hypersage_dgl.nn.baselines import HGNN, MLP, MLPHLR, CliqueSAGE
from hypersage_dgl.training import FullGraph, Objective, fit
from hypersage_dgl.training.whole_graph import WholeGraph

from .cases import CLASSES, WIDTH, assert_weights, model_for, small

TRAIN = torch.tensor([0, 1, 2, 5, 11])


def baseline(kind, **options):
    torch.manual_seed(4)
    return kind(WIDTH, 8, CLASSES, **{"dropout": 0.0, **options}).double()


def test_trains_hypersage_as_full_graph_does():
    case, models, losses = small(), [], []
    for batches in (WholeGraph, FullGraph):
        models.append(model_for())
        history = fit(models[-1], batches(models[-1], *case, TRAIN), epochs=5)
        losses.append([epoch.loss for epoch in history.epochs])
    assert losses[0] == pytest.approx(losses[1], rel=1e-9)
    for ours, theirs in zip(models[0].parameters(), models[1].parameters()):
        torch.testing.assert_close(ours, theirs)


def test_batch_holds_the_logits_and_labels_of_the_nodes():
    case, model = small(), baseline(HGNN)
    expected = model(case.graph, case.feat)[TRAIN]
    for prune in (True, False):
        batches = WholeGraph(model, *case, TRAIN, prune=prune)
        (batch,) = batches
        assert len(batches) == 1
        torch.testing.assert_close(batch.logits, expected)
        assert torch.equal(batch.labels, case.labels[TRAIN])
        # As given, whatever was cut: fit checks by them that a run is resumed on the same nodes.
        assert torch.equal(batches.nodes, TRAIN)
        assert torch.equal(batches.targets, case.labels[TRAIN])
        assert batches.options == {"batches": "WholeGraph", "model": "HGNN", "prune": prune}


def test_penalty_adds_its_gradient_to_any_loss():
    case, model = small(), baseline(MLPHLR, strength=0.5)
    weight = torch.tensor([1.0, 2.0, 3.0])
    (batch,) = WholeGraph(model, *case, TRAIN)
    loss = Objective(weight)(batch.logits, batch.labels)
    ours = torch.autograd.grad(loss, list(model.parameters()))
    logits = model(case.graph, case.feat)
    plain = F.cross_entropy(logits[TRAIN], case.labels[TRAIN], weight.double())
    assert torch.equal(loss, plain)
    whole = plain + model.penalty(case.graph, logits) / len(TRAIN)
    for got, expected in zip(ours, torch.autograd.grad(whole, list(model.parameters()))):
        torch.testing.assert_close(got, expected)


def test_penalty_smooths_what_is_learned():
    case, rough = small(), {}
    for strength in (0.0, 10.0):
        model = baseline(MLPHLR, strength=strength)
        fit(model, WholeGraph(model, *case, TRAIN), epochs=60)
        model.strength = 1.0
        rough[strength] = model.penalty(case.graph, model(case.graph, case.feat)).item()
    assert rough[10.0] < 0.8 * rough[0.0]


def test_strength_zero_is_the_mlp():
    case, models = small(), [baseline(MLPHLR, strength=0.0), baseline(MLP)]
    for model in models:
        # Fewer rows would add up in another order, which the last bit tells.
        fit(model, WholeGraph(model, *case, TRAIN, prune=False), epochs=3)
    assert_weights(models[0], models[1].state_dict())


def test_repeats_by_its_seed():
    case, states = small(), []
    for _ in range(2):
        model = baseline(HGNN, dropout=0.5)
        fit(model, WholeGraph(model, *case, TRAIN), epochs=4, seed=7)
        states.append(model)
    assert_weights(states[0], states[1].state_dict())


def test_a_mask_trains_as_its_ids_do():
    case, states = small(), []
    for nodes in (TRAIN, torch.isin(torch.arange(len(case.labels)), TRAIN)):
        model = baseline(HGNN, dropout=0.5)
        fit(model, WholeGraph(model, *case, nodes), epochs=4, seed=7)
        states.append(model)
    assert_weights(states[0], states[1].state_dict())


def test_hypersage_is_not_cut():
    # FullGraph is its way; here a norm over all nodes of the graph may be meant.
    case = small()
    assert WholeGraph(model_for(), *case, TRAIN).graph is case.graph


@pytest.mark.parametrize("kind", [HGNN, CliqueSAGE])
def test_refuses_what_does_not_fit(kind):
    graph, feat, labels = small()
    model = baseline(kind)
    with pytest.raises(ValueError, match=f"takes {WIDTH} columns"):
        WholeGraph(model, graph, feat[:, 1:], labels, TRAIN)
    with pytest.raises(ValueError, match="12 rows of features for 13 nodes"):
        WholeGraph(model, graph, feat[1:], labels, TRAIN)
    with pytest.raises(TypeError, match="float32"):
        WholeGraph(model, graph, feat.float(), labels, TRAIN)
    with pytest.raises(ValueError, match="NaN"):
        WholeGraph(model, graph, feat / 0, labels, TRAIN)
    with pytest.raises(ValueError, match="no node to train on"):
        WholeGraph(model, graph, feat, labels, torch.tensor([], dtype=torch.int64))


def test_a_baseline_with_a_folder_is_told_why_not(tmp_path):
    graph, feat, labels = hypergraph([[0, 1], [2, 3]]), torch.rand(4, 3), torch.tensor([0, 1, 0, 1])
    model = MLP(3, 4, 2)
    batches = WholeGraph(model, graph, feat, labels, torch.arange(4))
    with pytest.raises(TypeError, match="MLP"):
        fit(model, batches, epochs=1, folder=tmp_path)
