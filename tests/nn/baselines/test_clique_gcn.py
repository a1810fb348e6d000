"""CliqueGCN against a dense matrix and against dgl.nn on a graph made by hand."""

from __future__ import annotations

import dgl
import numpy as np
import torch
import torch.nn.functional as F

from hypersage_dgl.nn.baselines import clique_gcn
from hypersage_dgl.nn.baselines.clique_gcn import bare_clique

from .cases import (
    HYPEREDGES,
    ISOLATED,
    NODES,
    clique_graph,
    clique_matrix,
    features,
    layered,
    model_for,
    normalised,
    small,
    weights_of,
)


def test_gcn_is_the_dense_chain():
    model = model_for("CliqueGCN", num_layers=3)
    operator = normalised(clique_matrix(HYPEREDGES, NODES))
    logits = model(small(), features()).detach().numpy()
    np.testing.assert_allclose(logits, layered(model, operator, features()), atol=1e-12)


def test_gcn_is_graph_conv():
    model, graph, h = model_for("CliqueGCN"), clique_graph(loops=True), features()
    for depth, layer in enumerate(model.layers):
        linear = layer.linear
        conv = dgl.nn.GraphConv(linear.in_features, linear.out_features).double()
        conv.load_state_dict({"weight": linear.weight.T, "bias": linear.bias})
        h = conv(graph, F.relu(h) if depth else h)
    torch.testing.assert_close(model(small(), features()), h)


def test_expansion_is_made_once(monkeypatch):
    made, expansion = [], clique_gcn.clique_expansion
    monkeypatch.setattr(
        clique_gcn, "clique_expansion", lambda graph: made.append(graph) or expansion(graph)
    )
    model, graph = model_for("CliqueGCN"), small()
    graph.nodes["node"].data["feat"] = features()
    for _ in range(3):
        model(graph, features())
    assert made == [graph]
    assert not model.prepare(graph, features()).ndata


def test_expansion_joins_whom_a_hyperedge_joins_and_carries_nothing():
    graph = small()
    graph.nodes["node"].data["feat"] = features()
    clique = bare_clique(graph)
    matrix = np.zeros((NODES, NODES))
    np.add.at(matrix, tuple(ids.numpy() for ids in clique.edges()), 1)
    assert np.array_equal(matrix, clique_matrix(HYPEREDGES, NODES))
    assert not clique.ndata


def test_isolated_nodes_keep_their_own():
    model = model_for("CliqueGCN", num_layers=1)
    (weight, bias), *_ = weights_of(model)
    logits = model(small(), features()).detach().numpy()
    expected = features()[ISOLATED].numpy() @ weight + bias
    np.testing.assert_allclose(logits[ISOLATED], expected, atol=1e-12)
