"""HGNN against its dense operator, also after its hypergraph changed."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.nn.baselines import HGNN

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


def exchange_an_incidence(graph) -> None:
    """Take node 0 out of hyperedge 0 and put node 9 in, in place: all counts stay the same."""
    assert graph.edges(etype="in", order="eid")[0][0] == 0
    for etype in ("in", "contains"):
        graph.remove_edges([0], etype=etype)
    graph.add_edges([9], [0], etype="in")
    graph.add_edges([0], [9], etype="contains")


@pytest.mark.parametrize("weighted", [False, True])
def test_a_hypergraph_changed_in_place_is_a_new_one(weighted):
    graph, model = small(), model_for("HGNN")
    if weighted:
        graph.nodes["hyperedge"].data["weight"] = torch.arange(1.0, len(HYPEREDGES) + 1)
    before, counts = model(graph, features()), graph.num_edges("in")
    exchange_an_incidence(graph)
    assert graph.num_edges("in") == counts
    after = model(graph, features())
    assert not torch.allclose(before, after)
    torch.testing.assert_close(after, model_for("HGNN")(graph, features()))
    # And a fresh model on a fresh hypergraph, and the dense chain.
    hyperedges = [[1, 2, 9], *HYPEREDGES[1:]]
    matrix = np.hstack([incidence_matrix(hyperedges, NODES), np.eye(NODES)])
    weight = np.ones(matrix.shape[1])
    if weighted:
        weight[: len(hyperedges)] = np.arange(1, len(hyperedges) + 1)
    fresh = hypergraph(
        hyperedges, NODES, hyperedge_weight=weight[: len(hyperedges)] if weighted else None
    )
    torch.testing.assert_close(after, model_for("HGNN")(fresh, features()))
    expected = layered(model, theta(matrix, weight), features())
    np.testing.assert_allclose(after.detach().numpy(), expected, atol=1e-12)


def test_a_learned_weight_gets_its_gradient_after_a_validation():
    def gradient(validate: bool):
        graph, model = small(), model_for("HGNN")
        weight = torch.linspace(0.5, 2, len(HYPEREDGES), dtype=torch.float64).requires_grad_()
        graph.nodes["hyperedge"].data["weight"] = weight
        if validate:
            with torch.no_grad():
                model(graph, features())
        model(graph, features()).square().sum().backward()
        return weight.grad

    assert gradient(validate=True) is not None
    torch.testing.assert_close(gradient(validate=True), gradient(validate=False))
    assert float(gradient(validate=True).abs().min()) > 0


def test_validation_in_inference_mode_leaves_training_possible():
    graph, model = small(), model_for("HGNN")
    with torch.inference_mode():
        model(graph, features())
    model(graph, features()).square().sum().backward()
    expected = model_for("HGNN")
    expected(small(), features()).square().sum().backward()
    for ours, theirs in zip(model.parameters(), expected.parameters()):
        torch.testing.assert_close(ours.grad, theirs.grad)
