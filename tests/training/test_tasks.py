"""One word for what is learned: its loss, what a checkpoint remembers, what is refused."""

from __future__ import annotations

import math

import pytest
import torch
from small_hypergraph import CLASSES, NODES, WIDTH, model_for

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import CandidateScorer, HyperedgePredictor, HyperSAGE
from hypersage_dgl.training import (
    About,
    FullGraph,
    Objective,
    Predictor,
    Scale,
    SquaredError,
    fit,
    load_checkpoint,
    save_checkpoint,
    score_on,
)
from hypersage_dgl.training.tasks import objective_of, task_of

from .cases import assert_weights, full, rewrite, sampled, small

TRAIN = torch.arange(9)
ROWS = (torch.arange(NODES * CLASSES).reshape(NODES, CLASSES) % 4 > 1).long()


def number_model(outputs=1) -> HyperSAGE:
    torch.manual_seed(5)
    return HyperSAGE(WIDTH, 16, outputs, dropout=0.0).double()


@pytest.mark.parametrize("make", [full, sampled])
def test_the_loss_of_numbers_is_the_mean_of_squares(make):
    case, model = small(), number_model()
    numbers = case.feat.sum(1) * 3 - 1
    with torch.no_grad():
        outputs = model(case.graph, case.feat)[:, 0]
    wanted = sum((float(outputs[i]) - float(numbers[i])) ** 2 for i in TRAIN) / len(TRAIN)
    batches = make(model, case.graph, case.feat, numbers, TRAIN)
    history = fit(model, batches, epochs=60, lr=0.05, weight_decay=0, task="regression")
    assert history.epochs[0].loss == pytest.approx(wanted)
    assert history.epochs[-1].loss < 0.1 * wanted


@pytest.mark.parametrize("task", ["classification", "multilabel"])
def test_a_task_that_the_labels_tell_changes_nothing(task):
    case = small()
    labels = case.labels if task == "classification" else ROWS
    losses = []
    for given in (None, task):
        model = model_for()
        batches = full(model, case.graph, case.feat, labels, TRAIN)
        losses.append([e.loss for e in fit(model, batches, epochs=4, task=given).epochs])
    assert losses[0] == losses[1]


def test_checkpoints_remember_task_and_scale(tmp_path):
    case, model = small(), number_model()
    scale = Scale.of(1000 + 50 * case.feat.sum(1)[TRAIN])
    numbers = scale.apply(1000 + 50 * case.feat.sum(1))
    parts = (model, case.graph, case.feat, numbers)
    validate = score_on(*parts[1:], torch.arange(9, NODES), task="regression", model=model)
    options = {"task": "regression", "validate": validate, "folder": tmp_path, "lr": 0.05}
    fit(model, full(*parts, TRAIN), epochs=5, about=About(scale=scale), **options)
    about = load_checkpoint(tmp_path).about
    assert (about.task, about.scale) == ("regression", scale)
    # Resumed without an about, it stays as it was.
    again = number_model()
    fit(again, full(again, *parts[1:], TRAIN), epochs=60, resume=True, **options)
    predictor = Predictor.load(tmp_path)
    assert predictor.about.scale == scale
    prediction = predictor.predict(case.graph, case.feat)
    with torch.no_grad():
        expected = again(case.graph, case.feat)[:, 0] * scale.sd + scale.mean
    torch.testing.assert_close(prediction.label, expected)
    assert prediction.probabilities.shape == (NODES, 0)
    truth = 1000 + 50 * case.feat.sum(1)
    error = (prediction.label - truth)[TRAIN].abs().mean()
    assert error < 0.3 * (truth - truth.mean())[TRAIN].abs().mean()


def test_several_numbers_a_node():
    case, model = small(), number_model(2)
    numbers = torch.stack([case.feat.sum(1), -case.feat[:, 0]], 1)
    history = fit(
        model, full(model, case.graph, case.feat, numbers, TRAIN), epochs=60, lr=0.05,
        weight_decay=0, task="regression",
    )  # fmt: skip
    assert history.epochs[-1].loss < 0.2 * history.epochs[0].loss
    about = About(task="regression", scale=Scale(1.0, 2.0))
    prediction = Predictor(model, about).predict(case.graph, case.feat)
    with torch.no_grad():
        torch.testing.assert_close(prediction.label, model(case.graph, case.feat) * 2 + 1)


@pytest.mark.parametrize(
    ("task", "labels", "message"),
    [
        ("multilabel", torch.arange(NODES) % 3, "'multilabel', which learns rows of 0 and 1"),
        ("classification", ROWS, "'classification', which learns one integer a node"),
        ("regression", torch.full((NODES,), math.nan), "9 of the numbers to train on are NaN"),
        ("regression", torch.rand(NODES, 2), "one output for each number"),
        ("regression", torch.rand(NODES), "one output for each number"),
        ("sorting", torch.arange(NODES) % 3, "task is 'sorting'; it must be one of"),
    ],
)
def test_labels_of_another_task_are_refused_before_training(task, labels, message):
    case, model = small(), model_for()
    before = {k: v.clone() for k, v in model.state_dict().items()}
    with pytest.raises(ValueError, match=message):
        fit(model, full(model, case.graph, case.feat, labels, TRAIN), epochs=1, task=task)
    assert_weights(model, before)


def test_a_record_of_another_task_is_refused(tmp_path):
    save_checkpoint(tmp_path, model_for(), About(task="regression"))
    assert load_checkpoint(tmp_path).about == About(task="regression")
    rewrite(tmp_path, task="sorting")
    with pytest.raises(ValueError, match="task is 'sorting'"):
        load_checkpoint(tmp_path)
    rewrite(tmp_path, task="regression", scale=[1, 2, 3])
    with pytest.raises(ValueError, match="does not describe its weights"):
        load_checkpoint(tmp_path)


def test_what_labels_look_like_and_the_loss_of_each():
    assert task_of(torch.tensor([[0.5, 1.0]])) == "regression"
    assert isinstance(objective_of("regression"), SquaredError)
    assert isinstance(objective_of(None), Objective)


def test_a_scale_and_back():
    numbers = torch.tensor([3.0, 5.0, 10.0], dtype=torch.float64)
    scale = Scale.of(numbers)
    made = scale.apply(numbers)
    assert float(made.mean()) == pytest.approx(0, abs=1e-12)
    assert float((made**2).sum() / 2) == pytest.approx(1)
    torch.testing.assert_close(scale.undo(made), numbers)
    assert Scale.of(torch.tensor([4.0, 4.0])) == (4.0, 1.0)
    assert Scale.of(torch.tensor([4.0])) == (4.0, 1.0)


def test_the_task_of_hyperedges_is_none_of_nodes(tmp_path):
    g, feat, ids = hypergraph([[0, 1], [1, 2]]), torch.eye(3), torch.arange(3)
    with pytest.raises(ValueError, match="take auroc_on"):
        score_on(g, feat, ids, ids, task="hyperedge")
    with pytest.raises(ValueError, match="take HyperedgeBatches"):
        fit(HyperSAGE(3, 4, 3), FullGraph(g, feat, ids, ids), epochs=1, task="hyperedge")
    with pytest.raises(ValueError, match="which needs a HyperedgePredictor"):
        save_checkpoint(tmp_path, HyperSAGE(3, 4, 3), About(task="hyperedge"))
    model = HyperedgePredictor(HyperSAGE(3, 4, 3), CandidateScorer(3))
    save_checkpoint(tmp_path, model, About(task="hyperedge"))
    with pytest.raises(ValueError, match="use score_candidates"):
        Predictor.load(tmp_path)
