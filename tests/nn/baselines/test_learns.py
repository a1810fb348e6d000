"""Every baseline learns a planted hypergraph, and those that look at it more than features tell."""

from __future__ import annotations

from functools import lru_cache

import pytest

from hypersage_dgl.data import generate
from hypersage_dgl.training import FullGraph, evaluate, fit, seed_everything

from .cases import KINDS

DEEP = ("AllDeepSets", "EDHNN")


@lru_cache(maxsize=1)
def planted():
    data = generate(400, 300, num_classes=3, num_feats=60, max_size=12, seed=3)
    return (data.graph, data.feat, data.labels, data.part("train"), data.part("test"))


@lru_cache(maxsize=len(KINDS))
def accuracy(kind: str) -> float:
    graph, feat, labels, train, test = planted()
    seed_everything(0)
    # Perceptrons inside of layers drop out as well, and larger steps leave them without a gradient.
    dropout, lr = (0.0, 0.003) if kind in DEEP else (0.5, 0.01)
    model = KINDS[kind](feat.shape[1], 16, 3, dropout=dropout)
    history = fit(model, FullGraph(graph, feat, labels, train, model=model), epochs=60, lr=lr)
    assert history.epochs[-1].loss < 0.7 * history.epochs[0].loss
    return evaluate(model(graph, feat), labels, test, graph).connected_accuracy


@pytest.mark.parametrize("kind", ["MLP", "MLPHLR"])
def test_learns_from_features(kind):
    assert accuracy(kind) > 0.5


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.startswith("MLP")])
def test_learns_from_the_hypergraph(kind):
    assert accuracy(kind) > accuracy("MLP") + 0.08
