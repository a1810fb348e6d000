"""A run is not resumed on other features or on another hypergraph."""

from __future__ import annotations

import pytest
import torch
from small_hypergraph import model_for

from hypersage_dgl import hypergraph
from hypersage_dgl.training import fit
from hypersage_dgl.training.digests import digests

from .cases import full, sampled, small, whole

NODES = torch.arange(0, 11)
KINDS = {"cut": full, "whole": whole, "minibatches": sampled}


def other_feat(case):
    feat = case.feat.clone()
    feat[0, 0] += 1e-9
    return case._replace(feat=feat)


def other_graph(case):
    graph = case.graph.clone()
    for etype in graph.canonical_etypes:
        graph.remove_edges([0], etype=etype)
    return case._replace(graph=graph)


def other_weights(case):
    graph = case.graph.clone()
    graph.nodes["hyperedge"].data["weight"] = torch.ones(graph.num_nodes("hyperedge")) * 2
    return case._replace(graph=graph)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (other_feat, "other features"),
        (other_graph, "another hypergraph, or other weights of it,"),
        (other_weights, "another hypergraph, or other weights of it,"),
    ],
)
def test_resume_on_other_data_is_turned_away(tmp_path, kind, change, message):
    model, case = model_for(), small()
    fit(model, KINDS[kind](model, *case, NODES), epochs=1, folder=tmp_path)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    batches = KINDS[kind](model, *change(case), NODES)
    with pytest.raises(ValueError, match=f"was trained on {message} than these; resume with"):
        fit(model, batches, epochs=2, folder=tmp_path, resume=True)
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    again = fit(model, KINDS[kind](model, *case, NODES), epochs=2, folder=tmp_path, resume=True)
    assert len(again.epochs) == 2


def test_sparse_and_dense_are_told_apart_and_both_are_stable():
    case = small()
    model = model_for()
    dense = digests(whole(model, *case, NODES))
    sparse = case._replace(feat=case.feat.to_sparse_csr())
    assert digests(whole(model, *sparse, NODES)) == digests(whole(model, *sparse, NODES))
    assert digests(whole(model, *sparse, NODES))["features"] != dense["features"]


def test_what_is_learned_is_left_out():
    graph, feat = hypergraph([[0, 1]]), torch.rand(2, 3, requires_grad=True)
    holder = type("Holder", (), {"graph": graph, "feat": feat})()
    before = digests(holder)
    with torch.no_grad():
        feat.add_(1)
    assert digests(holder) == before


def test_batches_that_say_nothing():
    assert digests([]) == {"features": None, "hypergraph": None}
