"""TF-HNN against its dense recursion, smoothed once for all epochs."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from hypersage_dgl.nn.baselines import tf_hnn

from .cases import HYPEREDGES, NODES, features, incidence_matrix, layered, model_for, small, theta


@pytest.mark.parametrize("options", [{}, {"hops": 4, "alpha": 0.4}])
def test_model_is_an_mlp_on_the_recursion(options):
    matrix = np.hstack([incidence_matrix(HYPEREDGES, NODES), np.eye(NODES)])
    operator, alpha = theta(matrix, np.ones(matrix.shape[1])), options.get("alpha", 0.1)
    z = start = features().numpy()
    for _ in range(options.get("hops", 2)):
        z = (1 - alpha) * operator @ z + alpha * start
    model = model_for("TFHNN", **options)
    logits = model(small(), features()).detach().numpy()
    expected = layered(model, np.eye(NODES), torch.from_numpy(z))
    np.testing.assert_allclose(logits, expected, atol=1e-12)


def test_smooths_once_until_features_change(monkeypatch):
    calls = []
    real = tf_hnn.smoothed
    monkeypatch.setattr(tf_hnn, "smoothed", lambda *args: calls.append(1) or real(*args))
    model, graph, feat = model_for("TFHNN"), small(), features()
    before = model(graph, feat)
    assert torch.equal(model(graph, feat), before)
    assert len(calls) == 2
    feat.mul_(2)
    assert not torch.equal(model(graph, feat), before)
    assert len(calls) == 4


def test_features_get_their_gradient():
    feat = features().requires_grad_()
    model_for("TFHNN")(small(), feat).sum().backward()
    assert float(feat.grad.abs().sum()) > 0
