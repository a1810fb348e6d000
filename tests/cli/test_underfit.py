"""Low accuracy on training nodes is said."""

from __future__ import annotations

import numpy as np
import torch

from hypersage_dgl.cli.underfit import underfit_of

from .own_data import ARRAYS, labelled


def test_low_is_below_seven_in_ten():
    labels, nodes = torch.zeros(12).long(), torch.arange(10)
    for wrong, is_low in ((0, False), (3, False), (4, True), (10, True)):
        scores = torch.eye(2)[torch.tensor([1] * wrong + [0] * (10 - wrong) + [1, 1])]
        assert (underfit_of(scores, labels, nodes) is not None) == is_low
    said = underfit_of(torch.eye(2)[torch.ones(12).long()], labels, nodes)
    assert said.startswith("training accuracy is only 0.00 %: the model underfits; try ")


def test_the_command_warns(data, hypersage):
    # Without features all nodes look alike.
    path = labelled(data, feature_values=np.zeros_like(ARRAYS.features.data))
    done = hypersage("train", "--hypergraph", path, "--epochs", "2")
    assert done.code == 0
    assert "hypersage train: warning: training accuracy is only 33.33 %: " in done.err
    good = hypersage("train", "--hypergraph", "recipes.npz", "--epochs", "60", "--dropout", "0")
    assert "underfits" not in good.err
