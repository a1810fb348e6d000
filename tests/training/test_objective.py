"""The loss: class weights, several labels, and labels that cannot be learned."""

from __future__ import annotations

import pytest
import torch
from small_hypergraph import CLASSES, NODES, WIDTH, model_for

from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import (
    About,
    Objective,
    balanced_weights,
    fit,
    load_checkpoint,
)

from .cases import assert_weights, full, sampled, small

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
