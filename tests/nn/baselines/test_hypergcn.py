"""HyperGCN and FastHyperGCN against their definition by loops over hyperedges."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from random_hypergraphs import hypergraphs

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import clique_expansion
from hypersage_dgl.nn.baselines import hypergcn
from hypersage_dgl.nn.baselines.mediators import adjacent, ends_along, spread

from .cases import (
    HYPEREDGES,
    ISOLATED,
    NODES,
    features,
    layered,
    mediator_matrix,
    model_for,
    normalised,
    small,
    weights_of,
)


@given(hypergraphs(), st.integers(1, 4))
def test_edges_are_those_of_the_definition(drawn, levels):
    # Few levels make ties, in the end of whole hyperedges.
    position = torch.randint(levels, (drawn.num_nodes,), generator=drawn.numbers(3)).double()
    weight = None if not drawn.weighted else drawn.hyperedge_weight.tolist()
    expected = mediator_matrix(drawn.hyperedges, drawn.num_nodes, position.tolist(), weight)
    graph, eye = drawn.graph(), torch.eye(drawn.num_nodes, dtype=torch.float64)
    ends = ends_along(graph, position)
    np.testing.assert_allclose(adjacent(graph, ends, eye).numpy(), expected, rtol=1e-6, atol=1e-9)
    operator = spread(graph, ends, eye).numpy()
    np.testing.assert_allclose(operator, normalised(expected), rtol=1e-5, atol=1e-9)


def test_small_hyperedges_give_the_clique_expansion():
    graph = hypergraph([[0, 1, 2], [2, 3], [1, 2, 4], [5], [3, 4]], 7)
    clique = torch.zeros(7, 7, dtype=torch.bool)
    clique[clique_expansion(graph).edges()] = True
    for seed in range(3):
        position = torch.rand(7, generator=torch.Generator().manual_seed(seed))
        ours = adjacent(graph, ends_along(graph, position), torch.eye(7))
        assert torch.equal(ours > 1e-6, clique)


def test_large_hyperedges_do_not():
    graph = hypergraph([[0, 1, 2, 3]])
    ours = adjacent(graph, ends_along(graph, torch.arange(4.0)), torch.eye(4))
    assert int((ours > 1e-6).sum()) == 10
    assert clique_expansion(graph).num_edges() == 12


def test_fast_model_is_the_dense_chain():
    model = model_for("FastHyperGCN", num_layers=3)
    position = features().numpy() @ model.direction.numpy()
    operator = normalised(mediator_matrix(HYPEREDGES, NODES, position))
    logits = model(small(), features()).detach().numpy()
    np.testing.assert_allclose(logits, layered(model, operator, features()), atol=1e-12)


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


def test_training_draws_directions_anew(monkeypatch):
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


@pytest.mark.parametrize("kind", ["HyperGCN", "FastHyperGCN"])
def test_isolated_nodes_keep_their_own(kind):
    model = model_for(kind, num_layers=1)
    (weight, bias), *_ = weights_of(model)
    logits = model(small(), features()).detach().numpy()
    expected = features()[ISOLATED].numpy() @ weight + bias
    np.testing.assert_allclose(logits[ISOLATED], expected, atol=1e-12)


def test_fast_edges_follow_other_features():
    model, graph = model_for("FastHyperGCN"), small()
    feat = features()
    model(graph, feat)
    reversed_feat = feat.flip(0).contiguous()
    expected = model_for("FastHyperGCN")(graph, reversed_feat)
    assert torch.equal(model(graph, reversed_feat), expected)
    # In place, too.
    feat.copy_(reversed_feat)
    assert torch.equal(model(graph, feat), expected)


def test_gradient_flows_through_the_ends():
    graph, position = small(), features()[:, 0]
    ends = ends_along(graph, position)
    signal = torch.rand(NODES, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: spread(graph, ends, x), signal)
