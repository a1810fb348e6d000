"""A model that predicts few of the classes is said to."""

from __future__ import annotations

import numpy as np
import torch

from hypersage_dgl.cli.collapse import collapse_of

from .own_data import ARRAYS, labelled


def scores(*predicted):
    return torch.eye(4)[list(predicted)]


def test_half_of_the_classes_missing_is_a_collapse():
    labels, nodes, names = torch.tensor([0, 1, 2, 3]), torch.arange(4), ("a", "b", "c", "d")
    assert collapse_of(scores(0, 1, 2, 3), labels, nodes, names) is None
    assert collapse_of(scores(0, 1, 2, 0), labels, nodes, names) is None
    said = collapse_of(scores(0, 1, 0, 1), labels, nodes, names)
    assert said.startswith("the model found 2 of the 4 classes: no c, d is predicted; try more")
    # Where one class occurs alone there is nothing to tell apart.
    assert collapse_of(scores(1, 1, 1, 1), torch.zeros(4).long(), nodes, names) is None


def test_the_command_warns(data, hypersage):
    # Without features all nodes look alike.
    path = labelled(data, feature_values=np.zeros_like(ARRAYS.features.data))
    done = hypersage("train", "--hypergraph", path, "--epochs", "2")
    assert done.code == 0
    assert "hypersage train: warning: the model found 1 of the 3 classes" in done.err
