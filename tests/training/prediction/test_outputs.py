"""Logits become what a task says; pseudo-labels come from predictions alone."""

from __future__ import annotations

import math

import pytest
import torch

from hypersage_dgl.training import About, Scale, add_pseudo_labels
from hypersage_dgl.training.prediction.outputs import prediction_of

LOGITS = torch.tensor([[2.0, -1.0], [-3.0, 0.5]])


def test_classes_labels_and_numbers():
    made = prediction_of(LOGITS, About())
    assert made.label.tolist() == [0, 1]
    assert torch.equal(made.probability, made.probabilities.amax(dim=1))
    assert torch.allclose(made.probabilities, LOGITS.exp() / LOGITS.exp().sum(1, keepdim=True))
    made = prediction_of(LOGITS, About(task="multilabel"))
    assert made.label.tolist() == [[1, 0], [0, 1]]
    assert torch.allclose(made.probabilities, 1 / (1 + (-LOGITS).exp()))
    about = About(task="regression", scale=Scale(10.0, 2.0))
    assert prediction_of(LOGITS, about).label.tolist() == [[14.0, 8.0], [4.0, 11.0]]
    made = prediction_of(LOGITS[:, :1], about)
    assert made.label.tolist() == [14.0, 4.0]
    assert made.probability.shape == made.probabilities.shape == (2, 0)


def test_what_is_no_number_is_no_prediction():
    with pytest.raises(FloatingPointError, match="node 'bob'"):
        prediction_of(LOGITS * torch.tensor([[1.0], [torch.inf]]), About(), ["ann", "bob"])


def test_the_surest_of_each_class_are_added_with_the_predicted_label():
    generator = torch.Generator().manual_seed(0)
    logits = torch.randn(200, 4, generator=generator)
    truth = torch.randint(0, 4, (200,), generator=generator)
    nodes = torch.arange(0, 200, 10)
    labels, known = add_pseudo_labels(logits, truth, nodes, 0.2)
    assert torch.equal(known[: len(nodes)], nodes)
    assert torch.equal(labels[nodes], truth[nodes])
    added = known[len(nodes) :]
    assert not set(added.tolist()) & set(nodes.tolist())
    sureness, predicted = logits.softmax(1).max(1)
    assert torch.equal(labels[added], predicted[added])
    for label in range(4):
        free = [i for i in range(200) if predicted[i] == label and i % 10]
        mine = [i for i in added.tolist() if predicted[i] == label]
        rest = [i for i in free if i not in mine]
        assert len(mine) == math.ceil(0.2 * len(free))
        assert min(sureness[mine]) >= max(sureness[rest])


def test_true_labels_of_other_nodes_do_not_matter():
    logits, nodes = torch.randn(30, 3), torch.tensor([4, 5])
    truth = torch.randint(0, 3, (30,))
    other = truth.clone()
    other[~torch.isin(torch.arange(30), nodes)] = 0
    first, second = (add_pseudo_labels(logits, t, nodes, 0.5) for t in (truth, other))
    assert torch.equal(first[1], second[1])
    assert torch.equal(first[0][first[1]], second[0][second[1]])


def test_all_of_them_can_be_added():
    logits = torch.tensor([[1.0, 0.0]] * 4 + [[0.0, 1.0]])
    labels, known = add_pseudo_labels(logits, torch.ones(5).long(), torch.tensor([0]), 1.0)
    assert sorted(known.tolist()) == [0, 1, 2, 3, 4]
    assert labels.tolist() == [1, 0, 0, 0, 1]


@pytest.mark.parametrize("share", [0, -0.1, 1.5])
def test_other_shares_are_refused(share):
    with pytest.raises(ValueError, match="it must be above 0 and at most 1"):
        add_pseudo_labels(torch.zeros(2, 2), torch.zeros(2).long(), torch.tensor([0]), share)
