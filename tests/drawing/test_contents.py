"""What the page shows by task: the errors, the scores and the words are those of the test nodes."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from hypersage_dgl.drawing.contents import content_of, names_of

from .test_report import other, run


def content(report, embedding=True):
    data = report.data
    given = report.embedding if embedding else None
    return content_of(data, report.outputs, data.part("test"), given)


def test_the_surest_errors_of_classes_come_first():
    errors = content(run()).errors
    blue = "<b>blue</b>"
    assert [(e.node, e.truth, e.guess) for e in errors] == [(4, "red", blue), (2, blue, "red")]
    assert [e.size for e in errors] == pytest.approx([0.8, 0.7])


def test_an_error_of_labels_is_one_of_a_node_and_a_label():
    found = content(other("labels"))
    blue = "<b>blue</b>"
    assert [(e.node, e.truth, e.guess) for e in found.errors] == [
        (4, "red", "not red"),
        (4, f"not {blue}", blue),
        (2, "not red", "red"),
        (2, blue, f"not {blue}"),
    ]
    assert [e.size for e in found.errors] == pytest.approx([0.8, 0.8, 0.7, 0.7])
    assert [(row.nodes, row.share) for row in found.by_class] == [
        *((3, pytest.approx(2 / 3)), (3, pytest.approx(2 / 3))),
    ]
    assert found.measure == "micro-F1, %"
    assert [row.share for row in found.by_degree] == pytest.approx([1, 2 / 3, 1, 0])
    assert found.say(2) == f"Its labels are {blue}; the prediction is red."
    assert content(other("labels"), embedding=False).map is not None


def test_nothing_is_known_of_some_nodes():
    report = run()
    data = replace(report.data, labels=report.data.labels.index_fill(0, torch.tensor([7]), -1))
    nodes = report.data.part("test")
    assert content_of(data, report.outputs, nodes, None).say(7).startswith("It has no class, the")
    rows = other("labels").data.labels.index_fill(0, torch.tensor([7]), -1)
    found = content_of(replace(data, labels=rows), report.outputs, nodes, None)
    assert found.say(7).startswith("Its labels are not known; the")
    data = replace(data, labels=None, class_names=(), numbers=torch.tensor([1.0] * 7 + [torch.nan]))
    said = content_of(data, torch.ones(8), nodes, None).say(7)
    assert said == "Its number is not known, the prediction is 1."


def test_numbers_are_off_by_degree_and_by_name():
    found = content(other("numbers"))
    assert [(e.node, e.truth, e.guess, e.size) for e in found.errors[:3]] == [
        *((2, "20", "16", 4.0), (4, "40", "42", 2.0), (0, "0", "1", 1.0)),
    ]
    # Node 6 is isolated; 0, 4 and 5 are in one hyperedge, 3 in two, 2 in three.
    assert [row.share for row in found.by_degree] == [1.0, 1.0, 0.0, 4.0]
    assert found.legend == ["0 to 20", "20 to 30", "30 to 40", "40 to 50", "50 to 60"]
    # Without a hidden layer there is one number, which makes no map.
    assert content(other("numbers"), embedding=False).map is None


def test_equal_numbers_are_one_group():
    report = other("numbers")
    data = replace(report.data, numbers=torch.full((8,), 2.0))
    found = content_of(data, report.outputs, data.part("test"), report.embedding)
    assert found.legend == ["2 to 2"]
    assert found.map is not None


def test_classes_without_names_are_called_by_their_numbers():
    assert names_of(replace(run().data, class_names=())) == ["0", "1"]
