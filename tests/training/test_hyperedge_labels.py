"""Classes and numbers of hyperedges: learned where they are planted, and not where shuffled."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from hypersage_dgl import hypergraph
from hypersage_dgl.data import member_sets
from hypersage_dgl.nn import CandidateScorer, HyperedgePredictor, HyperSAGE, Mean, Question
from hypersage_dgl.training import (
    HyperedgeLabels,
    fit,
    hyperedge_score_on,
    load_checkpoint,
    seed_everything,
)

NODES, EDGES, KINDS = 60, 90, 3


def made():
    """Nodes of three kinds with noisy features; hyperedges have mostly members of one kind."""
    numbers = np.random.default_rng(0)
    kinds = np.arange(NODES) % KINDS
    sets, labels = [], []
    for i in range(EDGES):
        own = numbers.choice(np.flatnonzero(kinds == i % KINDS), 3 + i % 3, replace=False)
        sets.append([*own.tolist(), int(numbers.integers(NODES))])
        labels.append(i % KINDS)
    feat = torch.eye(KINDS)[kinds] + 0.5 * torch.from_numpy(numbers.random((NODES, KINDS))).float()
    return hypergraph(sets, NODES), feat, torch.tensor(labels)


G, FEAT, LABELS = made()
ORDER = torch.from_numpy(np.random.default_rng(1).permutation(EDGES))
TRAIN, TEST = ORDER[:50], ORDER[50:]


def trained(labels, outputs, **options):
    seed_everything(0)
    head = CandidateScorer(16, 16, Mean(), out_feats=outputs)
    model = HyperedgePredictor(HyperSAGE(KINDS, 16, 16, 1, dropout=0.0), head)
    batches = HyperedgeLabels(G, FEAT, labels, TRAIN)
    fit(model, batches, epochs=80, lr=0.02, weight_decay=0.0, seed=0, **options)
    return model


def shuffled(labels):
    mixed = labels.clone()
    mixed[TRAIN] = labels[TRAIN[torch.from_numpy(np.random.default_rng(2).permutation(len(TRAIN)))]]
    return mixed


def test_planted_classes_are_learned_and_shuffled_ones_are_not():
    accuracy = hyperedge_score_on(G, FEAT, LABELS, TEST)
    assert accuracy(trained(LABELS, KINDS)) > 0.9
    assert accuracy(trained(shuffled(LABELS), KINDS)) < 0.65


def test_planted_numbers_are_learned_and_shuffled_ones_are_not():
    # The mean of a feature over the members.
    means = torch.stack([FEAT[list(members), 0].mean() for members in member_sets(G)])
    r2 = hyperedge_score_on(G, FEAT, means, TEST, task="regression")
    assert r2(trained(means, 1, task="regression")) > 0.8
    assert r2(trained(shuffled(means), 1, task="regression")) < 0.3


def test_a_score_is_counted_by_hand_and_rows_of_labels_are_learned_too():
    rows = F.one_hot(LABELS, KINDS)
    model = trained(rows, KINDS, task="multilabel")
    with torch.no_grad():
        on = model(Question(G, G), FEAT)[TEST] > 0
    hits = int((on & rows[TEST].bool()).sum())
    f1 = 2 * hits / int(on.sum() + rows[TEST].sum())
    assert hyperedge_score_on(G, FEAT, rows, TEST, task="multilabel")(model) == pytest.approx(f1)
    assert f1 > 0.85


def test_a_checkpoint_remembers_the_task_and_makes_the_model_again(tmp_path):
    model = trained(LABELS, KINDS, folder=tmp_path)
    kept = load_checkpoint(tmp_path)
    assert kept.about.task == "classification"
    with torch.no_grad():
        assert torch.equal(kept.model.eval()(Question(G, G), FEAT), model(Question(G, G), FEAT))


@pytest.mark.parametrize(
    ("labels", "ids", "told"),
    [
        (LABELS[:5], TRAIN, "a class for each of the 90 hyperedges"),
        (LABELS, torch.tensor([90]), "hyperedge id 90"),
        (LABELS, torch.zeros(EDGES, dtype=torch.bool), "there is no hyperedge to train on"),
        (LABELS, torch.tensor([1, 1]), "a hyperedge to train on is repeated"),
    ],
    ids=["labels", "id", "none", "twice"],
)
def test_what_does_not_fit_is_refused(labels, ids, told):
    with pytest.raises(ValueError, match=told):
        HyperedgeLabels(G, FEAT, labels, ids)
