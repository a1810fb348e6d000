"""MLP against numpy."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.nn.baselines import MLP

from .cases import NODES, features, layered, model_for, small


def test_is_a_perceptron():
    model = model_for("MLP", num_layers=3)
    logits = model(small(), features()).detach().numpy()
    np.testing.assert_allclose(logits, layered(model, np.eye(NODES), features()), atol=1e-12)


def test_does_not_look_at_the_hypergraph():
    other, model = hypergraph([[0, 9], [4, 5, 8]], NODES), model_for("MLP")
    assert torch.equal(model(small(), features()), model(other, features()))


def test_refuses_rates_and_depths():
    with pytest.raises(ValueError, match=r"dropout is 1\.0"):
        MLP(2, 2, 2, dropout=1.0)
    with pytest.raises(ValueError, match=r"feat_drop is -0\.5"):
        MLP(2, 2, 2, feat_drop=-0.5)
    with pytest.raises(ValueError, match="num_layers is 0"):
        MLP(2, 2, 2, num_layers=0)
