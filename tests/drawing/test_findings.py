"""What the page on a run says is right: counts, shares, the order of errors, the node to show."""

from __future__ import annotations

import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.drawing.findings import (
    Error,
    by_class,
    by_degree,
    confusion,
    embedding_map,
    node_to_show,
    surest_errors,
)
from hypersage_dgl.training import evaluate

from .test_report import run


def test_counts_and_shares_are_those_of_the_test_nodes():
    report = run()
    labels, test = report.data.labels, report.data.part("test")
    predicted = report.probabilities.argmax(1)
    assert confusion(labels[test], predicted[test], 2) == [[2, 1], [1, 2]]
    assert by_degree(report.data, labels, predicted, test) == [
        ("none (isolated)", 1, 1.0),
        ("1", 3, pytest.approx(2 / 3)),
        ("2", 1, 1.0),
        ("3 to 5", 1, 0.0),
    ]


def test_the_surest_errors_come_first():
    report = run()
    errors = surest_errors(
        report.data,
        report.probabilities,
        report.data.part("test"),
        report.probabilities.argmax(1),
        ["r", "b"],
    )
    assert [(e.node, e.truth, e.guess) for e in errors] == [(4, "r", "b"), (2, "b", "r")]
    assert [e.probability for e in errors] == pytest.approx([0.8, 0.7])


def test_classes_have_their_nodes_and_recall():
    report = run()
    labels, test = report.data.labels, report.data.part("test")
    scores = evaluate(report.probabilities.logit(), labels, test)
    rows = by_class(scores, labels[test], ["red", "blue"])
    assert [(row.name, row.nodes) for row in rows] == [("red", 3), ("blue", 3)]
    assert [row.share for row in rows] == pytest.approx([2 / 3, 2 / 3])


def test_the_map_has_every_node_and_a_ring_around_the_wrong_ones():
    report = run()
    predicted = report.probabilities.argmax(1)
    drawn = embedding_map(report.data, report.embedding, report.data.part("test"), predicted)
    assert (drawn.count("<circle"), drawn.count('class="wrong"')) == (6, 2)
    assert "&lt;img" in drawn
    assert embedding_map(report.data, torch.rand(8, 1), torch.arange(8), predicted) is None


def test_the_node_to_show_is_the_surest_error_with_a_fitting_neighbourhood():
    graph = hypergraph([list(range(50)), [50, 51], [52, 53, 54, 55, 56], [1, 57, 58, 59, 60]], 62)

    def error(node):
        return Error(node, str(node), "a", "b", 0.9, int(graph.in_degrees(node, etype="contains")))

    # Isolated, too large, too small.
    assert node_to_show(graph, [error(61), error(0), error(50), error(53)]) == 53
    assert node_to_show(graph, []) == 52
    assert node_to_show(hypergraph([[0, 1], [1, 2]]), []) == 0
    assert node_to_show(hypergraph([], 3), []) is None
