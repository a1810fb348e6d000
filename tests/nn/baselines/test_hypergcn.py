"""HyperGCN against its definition by loops over hyperedges."""

from __future__ import annotations

import numpy as np
import torch

from hypersage_dgl.nn.baselines import hypergcn

from .cases import (
    HYPEREDGES,
    ISOLATED,
    NODES,
    features,
    mediator_matrix,
    model_for,
    normalised,
    small,
    weights_of,
)


def _reference(model, directions) -> np.ndarray:
    h = features().numpy()
    for depth, (weight, bias) in enumerate(weights_of(model)):
        signal = (np.maximum(h, 0) if depth else h) @ weight
        adjacency = mediator_matrix(HYPEREDGES, NODES, signal @ directions[depth].numpy())
        h = normalised(adjacency) @ signal + bias
    return h


def test_model_makes_its_edges_in_every_layer():
    model = model_for("HyperGCN", num_layers=3)
    directions = [model.get_buffer(f"direction_{depth}") for depth in range(3)]
    logits = model(small(), features()).detach().numpy()
    np.testing.assert_allclose(logits, _reference(model, directions), atol=1e-12)


def test_training_draws_directions_again(monkeypatch):
    drawn = []
    rand_like = torch.rand_like

    def noted(like):
        drawn.append(rand_like(like))
        return drawn[-1]

    monkeypatch.setattr(hypergcn.torch, "rand_like", noted)
    model = model_for("HyperGCN", dropout=0.0).train()
    for _ in range(2):
        drawn.clear()
        logits = model(small(), features()).detach().numpy()
        np.testing.assert_allclose(logits, _reference(model, drawn), atol=1e-12)
    assert len(drawn) == 2


def test_training_differs_and_evaluation_repeats():
    model, graph, feat = model_for("HyperGCN", dropout=0.0), small(), features()
    assert torch.equal(model(graph, feat), model(graph, feat))
    model.train()
    seen = {model(graph, feat).detach().numpy().tobytes() for _ in range(20)}
    assert len(seen) > 1


def test_isolated_nodes_keep_their_own():
    model = model_for("HyperGCN", num_layers=1)
    (weight, bias), *_ = weights_of(model)
    logits = model(small(), features()).detach().numpy()
    expected = features()[ISOLATED].numpy() @ weight + bias
    np.testing.assert_allclose(logits[ISOLATED], expected, atol=1e-12)
