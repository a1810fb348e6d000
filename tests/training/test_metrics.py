"""Scores of labels, numbers and rankings, against plain loops and scikit-learn."""

from __future__ import annotations

import math

import pytest
import torch
from sklearn import metrics
from small_hypergraph import CLASSES, NODES, model_for

from hypersage_dgl.training import (
    auroc,
    average_precision,
    evaluate,
    evaluate_labels,
    evaluate_numbers,
    score_on,
)
from hypersage_dgl.training.metrics import can_rank, score_of

from .cases import small

GENERATOR = torch.Generator().manual_seed(2)
LOGITS = torch.randn(40, 4, generator=GENERATOR, dtype=torch.float64)
# Label 2 occurs nowhere and label 3 everywhere.
ROWS = (torch.rand(40, 4, generator=GENERATOR) < torch.tensor([0.3, 0.6, 0.0, 1.0])).long()
NUMBERS = torch.randn(40, generator=GENERATOR, dtype=torch.float64)
SOME = torch.arange(5, 35)


def test_labels_by_scikit_learn():
    found = evaluate_labels(LOGITS, ROWS, SOME)
    truth, on = ROWS[SOME].numpy(), (LOGITS[SOME] > 0).long().numpy()
    assert found.micro_f1 == pytest.approx(metrics.f1_score(truth, on, average="micro"))
    each = [metrics.f1_score(truth[:, k], on[:, k]) for k in (0, 1, 3)]
    assert [found.per_label[k] for k in (0, 1, 3)] == pytest.approx(each)
    assert found.macro_f1 == pytest.approx(sum(each) / 3)
    ranked = [
        metrics.average_precision_score(truth[:, k], LOGITS[SOME, k].numpy()) for k in (0, 1, 3)
    ]
    assert found.mean_average_precision == pytest.approx(sum(ranked) / 3)
    assert found.nodes == len(SOME)


def test_labels_without_scikit_learn(monkeypatch):
    monkeypatch.setattr("hypersage_dgl.training.metrics.can_rank", lambda: False)
    found = evaluate_labels(LOGITS, ROWS, SOME)
    assert math.isnan(found.mean_average_precision)
    assert found.micro_f1 > 0


def test_perfect_labels():
    found = evaluate_labels(ROWS * 2.0 - 1, ROWS, SOME)
    assert (found.micro_f1, found.macro_f1, found.mean_average_precision) == (1, 1, 1)


@pytest.mark.parametrize("columns", [1, 3])
def test_numbers_by_scikit_learn(columns):
    truth = NUMBERS if columns == 1 else torch.stack([NUMBERS, NUMBERS**2, NUMBERS + 5], 1)
    outputs = truth.reshape(40, -1) + LOGITS[:, :columns]
    found = evaluate_numbers(outputs, truth, SOME)
    wanted, given = truth[SOME].numpy(), outputs[SOME].reshape(truth[SOME].shape).numpy()
    assert found.mae == pytest.approx(metrics.mean_absolute_error(wanted, given))
    assert found.r2 == pytest.approx(metrics.r2_score(wanted, given))
    assert found.rmse == pytest.approx(metrics.root_mean_squared_error(wanted, given))


def test_numbers_that_are_met_and_equal_ones():
    assert evaluate_numbers(NUMBERS, NUMBERS, SOME).r2 == 1
    assert evaluate_numbers(NUMBERS.new_full((40,), float(NUMBERS.mean())), NUMBERS, SOME).r2 <= 0
    equal = torch.ones(40)
    assert evaluate_numbers(equal, equal, SOME).r2 == 1
    assert evaluate_numbers(equal + 1, equal, SOME).r2 == 0
    mean = NUMBERS[SOME].mean().expand(40)
    assert evaluate_numbers(mean, NUMBERS, SOME).r2 == pytest.approx(0, abs=1e-12)


def test_what_cannot_be_scored_is_refused():
    with pytest.raises(ValueError, match="one output for each number"):
        evaluate_numbers(LOGITS, NUMBERS, SOME)
    with pytest.raises(ValueError, match="has no number"):
        evaluate_numbers(NUMBERS, NUMBERS.new_full((40,), math.nan), SOME)
    with pytest.raises(ValueError, match="NaN or infinite"):
        evaluate_numbers(NUMBERS / 0, NUMBERS, SOME)
    with pytest.raises(ValueError, match="4 zeros and ones"):
        evaluate_labels(LOGITS, ROWS - 1, SOME)
    with pytest.raises(ValueError, match="give a row for each node"):
        evaluate_labels(LOGITS[:, 0], ROWS, SOME)


@pytest.mark.parametrize("dtype", [torch.complex64, torch.bool], ids=str)
def test_outputs_that_are_no_real_numbers_are_refused(dtype):
    rows, nodes = torch.eye(3, 2), torch.arange(3)
    for score, truth in (
        (evaluate, torch.tensor([0, 1, 0])),
        (evaluate_labels, rows),
        (evaluate_numbers, rows),
    ):
        with pytest.raises(TypeError, match=f"puts are {dtype}; give|logits are {dtype}; give"):
            score(rows.to(dtype), truth, nodes)
    with pytest.raises(TypeError, match=f"numbers are {dtype}; give a tensor of real numbers"):
        evaluate_numbers(rows, rows.to(dtype), nodes)


def test_every_output_needs_its_own_truth():
    """Two nodes of two labels, where classes would pass for a row and be scored as one."""
    both = torch.arange(2)
    with pytest.raises(ValueError, match="score classes with evaluate"):
        evaluate_labels(LOGITS[:2, :2], torch.tensor([0, 1]), both)
    last = torch.tensor([len(NUMBERS) - 1])
    with pytest.raises(ValueError, match="a number, or a row of them, for each node"):
        evaluate_numbers(NUMBERS, NUMBERS[:-1], last)
    with pytest.raises(ValueError, match="a number, or a row of them, for each node"):
        evaluate_numbers(NUMBERS[:2], NUMBERS, both)
    with pytest.raises(ValueError, match="labels have shape"):
        evaluate_labels(LOGITS, ROWS[:-1], last)


def test_the_validator_of_a_task_gives_its_score():
    case, model = small(), model_for().eval()
    nodes = torch.arange(3, NODES)
    rows = (torch.arange(NODES * CLASSES).reshape(NODES, CLASSES) % 3 == 0).long()
    with torch.no_grad():
        logits = model(case.graph, case.feat)
    parts = (case.graph, case.feat)
    for cut in (None, model):
        found = score_on(*parts, case.labels, nodes, model=cut)(model)
        right = (logits.argmax(1) == case.labels)[nodes].double().mean()
        assert found == pytest.approx(float(right))
        found = score_on(*parts, rows, nodes, task="multilabel", model=cut)(model)
        assert found == pytest.approx(evaluate_labels(logits, rows, nodes).micro_f1)
        found = score_on(*parts, logits + 1, nodes, task="regression", model=cut)(model)
        assert found == pytest.approx(evaluate_numbers(logits, logits + 1, nodes).r2)
    with pytest.raises(ValueError, match="task is 'rank'"):
        score_on(*parts, rows, nodes, task="rank")


@pytest.mark.parametrize("task", ["classification", "multilabel", "regression"])
def test_no_task_scores_what_is_no_number(task):
    truth = torch.tensor([0, 1]) if task == "classification" else torch.eye(2)
    with pytest.raises(ValueError, match="NaN or infinite"):
        score_of(torch.tensor([[1.0, torch.nan], [0.0, 1.0]]), truth, task)


# Few scores for many: ties are the hard part.
RANKED = torch.Generator().manual_seed(4)
TRUTH = torch.randint(0, 2, (60,), generator=RANKED)
SCORES = torch.randint(0, 9, (60,), generator=RANKED).double()


def test_auroc_is_the_share_of_pairs_in_the_right_order():
    pairs = [
        1.0 if p > n else 0.5 if p == n else 0.0
        for p in SCORES[TRUTH == 1].tolist()
        for n in SCORES[TRUTH == 0].tolist()
    ]
    assert auroc(TRUTH, SCORES) == pytest.approx(sum(pairs) / len(pairs))
    assert auroc(TRUTH, -SCORES) == pytest.approx(1 - sum(pairs) / len(pairs))


def test_average_precision_is_a_sum_over_thresholds():
    total, before = 0.0, 0.0
    for threshold in sorted(set(SCORES.tolist()), reverse=True):
        chosen = threshold <= SCORES
        hits = float(TRUTH[chosen].sum())
        recall = hits / float(TRUTH.sum())
        total += (recall - before) * hits / float(chosen.sum())
        before = recall
    assert average_precision(TRUTH, SCORES) == pytest.approx(total)


def test_a_ranking_needs_both_kinds():
    assert can_rank()
    for truth in (torch.ones(3), torch.zeros(3), torch.tensor([0, 1, 2])):
        with pytest.raises(ValueError, match="positives, 1, and negatives, 0"):
            auroc(truth, torch.rand(3))


def test_without_scikit_learn_the_extra_is_named(monkeypatch):
    def missing(name, *rest):
        raise ImportError(name)

    monkeypatch.setattr("hypersage_dgl.training.metrics.import_module", missing)
    with pytest.raises(ImportError, match=r"hypersage-dgl\[scores\]"):
        auroc(TRUTH, SCORES)
