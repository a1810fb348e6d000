"""HGNN against its dense operator."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from random_hypergraphs import hypergraphs

from hypersage_dgl.nn.baselines import HGNN
from hypersage_dgl.nn.baselines.smoothing import scales, smoothed

from .cases import (
    HYPEREDGES,
    ISOLATED,
    NODES,
    features,
    incidence_matrix,
    layered,
    model_for,
    small,
    theta,
    weights_of,
)


@given(hypergraphs())
def test_operator_is_the_formula(drawn):
    matrix = incidence_matrix(drawn.hyperedges, drawn.num_nodes, drawn.incidence_weight)
    weight = (
        np.ones(len(drawn.hyperedges)) if not drawn.weighted else drawn.hyperedge_weight.numpy()
    )
    graph = drawn.graph()
    ours = smoothed(graph, scales(graph), torch.eye(drawn.num_nodes, dtype=torch.float64))
    np.testing.assert_allclose(ours.numpy(), theta(matrix, weight.astype(float)), atol=1e-6)


@pytest.mark.parametrize("self_loops", [False, True])
@pytest.mark.parametrize("num_layers", [1, 3])
def test_model_is_the_dense_chain(self_loops, num_layers):
    matrix = incidence_matrix(HYPEREDGES, NODES)
    if self_loops:
        # One more hyperedge {v} of weight 1 for each node, isolated or not.
        matrix = np.hstack([matrix, np.eye(NODES)])
    operator = theta(matrix, np.ones(matrix.shape[1]))
    model = model_for("HGNN", self_loops=self_loops, num_layers=num_layers)
    logits = model(small(), features()).detach().numpy()
    np.testing.assert_allclose(logits, layered(model, operator, features()), atol=1e-12)


def test_isolated_nodes_see_themselves_only_with_loops():
    with_loops = model_for("HGNN", num_layers=1)
    (weight, bias), *_ = weights_of(with_loops)
    expected = features()[ISOLATED].numpy() @ weight + bias
    logits = with_loops(small(), features()).detach().numpy()
    np.testing.assert_allclose(logits[ISOLATED], expected, atol=1e-12)
    without = model_for("HGNN", num_layers=1, self_loops=False)
    logits = without(small(), features()).detach().numpy()
    np.testing.assert_allclose(logits[ISOLATED], [weights_of(without)[0][1]] * 2, atol=1e-12)


def test_changed_weights_count():
    graph, model = small(), model_for("HGNN")
    before = model(graph, features())
    graph.nodes["hyperedge"].data["weight"] = torch.arange(1.0, len(HYPEREDGES) + 1)
    weighted = model(graph, features())
    assert not torch.allclose(before, weighted)
    graph.nodes["hyperedge"].data["weight"].fill_(1)
    torch.testing.assert_close(model(graph, features()), before)


def test_default_has_loops():
    assert HGNN(2, 2, 2).config["self_loops"] is True
