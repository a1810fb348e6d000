"""CliqueSAGE against its formula and against dgl.nn on a graph made by hand."""

from __future__ import annotations

import dgl
import numpy as np
import torch
import torch.nn.functional as F

from hypersage_dgl.nn.baselines import clique_gcn

from .cases import (
    HIDDEN,
    HYPEREDGES,
    ISOLATED,
    NODES,
    clique_graph,
    clique_matrix,
    features,
    model_for,
    small,
)


def test_sage_is_sage_conv():
    model, graph, h = model_for("CliqueSAGE"), clique_graph(loops=False), features()
    for depth, layer in enumerate(model.layers):
        conv = dgl.nn.SAGEConv(layer.in_feats, layer.out_feats, "mean").double()
        conv.load_state_dict(layer.conv.state_dict())
        h = conv(graph, F.relu(h) if depth else h)
    torch.testing.assert_close(model(small(), features()), h)


def test_sage_is_its_formula():
    model = model_for("CliqueSAGE", num_layers=1)
    conv, x = model.layers[0].conv, features().numpy()
    matrix = clique_matrix(HYPEREDGES, NODES)
    mean = matrix @ x / np.maximum(matrix.sum(1, keepdims=True), 1)
    own, neighbors = (w.weight.detach().numpy().T for w in (conv.fc_self, conv.fc_neigh))
    expected = x @ own + mean @ neighbors + conv.fc_self.bias.detach().numpy()
    logits = model(small(), features()).detach().numpy()
    np.testing.assert_allclose(logits, expected, atol=1e-12)
    alone = x[ISOLATED] @ own + conv.fc_self.bias.detach().numpy()
    np.testing.assert_allclose(logits[ISOLATED], alone, atol=1e-12)


def test_expansion_is_made_once(monkeypatch):
    made, expansion = [], clique_gcn.clique_expansion
    monkeypatch.setattr(
        clique_gcn, "clique_expansion", lambda graph: made.append(graph) or expansion(graph)
    )
    model, graph = model_for("CliqueSAGE"), small()
    graph.nodes["node"].data["feat"] = features()
    for _ in range(3):
        model(graph, features())
    assert made == [graph]
    assert not model.prepare(graph, features()).ndata


def test_sage_projects_wide_sparse_rows_and_densifies_narrow_ones():
    feat, graph = features(), small()
    for hidden in (HIDDEN, 9):
        torch.manual_seed(0)
        model = type(model_for("CliqueSAGE"))(6, hidden, 2).double().eval()
        torch.testing.assert_close(model(graph, feat.to_sparse_csr()), model(graph, feat))
