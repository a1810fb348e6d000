"""Validation accuracy is weighed by the mix of classes, which no hidden label tells."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from hypersage_dgl.reproduction.bench import Bench, open_bench
from hypersage_dgl.reproduction.recipe import Recipe
from hypersage_dgl.reproduction.trial import Trial, run_trial
from hypersage_dgl.reproduction.validation import mix_of_classes, weighted
from hypersage_dgl.training import evaluate


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
        "hypersage_dgl.reproduction.trial.mix_of_classes",
        lambda bench, nodes, seed: called.append(nodes) or torch.ones(bench.dataset.num_classes),
    )
    recipe = Recipe("mlp", epochs=2)
    run_trial(Trial("table1", "synthetic", "mlp", "paper", 1), recipe, None, "")
    assert called == []
    run_trial(Trial("search", "synthetic", "mlp", "search", 1, fold=0), recipe, None, "")
    train = open_bench("synthetic").dataset.data.splits[0].train
    assert len(called) == 1
    assert np.isin(called[0].numpy(), train).all()
    assert len(called[0]) < len(train)
