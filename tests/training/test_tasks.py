"""What is learned: its loss, class weights, what a checkpoint remembers, what is refused."""

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
    balanced_weights,
    fit,
    load_checkpoint,
    save_checkpoint,
    score_on,
)
from hypersage_dgl.training.tasks import objective_of, task_of

from .cases import assert_weights, full, rewrite, sampled, small

TRAIN = torch.tensor([7, 2, 12, 4, 0])


def test_class_weights_weigh_the_loss():
    case, model = small(), model_for()
    weight = torch.tensor([1.0, 5.0, 0.5], dtype=torch.float64)
    log_p = model(case.graph, case.feat).log_softmax(1).detach()
    terms = [(float(weight[k]), float(-log_p[v, k])) for v, k in enumerate(case.labels.tolist())]
    chosen = [terms[v] for v in TRAIN.tolist()]
    expected = sum(w * t for w, t in chosen) / sum(w for w, _ in chosen)
    batches = full(model, *case, TRAIN)
    history = fit(model, batches, epochs=1, objective=Objective(weight))
    assert history.epochs[0].loss == pytest.approx(expected)


def test_balanced_weights_are_inverse_frequencies():
    labels = [0, 2, 2, 2, 1, 2, 2, 0]
    expected = [len(labels) / (3 * labels.count(k)) for k in range(3)]
    assert balanced_weights(torch.tensor(labels), 3).tolist() == pytest.approx(expected)
    rows = [[1, 0], [1, 1], [0, 0], [1, 0], [1, 0]]
    expected = [sum(1 - r[k] for r in rows) / sum(r[k] for r in rows) for k in range(2)]
    assert balanced_weights(torch.tensor(rows), 2).tolist() == pytest.approx(expected)


@pytest.mark.parametrize("labels", [[0, 0, 2], [[1, 0, 1], [1, 0, 0]]])
def test_a_class_without_a_node_has_no_balanced_weight(labels):
    with pytest.raises(ValueError, match="class 1 has no training node"):
        balanced_weights(torch.tensor(labels), 3)


@pytest.mark.parametrize("dtype", [torch.int64, torch.float32, torch.bool])
@pytest.mark.parametrize("make", [full, sampled])
def test_several_labels_for_each_node(make, dtype):
    case, model = small(), model_for()
    rows = torch.randint(0, 2, (NODES, CLASSES), generator=torch.Generator().manual_seed(1))
    pos_weight = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
    p = model(case.graph, case.feat).sigmoid().detach()
    terms = [
        -(float(pos_weight[k]) * p[v, k].log() if rows[v, k] else (1 - p[v, k]).log())
        for v in TRAIN.tolist()
        for k in range(CLASSES)
    ]
    batches = make(model, case.graph, case.feat, rows.to(dtype), TRAIN)
    history = fit(model, batches, epochs=30, lr=0.05, objective=Objective(pos_weight))
    assert history.epochs[0].loss == pytest.approx(float(sum(terms)) / len(terms))
    assert history.epochs[-1].loss < 0.8 * history.epochs[0].loss


@pytest.mark.parametrize("make", [full, sampled])
@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (torch.arange(NODES) % 4, "label 3 is none of the model's 3 classes"),
        (torch.arange(NODES) % 3 - 1, "label -1 is none"),
        (torch.ones(NODES, 2), "3 zeros and ones"),
        (torch.full((NODES, 3), 0.5), "3 zeros and ones"),
    ],
)
def test_labels_that_cannot_be_learned_are_named_before_training(make, labels, message):
    case, model = small(), model_for()
    before = {k: v.clone() for k, v in model.state_dict().items()}
    with pytest.raises(ValueError, match=message):
        fit(model, make(model, case.graph, case.feat, labels, torch.arange(NODES)), epochs=1)
    assert_weights(model, before)


@pytest.mark.parametrize("make", [full, sampled])
def test_a_class_without_a_training_node_is_a_warning_with_its_name(make):
    case, labels = small(), torch.arange(NODES) % 2
    for about, said in ((None, "class 2"), (About(("ant", "bee", "cat")), "class 'cat'")):
        model = model_for()
        batches = make(model, case.graph, case.feat, labels, torch.arange(NODES))
        with pytest.warns(UserWarning, match=f"{said} has no training node, so the model cannot"):
            assert len(fit(model, batches, epochs=1, about=about).epochs) == 1


def test_labels_of_other_nodes_do_not_matter():
    case, model = small(), model_for()
    labels = torch.full((NODES,), -1)
    labels[TRAIN] = case.labels[TRAIN]
    history = fit(model, full(model, case.graph, case.feat, labels, TRAIN), epochs=1)
    assert len(history.epochs) == 1


@pytest.mark.parametrize("make", [full, sampled])
@pytest.mark.parametrize("columns", [1, 2])
def test_numbers_are_learned_with_a_loss_for_them(tmp_path, make, columns):
    case, model = small(), HyperSAGE(WIDTH, 16, columns, dropout=0.0).double()
    wanted = torch.stack([case.feat.sum(1), case.feat[:, 0] - 3], dim=1)[:, :columns]
    labels = wanted[:, 0] if columns == 1 else wanted

    def loss(found, target):
        return torch.nn.functional.mse_loss(found.reshape(target.shape), target)

    batches = make(model, case.graph, case.feat, labels, torch.arange(NODES))
    history = fit(
        model, batches, epochs=80, lr=0.05, objective=loss, folder=tmp_path, save_interval=60
    )
    assert history.epochs[-1].loss < 0.2 * history.epochs[0].loss
    assert load_checkpoint(tmp_path).about.task == "regression"


def test_numbers_need_a_loss_for_them():
    case, model = small(), model_for()
    batches = full(model, case.graph, case.feat, case.labels.double(), TRAIN)
    before = {k: v.clone() for k, v in model.state_dict().items()}
    with pytest.raises(TypeError, match=r"classes are non-negative integers.*torch.nn.MSELoss"):
        fit(model, batches, epochs=1)
    assert_weights(model, before)
    with pytest.raises(TypeError, match="classes are non-negative integers"):
        Objective()(torch.zeros(2, 3), torch.tensor([0.0, 1.0]))


def test_integers_for_one_output_may_be_counts():
    case, model = small(), HyperSAGE(WIDTH, 8, 1, dropout=0.0).double()
    batches = full(model, case.graph, case.feat, torch.arange(NODES), TRAIN)

    def poisson(found, counts):
        return torch.nn.functional.poisson_nll_loss(found[:, 0], counts.double())

    history = fit(model, batches, epochs=5, objective=poisson)
    assert history.epochs[-1].loss < history.epochs[0].loss


def test_classes_are_checked_whatever_the_loss():
    case, model = small(), model_for()
    batches = full(model, case.graph, case.feat, torch.arange(NODES) % 4, torch.arange(NODES))
    with pytest.raises(ValueError, match="label 3 is none of the model's 3 classes"):
        fit(model, batches, epochs=1, objective=torch.nn.functional.cross_entropy)


LEARNED = torch.arange(9)
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
    wanted = sum((float(outputs[i]) - float(numbers[i])) ** 2 for i in LEARNED) / len(LEARNED)
    batches = make(model, case.graph, case.feat, numbers, LEARNED)
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
        batches = full(model, case.graph, case.feat, labels, LEARNED)
        losses.append([e.loss for e in fit(model, batches, epochs=4, task=given).epochs])
    assert losses[0] == losses[1]


def test_checkpoints_remember_task_and_scale(tmp_path):
    case, model = small(), number_model()
    scale = Scale.of(1000 + 50 * case.feat.sum(1)[LEARNED])
    numbers = scale.apply(1000 + 50 * case.feat.sum(1))
    parts = (model, case.graph, case.feat, numbers)
    validate = score_on(*parts[1:], torch.arange(9, NODES), task="regression", model=model)
    options = {"task": "regression", "validate": validate, "folder": tmp_path, "lr": 0.05}
    fit(model, full(*parts, LEARNED), epochs=5, about=About(scale=scale), **options)
    about = load_checkpoint(tmp_path).about
    assert (about.task, about.scale) == ("regression", scale)
    # Resumed without an about, it stays as it was.
    again = number_model()
    fit(again, full(again, *parts[1:], LEARNED), epochs=60, resume=True, **options)
    predictor = Predictor.load(tmp_path)
    assert predictor.about.scale == scale
    prediction = predictor.predict(case.graph, case.feat)
    with torch.no_grad():
        expected = again(case.graph, case.feat)[:, 0] * scale.sd + scale.mean
    torch.testing.assert_close(prediction.label, expected)
    assert prediction.probabilities.shape == (NODES, 0)
    truth = 1000 + 50 * case.feat.sum(1)
    error = (prediction.label - truth)[LEARNED].abs().mean()
    assert error < 0.3 * (truth - truth.mean())[LEARNED].abs().mean()


def test_several_numbers_a_node():
    case, model = small(), number_model(2)
    numbers = torch.stack([case.feat.sum(1), -case.feat[:, 0]], 1)
    history = fit(
        model, full(model, case.graph, case.feat, numbers, LEARNED), epochs=60, lr=0.05,
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
        fit(model, full(model, case.graph, case.feat, labels, LEARNED), epochs=1, task=task)
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
