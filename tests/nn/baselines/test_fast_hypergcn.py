"""FastHyperGCN against its dense chain, with edges that the features make once."""

from __future__ import annotations

import numpy as np
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.nn.baselines import FastHyperGCN, fast_hypergcn

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


def test_fast_model_is_the_dense_chain():
    model = model_for("FastHyperGCN", num_layers=3)
    position = features().numpy() @ model.direction.numpy()
    operator = normalised(mediator_matrix(HYPEREDGES, NODES, position))
    logits = model(small(), features()).detach().numpy()
    np.testing.assert_allclose(logits, layered(model, operator, features()), atol=1e-12)


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


def test_isolated_nodes_keep_their_own():
    model = model_for("FastHyperGCN", num_layers=1)
    (weight, bias), *_ = weights_of(model)
    logits = model(small(), features()).detach().numpy()
    expected = features()[ISOLATED].numpy() @ weight + bias
    np.testing.assert_allclose(logits[ISOLATED], expected, atol=1e-12)


def test_ends_are_found_once_for_the_same_features(monkeypatch):
    found, along = [], fast_hypergcn.ends_along
    monkeypatch.setattr(
        fast_hypergcn, "ends_along", lambda *args: found.append(args) or along(*args)
    )
    model, graph, feat = model_for("FastHyperGCN"), small(), features()
    for _ in range(3):
        model(graph, feat)
    assert len(found) == 1
    model(graph, feat.to_sparse_csr())
    assert len(found) == 2


def test_training_repeats():
    model = model_for("FastHyperGCN", dropout=0.0).train()
    assert torch.equal(model(small(), features()), model(small(), features()))


def test_direction_is_part_of_the_state():
    model, other = model_for("FastHyperGCN"), model_for("FastHyperGCN")
    other.direction.copy_(torch.eye(len(other.direction))[0])
    assert not torch.allclose(model(small(), features()), other(small(), features()))
    other.load_state_dict(model.state_dict())
    assert torch.equal(model(small(), features()), other(small(), features()))


def test_sparse_features_of_bfloat16_as_dense_ones():
    graph = hypergraph([[0, 1, 2], [2, 3], [3, 4, 0]])
    feat = torch.rand(5, 6, generator=torch.Generator().manual_seed(0)).bfloat16()
    model = FastHyperGCN(6, 8, 2).bfloat16().eval()
    found = model(graph, feat.to_sparse_csr())
    torch.testing.assert_close(found, model(graph, feat), rtol=0.1, atol=0.1)
