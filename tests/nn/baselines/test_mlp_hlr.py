"""The regularised MLP: its model against numpy, its penalty against the trace."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from random_hypergraphs import hypergraphs

from hypersage_dgl import hypergraph
from hypersage_dgl.nn.baselines import MLPHLR

from .cases import CLASSES, NODES, features, incidence_matrix, layered, model_for, small, theta


def test_is_a_perceptron():
    model = model_for("MLPHLR", num_layers=3)
    logits = model(small(), features()).detach().numpy()
    np.testing.assert_allclose(logits, layered(model, np.eye(NODES), features()), atol=1e-12)


@given(hypergraphs())
def test_penalty_is_the_trace(drawn):
    matrix = incidence_matrix(drawn.hyperedges, drawn.num_nodes, drawn.incidence_weight)
    weight = (
        np.ones(len(drawn.hyperedges)) if not drawn.weighted else drawn.hyperedge_weight.numpy()
    )
    # An isolated node has no term: its diagonal entry is 0, not 1.
    laplacian = np.diag((matrix.sum(1) > 0).astype(float)) - theta(matrix, weight.astype(float))
    logits = drawn.features(signed=True, width=CLASSES)
    z = torch.softmax(logits, 1).numpy()
    model = MLPHLR(2, 2, CLASSES, strength=0.25).double()
    penalty = float(model.penalty(drawn.graph(), logits))
    np.testing.assert_allclose(penalty, 0.25 * np.trace(z.T @ laplacian @ z), atol=1e-6)
    assert penalty > -1e-6


def test_penalty_sums_over_pairs():
    hyperedges = [[0, 1, 2], [2, 3]]
    graph, logits = hypergraph(hyperedges, 5), features(5, CLASSES)
    z, degree = torch.softmax(logits, 1), torch.tensor([1, 1, 2, 1])
    total = 0.0
    for members in hyperedges:
        for u in members:
            for v in members:
                gap = z[u] / degree[u].sqrt() - z[v] / degree[v].sqrt()
                total += float(gap @ gap) / (2 * len(members))
    model = MLPHLR(2, 2, CLASSES)
    assert float(model.penalty(graph, logits)) == pytest.approx(0.001 * total, rel=1e-6)


def test_penalty_pulls_members_together():
    graph = hypergraph([[0, 1, 2]])
    logits = torch.tensor([[4.0, 0.0], [0.0, 4.0], [0.0, 0.0]], requires_grad=True)
    model = MLPHLR(2, 2, 2, strength=1.0)
    before = model.penalty(graph, logits)
    before.backward()
    after = model.penalty(graph, logits - 0.1 * logits.grad)
    assert after.item() < before.item()


def test_refuses_a_strength_below_zero():
    with pytest.raises(ValueError, match=r"strength is -1"):
        MLPHLR(2, 2, 2, strength=-1)


def test_penalty_follows_weights_changed_in_place():
    graph, logits = hypergraph([[0, 1, 2], [2, 3]], 4, hyperedge_weight=[1.0, 1.0]), features(4, 3)
    model = MLPHLR(2, 2, CLASSES)
    before = float(model.penalty(graph, logits))
    graph.nodes["hyperedge"].data["weight"][0] = 5
    fresh = hypergraph([[0, 1, 2], [2, 3]], 4, hyperedge_weight=[5.0, 1.0])
    after = float(model.penalty(graph, logits))
    assert after != before
    assert after == float(MLPHLR(2, 2, CLASSES).penalty(fresh, logits))
