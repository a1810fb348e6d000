"""What is derived from a graph is kept exactly as long as it holds."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref

import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.nn.baselines.kept import Kept

from .cases import KINDS, features, model_for, small


class Counted:
    """A derivation that counts its calls."""

    def __init__(self):
        self.calls = 0

    def __call__(self, graph, *tensors):
        self.calls += 1
        return self.calls


def test_derives_once():
    kept, graph, feat = Kept(Counted()), small(), features()
    assert [kept(graph, feat) for _ in range(3)] == [1, 1, 1]


def test_derives_anew_for_what_changed():
    kept, graph, feat = Kept(Counted()), small(), features()
    kept(graph, feat)
    assert kept(graph, feat.clone()) == 2
    assert kept(graph, feat) == 3
    feat[0, 0] += 1
    assert kept(graph, feat) == 4
    graph.nodes["hyperedge"].data["weight"] = torch.ones(graph.num_nodes("hyperedge"))
    assert kept(graph, feat) == 5
    graph.nodes["hyperedge"].data["weight"][0] = 2
    assert kept(graph, feat) == 6
    assert kept(graph, feat) == 6
    graph.add_nodes(1, ntype="node")
    assert kept(graph, feat) == 7
    assert kept(small(), feat) == 8


def test_takes_inference_tensors():
    kept, graph = Kept(Counted()), small()
    with torch.inference_mode():
        feat = features() * 2
    assert [kept(graph, feat), kept(graph, feat)] == [1, 1]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_start_empty(copied):
    kept, graph = Kept(len), [1, 2]
    kept._result = 5
    assert copied(kept)._result is None
    assert copied(kept).derive(graph) == 2


@pytest.mark.parametrize("kind", KINDS)
def test_keeps_no_graph_alive(kind):
    model, graph = model_for(kind), hypergraph([[0, 1, 2, 3]], 10)
    logits = model(graph, features())
    if kind == "MLPHLR":
        model.penalty(graph, logits)
    alive = weakref.ref(graph)
    del graph, logits
    gc.collect()
    assert alive() is None
