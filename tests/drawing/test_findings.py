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
    largest_errors,
    node_to_show,
    some_of,
)
from hypersage_dgl.training import evaluate

from .test_report import run


def test_counts_and_shares_are_those_of_the_test_nodes():
    report = run()
    labels, test = report.data.labels, report.data.part("test")
    predicted = report.outputs.argmax(1)
    assert confusion(labels[test], predicted[test], 2) == [[2, 1], [1, 2]]
    is_right = (predicted == labels).double()
    assert by_degree(report.data, test, lambda ids: float(is_right[ids].mean())) == [
        ("none (isolated)", 1, 1.0),
        ("1", 3, pytest.approx(2 / 3)),
        ("2", 1, 1.0),
        ("3 to 5", 1, 0.0),
    ]


def test_the_largest_errors_come_first_and_are_said():
    report = run()
    nodes = torch.tensor([2, 4, 4])
    errors = largest_errors(
        report.data, nodes, torch.tensor([0.7, 0.8, 0.6]), lambda i: (f"true {i}", f"guess {i}")
    )
    assert [(e.node, e.truth, e.guess) for e in errors] == [
        *((4, "true 1", "guess 1"), (2, "true 0", "guess 0"), (4, "true 2", "guess 2")),
    ]
    assert [e.size for e in errors] == pytest.approx([0.8, 0.7, 0.6])
    assert [e.degree for e in errors] == [1, 3, 1]
    assert errors[0].name == "node 4"
    many = largest_errors(
        report.data, torch.arange(8).repeat(4), torch.rand(32), lambda i: ("a", "b")
    )
    assert len(many) == 15


def test_some_nodes_stand_for_many():
    assert some_of(torch.tensor([3, 1, 2])).tolist() == [1, 2, 3]
    chosen = some_of(torch.arange(10_000))
    assert (len(chosen), int(chosen[0]), int(chosen[-1])) == (1500, 0, 9_999)


def test_classes_have_their_nodes_and_recall():
    report = run()
    labels, test = report.data.labels, report.data.part("test")
    scores = evaluate(report.outputs.logit(), labels, test)
    rows = by_class(scores.per_class, labels[test], ["red", "blue"])
    assert [(row.name, row.nodes) for row in rows] == [("red", 3), ("blue", 3)]
    assert [row.share for row in rows] == pytest.approx([2 / 3, 2 / 3])


def test_the_map_has_every_node_and_a_ring_around_the_wrong_ones():
    report = run()
    predicted = report.outputs.argmax(1)
    labels, test = report.data.labels, report.data.part("test")
    is_wrong = predicted != labels
    drawn = embedding_map(report.data, report.embedding, test, labels, is_wrong)
    assert (drawn.count("<circle"), drawn.count('class="wrong"')) == (6, 2)
    assert "&lt;img" in drawn
    assert embedding_map(report.data, torch.rand(8, 1), torch.arange(8), labels, is_wrong) is None


def test_the_node_to_show_is_the_surest_error_with_a_fitting_neighbourhood():
    graph = hypergraph([list(range(50)), [50, 51], [52, 53, 54, 55, 56], [1, 57, 58, 59, 60]], 62)

    def error(node):
        return Error(node, str(node), "a", "b", 0.9, int(graph.in_degrees(node, etype="contains")))

    # Isolated, too large, too small.
    assert node_to_show(graph, [error(61), error(0), error(50), error(53)]) == 53
    assert node_to_show(graph, []) == 52
    assert node_to_show(hypergraph([[0, 1], [1, 2]]), []) == 0
    assert node_to_show(hypergraph([], 3), []) is None
