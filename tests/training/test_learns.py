"""Real data: clearly better than features alone, and nothing to learn from shuffled labels.

The embedded data always; citeseer where ``HYPERSAGE_DATA_DIR`` names a copy of the public files.
"""

from __future__ import annotations

import os

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from hypersage_dgl.data import load_dataset
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import Scores, evaluate, fit, seed_everything

from .cases import full, sampled

DATA_DIR = os.environ.get("HYPERSAGE_DATA_DIR")
HIDDEN = 32


class Task:
    """A data set with one of its splits, and what different learners make of it."""

    def __init__(self, dataset, epochs: int):
        self.graph, self.feat, self.labels = dataset.structure, dataset.sparse_feat, dataset.labels
        self.train, _, self.test = dataset.split
        self.num_classes, self.epochs = dataset.num_classes, epochs

    def score(self, logits: torch.Tensor) -> Scores:
        return evaluate(logits, self.labels, self.test, self.graph)

    def hypersage(self, labels=None, batches=full, epochs=None, **options) -> Scores:
        seed_everything(0)
        model = HyperSAGE(self.feat.shape[1], HIDDEN, self.num_classes)
        labels = self.labels if labels is None else labels
        made = batches(model, self.graph, self.feat, labels, self.train, **options)
        fit(model, made, epochs=epochs or self.epochs, weight_decay=5e-3)
        return self.score(model.inference(self.graph, self.feat, 1 << 16))

    def features_alone(self, net: nn.Module) -> Scores:
        """The better of two: features as they are, and rows of unit length."""
        scores = []
        for x in (self.feat.to_dense(), F.normalize(self.feat.to_dense(), dim=1)):
            torch.manual_seed(0)
            for layer in net:
                getattr(layer, "reset_parameters", list)()
            optimizer = torch.optim.Adam(net.train().parameters(), lr=0.02, weight_decay=5e-4)
            for _ in range(self.epochs):
                loss = F.cross_entropy(net(x[self.train]), self.labels[self.train])
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            scores.append(self.score(net.eval()(x)))
        return max(scores, key=lambda s: s.accuracy)

    def logistic_regression(self) -> Scores:
        return self.features_alone(nn.Sequential(nn.Linear(self.feat.shape[1], self.num_classes)))

    def mlp(self) -> Scores:
        hidden = (nn.Linear(self.feat.shape[1], HIDDEN), nn.ReLU(), nn.Dropout(0.5))
        return self.features_alone(nn.Sequential(*hidden, nn.Linear(HIDDEN, self.num_classes)))

    def shuffled(self) -> torch.Tensor:
        """The training labels dealt out again among the training nodes."""
        order = torch.randperm(len(self.train), generator=torch.Generator().manual_seed(1))
        labels = self.labels.clone()
        labels[self.train] = self.labels[self.train[order]]
        return labels

    def majority(self) -> float:
        return float(self.labels[self.test].bincount().max()) / len(self.test)


@pytest.fixture(scope="module")
def debian() -> Task:
    return Task(load_dataset("debian"), epochs=25)


@pytest.fixture(scope="module")
def debian_baseline(debian) -> Scores:
    return max(debian.mlp(), debian.logistic_regression(), key=lambda s: s.accuracy)


def test_learns_from_the_hypergraph(debian, debian_baseline):
    # 23,836 test nodes: a standard error is 0.3 points.
    assert debian_baseline.accuracy > 0.65, "a baseline that is not trained proves nothing"
    scores = debian.hypersage()
    assert scores.accuracy > debian_baseline.accuracy + 0.05
    assert scores.macro_f1 > debian_baseline.macro_f1 + 0.05
    assert scores.connected_accuracy > debian_baseline.connected_accuracy + 0.08


def test_learns_from_samples(debian, debian_baseline):
    options = {"batches": sampled, "alpha": 5, "beta": 5, "batch_size": 256}
    assert debian.hypersage(epochs=4, **options).accuracy > debian_baseline.accuracy + 0.03


@pytest.mark.exhaustive
def test_learns_nothing_from_shuffled_labels(debian):
    # By chance a part of the nodes of the two largest classes is told apart.
    scores = debian.hypersage(debian.shuffled())
    assert scores.accuracy < debian.majority() + 0.05
    assert scores.macro_f1 < 0.15


@pytest.mark.exhaustive
@pytest.mark.real_data
@pytest.mark.parametrize("split", [1, 2])
def test_learns_citeseer(tmp_path, monkeypatch, split):
    monkeypatch.setenv("DGL_DOWNLOAD_DIR", str(tmp_path))
    task = Task(load_dataset("citeseer", split, data_dir=DATA_DIR), epochs=60)
    baseline = max(task.mlp(), task.logistic_regression(), key=lambda s: s.accuracy)
    assert baseline.accuracy > 0.52
    scores = task.hypersage()
    # More than half of the nodes are in no hyperedge, which cannot help them.
    assert scores.accuracy > baseline.accuracy + 0.01
    assert scores.connected_accuracy > baseline.connected_accuracy + 0.04
    assert task.hypersage(task.shuffled()).accuracy < 0.3
