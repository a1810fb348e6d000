"""Pseudo-labels come from predictions alone."""

from __future__ import annotations

import pytest
import torch

from hypersage_dgl.training.self_training import add_pseudo_labels


def test_the_surest_of_each_class_are_added_with_the_predicted_label():
    generator = torch.Generator().manual_seed(0)
    logits = torch.randn(200, 4, generator=generator)
    truth = torch.randint(0, 4, (200,), generator=generator)
    nodes = torch.arange(0, 200, 10)
    labels, known = add_pseudo_labels(logits, truth, nodes, 5)
    assert torch.equal(known[: len(nodes)], nodes)
    assert torch.equal(labels[nodes], truth[nodes])
    added = known[len(nodes) :]
    assert not set(added.tolist()) & set(nodes.tolist())
    sureness, predicted = logits.softmax(1).max(1)
    assert torch.equal(labels[added], predicted[added])
    for label in range(4):
        mine = [i for i in added.tolist() if predicted[i] == label]
        rest = [
            i
            for i in range(200)
            if predicted[i] == label and i not in mine and i not in nodes.tolist()
        ]
        assert len(mine) == 5
        assert min(sureness[mine]) >= max(sureness[rest])


def test_true_labels_of_other_nodes_do_not_matter_and_stay():
    logits, nodes = torch.randn(30, 3), torch.tensor([4, 5])
    truth = torch.randint(0, 3, (30,))
    other = truth.clone()
    other[~torch.isin(torch.arange(30), nodes)] = 0
    first, second = (add_pseudo_labels(logits, t, nodes, 2) for t in (truth, other))
    assert torch.equal(first[1], second[1])
    assert torch.equal(first[0][first[1]], second[0][second[1]])


def test_a_class_that_is_predicted_for_few_gives_few():
    logits = torch.tensor([[1.0, 0.0]] * 4 + [[0.0, 1.0]])
    _, known = add_pseudo_labels(logits, torch.zeros(5, dtype=torch.long), torch.tensor([0]), 10)
    assert sorted(known.tolist()) == [0, 1, 2, 3, 4]


def test_none_to_add_is_refused():
    with pytest.raises(ValueError, match="per_class is 0"):
        add_pseudo_labels(torch.zeros(2, 2), torch.zeros(2).long(), torch.tensor([0]), 0)
