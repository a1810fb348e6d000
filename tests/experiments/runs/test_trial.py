"""What a run does: its nodes, its seed, its results."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from experiments.recipe import Recipe
from experiments.result import Result
from experiments.runs.data import Bench, open_bench
from experiments.runs.trial import mix_of_classes, run_trial, weighted
from hypersage_dgl.data import load_dataset
from hypersage_dgl.training import FullGraph, evaluate, fit, seed_everything

SHORT = {"epochs": 3}
EASY = {"epochs": 40}


@pytest.fixture(scope="module")
def bench():
    return open_bench("synthetic")


def trial(method="hypersage", **fields):
    return Result("synthetic", method, "paper", 1, **fields)


def test_a_line_has_what_was_run_and_what_came_out(bench):
    (result,) = run_trial(
        trial(p=1.0), Recipe("hypersage", {"p": 1.0}, **EASY), None, "the command"
    )
    assert result.seconds >= 0
    row = result.to_row()
    assert {
        key: row[key]
        for key in row
        if key not in ("seconds", "test_acc", "connected_acc", "train_acc")
    } == {
        "dataset": "synthetic",
        "method": "hypersage",
        "column": "paper",
        "split": 1,
        "init": 0,
        "p": 1.0,
        "alpha": None,
        "part": "test",
        "command": "the command",
    }
    split = bench.dataset.data.splits[0]
    model = _trained(bench, split.train, seed=trial().seed)
    with torch.no_grad():
        logits = model(bench.graph, bench.features("raw"))
    scores = evaluate(logits, bench.labels, split.test, bench.graph)
    # The library's plain path, without anything kept, says the same.
    assert row["test_acc"] == pytest.approx(scores.accuracy, abs=0.005)
    assert row["connected_acc"] == pytest.approx(scores.connected_accuracy, abs=0.005)
    on_training = evaluate(logits, bench.labels, split.train, bench.graph)
    assert row["train_acc"] == pytest.approx(on_training.accuracy, abs=0.005)
    assert row["train_acc"] > row["test_acc"] > 2 / bench.dataset.num_classes


def _trained(bench, train, seed):
    seed_everything(seed)
    recipe = Recipe("hypersage", {"p": 1.0})
    model = recipe.build(bench.features("raw").shape[1], bench.dataset.num_classes)
    data = (bench.graph, bench.features("raw"), bench.labels, train)
    fit(model, FullGraph(*data, model=model), epochs=EASY["epochs"], seed=seed)
    return model


def test_seeds_decide_and_differ_by_split_and_init():
    def accuracy(**fields):
        return run_trial(trial(**fields), Recipe("hypersage", **SHORT), None, "")[0].test_acc

    assert accuracy() == accuracy()
    assert accuracy() != accuracy(init=1)
    assert trial().seed != Result("synthetic", "mlp", "paper", 2).seed


def test_a_fold_scores_training_nodes_only(bench, monkeypatch):
    seen = []
    monkeypatch.setattr(
        "experiments.runs.trial.evaluate",
        lambda logits, labels, nodes, graph: seen.append(nodes) or evaluate(logits, labels, nodes),
    )
    rows = run_trial(trial(fold=2, part="validation"), Recipe("mlp", **SHORT), None, "")
    assert [row.part for row in rows] == ["validation"]
    held, trained = (nodes.numpy() for nodes in seen)
    assert np.isin([*held, *trained], bench.dataset.data.splits[0].train).all()
    assert not set(held) & set(trained)


def test_inductive_runs_are_scored_on_seen_and_unseen_nodes():
    recipe = Recipe("hypersage", {"p": 1.0}, **EASY)
    rows = run_trial(trial(p=1.0, part="seen"), recipe, None, "")
    assert [row.part for row in rows] == ["seen", "unseen"]
    chance = 1 / load_dataset("synthetic").num_classes
    assert all(row.test_acc > 2 * chance for row in rows)


@pytest.mark.parametrize(
    "option", [{"loops": True}, {"rounds": 1}, {"features": "idf"}, {"knn": 3}]
)
def test_the_inductive_experiment_refuses_what_it_does_not_do(option):
    with pytest.raises(ValueError, match="without loops, self-training, knn and idf"):
        run_trial(trial(part="seen"), Recipe("hypersage", **SHORT, **option), None, "")


def test_an_interrupted_training_is_no_result(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(FullGraph, "__iter__", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_trial(trial(), Recipe("hypersage", **SHORT), None, "")


def test_a_balanced_fold_is_scored_as_nodes_of_the_true_mix_would_be():
    # 90 of 100 nodes are of class 0, which is always right; class 1 is right half of the time.
    labels = torch.tensor([0] * 90 + [1] * 10)
    predicted = torch.tensor([0] * 90 + [1] * 5 + [0] * 5)
    logits = torch.nn.functional.one_hot(predicted, 2).float()
    whole = evaluate(logits, labels, torch.arange(100))
    fold = evaluate(logits, labels, torch.arange(80, 100))
    assert fold.accuracy == pytest.approx(0.75)
    assert whole.accuracy == pytest.approx(0.95)
    assert weighted(fold, torch.tensor([0.9, 0.1])).accuracy == pytest.approx(whole.accuracy)
    assert weighted(fold, torch.tensor([0.5, 0.5])).accuracy == pytest.approx(fold.accuracy)


def test_the_mix_comes_from_the_training_labels_alone():
    bench = open_bench("synthetic")
    nodes = bench.dataset.data.splits[0].train
    other = Bench(bench.dataset)
    other.labels = torch.zeros_like(bench.labels)
    other.labels[nodes] = bench.labels[nodes]
    mixes = [mix_of_classes(b, nodes, seed=3) for b in (bench, other)]
    assert torch.equal(*mixes)
    true = np.bincount(bench.labels.numpy()) / len(bench.labels)
    assert float(mixes[0].sum()) == pytest.approx(1)
    assert np.abs(mixes[0].numpy() - true).max() < 0.15


def test_only_folds_are_weighed(monkeypatch):
    called = []
    monkeypatch.setattr(
        "experiments.runs.trial.mix_of_classes",
        lambda bench, nodes, seed: called.append(nodes) or torch.ones(bench.dataset.num_classes),
    )
    recipe = Recipe("mlp", epochs=2)
    run_trial(trial("mlp"), recipe, None, "")
    assert called == []
    run_trial(trial("mlp", fold=0, part="validation"), recipe, None, "")
    train = open_bench("synthetic").dataset.data.splits[0].train
    assert len(called) == 1
    assert np.isin(called[0].numpy(), train).all()
    assert len(called[0]) < len(train)
