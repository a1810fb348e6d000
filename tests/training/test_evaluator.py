"""Scores against loops over nodes and classes."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from small_hypergraph import NODES, model_for

from hypersage_dgl import hypergraph
from hypersage_dgl.training import accuracy_on, evaluate, fit

from . import cases
from .cases import small

COUNT, CLASSES = 12, 4
# Nodes 10 and 11 are in no hyperedge.
GRAPH = hypergraph([[0, 1, 2], [3, 4], [5, 6, 7, 8, 9]], COUNT)


def mean(values) -> float:
    values = list(values)
    return math.fsum(values) / len(values) if values else math.nan


def f1(pairs: list[tuple[bool, bool]]) -> float:
    """Harmonic mean of precision and recall, from (predicted, true)."""
    hits = sum(p and t for p, t in pairs)
    wrong = sum(p != t for p, t in pairs)
    return 2 * hits / (2 * hits + wrong) if hits or wrong else math.nan


def same(value: float, expected: float) -> bool:
    return math.isclose(value, expected, rel_tol=1e-12, abs_tol=1e-12) or (
        math.isnan(value) and math.isnan(expected)
    )


@given(data=st.data())
def test_classes_against_a_loop(data):
    seed = data.draw(st.integers(0, 10_000))
    numbers = torch.Generator().manual_seed(seed)
    logits = torch.randn(COUNT, CLASSES, generator=numbers)
    labels = torch.randint(0, CLASSES, (COUNT,), generator=numbers)
    ids = data.draw(st.lists(st.integers(0, COUNT - 1), min_size=1, unique=True))
    scores = evaluate(logits, labels, torch.tensor(ids), GRAPH)
    rows = logits.tolist()
    guess = {v: rows[v].index(max(rows[v])) for v in ids}
    truth = {v: int(labels[v]) for v in ids}
    assert same(scores.accuracy, mean(guess[v] == truth[v] for v in ids))
    connected = [v for v in ids if v < 10]
    assert same(scores.connected_accuracy, mean(guess[v] == truth[v] for v in connected))
    assert (scores.nodes, scores.connected_nodes) == (len(ids), len(connected))
    for k in range(CLASSES):
        recall = mean(guess[v] == k for v in ids if truth[v] == k)
        assert same(scores.per_class[k], recall)
    occurring = sorted(set(truth.values()))
    by_class = [f1([(guess[v] == k, truth[v] == k) for v in ids]) for k in occurring]
    assert same(scores.macro_f1, mean(by_class))


@given(data=st.data())
def test_several_labels_against_a_loop(data):
    seed = data.draw(st.integers(0, 10_000))
    numbers = torch.Generator().manual_seed(seed)
    logits = torch.randn(COUNT, CLASSES, generator=numbers)
    labels = (torch.rand(COUNT, CLASSES, generator=numbers) > 0.7).float()
    ids = data.draw(st.lists(st.integers(0, COUNT - 1), min_size=1, unique=True))
    if not bool(labels[ids].any()):
        labels[ids[0], 2] = 1
    scores = evaluate(logits, labels, ids, GRAPH)
    pairs = {
        (v, k): (bool(logits[v, k] > 0), bool(labels[v, k])) for v in ids for k in range(CLASSES)
    }
    assert same(scores.accuracy, mean(p == t for p, t in pairs.values()))
    connected = [pairs[v, k] for v, k in pairs if v < 10]
    assert same(scores.connected_accuracy, mean(p == t for p, t in connected))
    by_label = [f1([pairs[v, k] for v in ids]) for k in range(CLASSES)]
    assert all(map(same, scores.per_class, by_label))
    assert same(scores.macro_f1, mean(by_label[k] for k in range(CLASSES) if labels[ids, k].any()))


def test_a_mask_is_its_ids_and_without_a_graph_all_are_connected():
    logits, labels = torch.randn(COUNT, CLASSES), torch.arange(COUNT) % CLASSES
    ids = torch.tensor([0, 1, 2, 11])
    mask = torch.zeros(COUNT, dtype=torch.bool)
    mask[ids] = True
    scores = evaluate(logits, labels, ids)
    assert scores == evaluate(logits, labels, mask)
    assert scores.connected_nodes == 4
    assert scores.connected_accuracy == scores.accuracy
    assert evaluate(logits, labels, ids, GRAPH).connected_nodes == 3


def test_other_types_of_labels_are_taken():
    logits, labels = torch.randn(COUNT, CLASSES), torch.arange(COUNT) % CLASSES
    expected = evaluate(logits, labels, range(COUNT))
    for dtype in (torch.int32, torch.uint8):
        assert evaluate(logits, labels.to(dtype), range(COUNT)) == expected
    assert evaluate(logits, labels.numpy(), torch.arange(COUNT).int()) == expected


def test_logits_with_a_gradient_are_taken():
    case = small()
    scores = evaluate(model_for()(case.graph, case.feat), case.labels, range(NODES), case.graph)
    assert 0 <= scores.accuracy <= 1


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"nodes": []}, ValueError, "no node to score"),
        ({"nodes": torch.zeros(COUNT, dtype=torch.bool)}, ValueError, "no node to score"),
        ({"nodes": torch.ones(COUNT, dtype=torch.uint8)}, TypeError, "torch.bool"),
        ({"nodes": torch.ones(3, dtype=torch.bool)}, ValueError, r"shape \(3,\)"),
        ({"nodes": [COUNT]}, ValueError, "too large"),
        ({"nodes": [1, 1]}, ValueError, "repeated"),
        ({"labels": torch.zeros(3).long()}, ValueError, r"shape \(3,\)"),
        ({"labels": torch.zeros(COUNT)}, TypeError, "classes are non-negative integers"),
        ({"labels": torch.full((COUNT,), -1)}, ValueError, "label -1 is none"),
        ({"labels": torch.full((COUNT,), CLASSES)}, ValueError, "label 4 is none"),
        ({"labels": torch.ones(COUNT, 2)}, ValueError, "4 zeros and ones"),
        ({"logits": torch.full((COUNT, CLASSES), float("nan"))}, ValueError, "NaN"),
        ({"logits": torch.randn(COUNT)}, ValueError, "give a row for each node"),
    ],
)
def test_what_cannot_be_scored_is_named(changes, error, message):
    given_ = {
        "logits": torch.randn(COUNT, CLASSES),
        "labels": torch.arange(COUNT) % CLASSES,
        "nodes": torch.arange(COUNT),
    }
    with pytest.raises(error, match=message):
        evaluate(**{**given_, **changes})


def test_connected_values_are_those_of_the_connected_nodes_alone():
    torch.manual_seed(0)
    graph = hypergraph([[0, 1, 2], [2, 3], [5, 6]], num_nodes=20)
    logits, labels = torch.randn(20, 3), torch.arange(20) % 3
    every = evaluate(logits, labels, torch.arange(20), graph)
    alone = evaluate(logits, labels, torch.tensor([0, 1, 2, 3, 5, 6]))
    assert every.connected_nodes == alone.nodes == 6
    assert every.connected_accuracy == alone.accuracy
    assert every.connected_macro_f1 == alone.macro_f1 != every.macro_f1
    assert all(map(same, every.connected_per_class, alone.per_class))


@pytest.mark.parametrize("cut", [True, False])
def test_accuracy_on_is_that_of_the_full_forward(cut):
    case, nodes = cases.small(), torch.tensor([1, 8, 11, 5])
    model = model_for(2, dropout=0.5).train()
    validate = accuracy_on(*case, nodes, model=model if cut else None)
    for _ in range(3):
        model.reset_parameters()
        found = validate(model)
        assert model.training
        logits = model.eval()(case.graph, case.feat)
        assert found == evaluate(logits, case.labels, nodes).accuracy
        model.train()


def test_accuracy_on_scores_the_epochs_of_a_run():
    case, model = cases.small(), model_for()
    validate = accuracy_on(*case, torch.arange(5), model=model)
    history = fit(model, cases.full(model, *case, torch.arange(8)), epochs=3, validate=validate)
    assert history.best_val == max(epoch.val for epoch in history.epochs)
    assert validate(model) == history.best_val


def test_accuracy_on_refuses_what_it_cannot_score():
    case, model = cases.small(), model_for()
    with pytest.raises(ValueError, match="no node to score"):
        accuracy_on(*case, torch.tensor([], dtype=torch.int64))
    validate = accuracy_on(*case, torch.arange(5), model=model)
    with pytest.raises(ValueError, match="cut to 2 layers"):
        validate(model_for(layers=3))
