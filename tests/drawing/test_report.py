"""Pages on one run and on several: what they say, and that nothing is fetched."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from html.parser import HTMLParser

import pytest
import torch
from headless_browser import open_in_browser

from hypersage_dgl import hypergraph
from hypersage_dgl.data import LabelledHypergraph, Split
from hypersage_dgl.drawing import (
    ComparedRun,
    RunReport,
    compared_scores,
    differing_options,
    write_comparison,
    write_report,
)
from hypersage_dgl.training import Epoch, History

EVIL = '<img src="http://example.invalid/x" onerror=alert(1)>'


def run(**options) -> RunReport:
    data = LabelledHypergraph(
        hypergraph([[0, 1, 2], [2, 3], [2, 4], [3, 5]], 8),
        [EVIL, *(f"node {i}" for i in range(1, 8))],
        class_names=("red", "<b>blue</b>"),
        name=EVIL,
        feat=torch.rand(8, 4),
        labels=torch.tensor([0, 0, 1, 1, 0, 1, 0, 1]),
        splits=[Split([1, 7], [], [0, 2, 3, 4, 5, 6])],
    )
    right = torch.tensor([0.9, 0.8, 0.3, 0.6, 0.2, 0.55, 0.7, 0.9])
    rows = torch.stack((1 - right, right), 1)
    rows[data.labels == 0] = rows[data.labels == 0].flip(1)
    history = History([Epoch(1, 2.0, 0.5, 0.1), Epoch(2, 1.0, 0.75, 0.1)], 2, 0.75)
    embedding = torch.rand(8, 3, generator=torch.Generator().manual_seed(0))
    return RunReport(data, rows, history, embedding, {"p": 1.0, "note": EVIL}, **options)


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags, self.links = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [v for k, v in attrs if k in ("src", "href", "onerror", "onload")]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return write_report(
        run(command=f"hypersage train {EVIL}"), tmp_path_factory.mktemp("p") / "r.html"
    )


def test_scores_are_those_of_the_test_nodes(page):
    text = page.read_text(encoding="utf-8")
    # Of the six test nodes 2 and 4 are wrong; nodes 6 and 7 are isolated.
    assert re.search(r"<b>66\.7</b><span>accuracy, %", text)
    assert re.search(r"<b>60\.0</b><span>accuracy of connected nodes, %", text)
    assert "<b>75.0</b><span>best validation score" in text


def test_names_are_escaped_and_nothing_is_loaded_from_elsewhere(page):
    text = page.read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(text)
    assert not {"script", "img", "link", "iframe", "object"} & set(tags.tags)
    # matplotlib's pictures refer to their own parts.
    assert [link for link in tags.links if not link.startswith("#")] == []
    assert "&lt;img src=" in text


def test_the_same_run_gives_the_same_page(page, tmp_path):
    again = write_report(run(command=f"hypersage train {EVIL}"), tmp_path / "again.html")
    assert again.read_bytes() == page.read_bytes()


def test_several_labels_a_node(tmp_path):
    data = LabelledHypergraph(
        hypergraph([[0, 1, 2]]),
        class_names=("a", "b"),
        labels=torch.tensor([[1, 0], [1, 1], [0, 1]]),
        name="tags",
    )
    page = write_report(RunReport(data, torch.full((3, 2), 0.9)), tmp_path / "r.html")
    text = page.read_text(encoding="utf-8")
    assert "F1, %" in text
    assert "Confusion" not in text
    assert "nodes with a label" in text


def other(kind) -> RunReport:
    """The same run as one of labels or of numbers."""
    report = run()
    data, rows = report.data, torch.nn.functional.one_hot(report.data.labels)
    if kind == "labels":
        return replace(report, data=replace(data, labels=rows))
    data = replace(data, labels=None, class_names=(), numbers=torch.arange(8) * 10.0)
    return replace(
        report, data=data, outputs=data.numbers + torch.tensor([1, 0, -4, 0, 2, 0, 1, 0])
    )


def test_labels_have_their_scores_in_the_place_of_the_matrix(tmp_path):
    page = write_report(other("labels"), tmp_path / "r.html")
    text = page.read_text(encoding="utf-8")
    # As one label a node, so 8 of 12 pairs are right, and F1 is the accuracy.
    for name in ("micro-F1", "macro-F1"):
        assert f"<b>66.7</b><span>{name}, %" in text
    assert "<h2>By label</h2>" in text
    assert "<td>not red</td><td>red</td>" in text
    assert "Its labels are" in text
    assert "Confusion" not in text


def test_numbers_are_shown_against_true_ones(tmp_path):
    page = write_report(other("numbers"), tmp_path / "r.html")
    text = page.read_text(encoding="utf-8")
    # Test nodes 0 and 2 to 6 are off by 1, 4, 0, 2, 0 and 1.
    assert "<b>1.333</b><span>mean absolute error" in text
    assert "<b>0.75</b><span>best validation score</span>" in text
    shown = re.search(r"<h2>Predicted and true numbers</h2>.*?</svg>", text, re.S)[0]
    assert shown.count("<circle") == 6
    first = re.search(r"<h2>Largest errors</h2>.*?<tr><td.*?</tr>", text, re.S)[0]
    assert re.findall(r"<td[^>]*>([^<]*)", first) == ["node 2", "20", "16", "4", "3"]
    assert "Its number is 20, the prediction is 16." in text
    assert "By class" not in text
    assert "Confusion" not in text
    with pytest.raises(ValueError, match=r"shape \(8, 1\).*needs \(8,\), a row for each node"):
        replace(other("numbers"), outputs=torch.rand(8, 1))


@pytest.mark.parametrize("kind", ["labels", "numbers"])
def test_a_browser_opens_the_pages_of_other_tasks(tmp_path, kind):
    page = write_report(other(kind), tmp_path / "r.html")
    assert EVIL not in page.read_text(encoding="utf-8")
    open_in_browser(page)


def test_probabilities_of_another_shape_are_refused():
    report = run()
    with pytest.raises(ValueError, match=r"shape \(8, 3\).*needs \(8, 2\)"):
        RunReport(report.data, torch.rand(8, 3))


def test_a_browser_opens_it_without_an_error_or_a_request(page):
    open_in_browser(page)


def test_sure_probabilities_are_scored(tmp_path):
    # In float32 the logit of 1 is infinite.
    sure = replace(run(), outputs=run().outputs.round())
    page = write_report(sure, tmp_path / "r.html")
    assert "<b>66.7</b><span>accuracy, %" in page.read_text(encoding="utf-8")


def test_without_an_embedding_the_map_is_one_of_probabilities(page, tmp_path):
    assert "The last hidden layer on its two main axes" in page.read_text(encoding="utf-8")
    other = write_report(replace(run(), embedding=None), tmp_path / "r.html")
    text = other.read_text(encoding="utf-8")
    assert "The logarithms of the probabilities on their two main axes" in text


def test_the_picture_says_what_was_predicted(page):
    text = page.read_text(encoding="utf-8")
    # The surest error whose neighbourhood is worth a look is node 2, blue, predicted as red.
    assert re.search(r"<h2>What node 2 sees</h2>.*Its class is &lt;b&gt;blue", text, re.S)
    assert "the prediction is red (70.0 %)" in text


def test_what_was_sampled_is_said(tmp_path):
    page = write_report(run(alpha=1), tmp_path / "r.html")
    assert "pale ones were left out by one draw" in page.read_text(encoding="utf-8")


def test_without_matplotlib_only_the_picture_is_missing(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    page = write_report(run(), tmp_path / "r.html")
    text = page.read_text(encoding="utf-8")
    assert "Confusion matrix" in text
    assert 'class="figure"' not in text


def runs():
    first = History([Epoch(1, 2.0, 0.5, 0.1), Epoch(2, 1.0, 0.75, 0.1)], 2, 0.75)
    second = History([Epoch(1, 3.0, None, 0.1)], 1, None)
    return [
        ComparedRun("a", {"p": 1.0, "lr": 0.01}, {"accuracy (full)": 0.7}, first),
        ComparedRun(EVIL, {"p": 2.0, "lr": 0.01, "alpha": 3}, {"accuracy (full)": 0.8}, second),
    ]


def test_only_options_that_differ_are_listed():
    assert differing_options(runs()) == {"p": ["1", "2"], "alpha": ["-", "3"]}
    assert differing_options([runs()[0], runs()[0]]) == {}


def test_scores_and_the_best_validation():
    assert compared_scores(runs()) == {
        "accuracy (full)": [0.7, 0.8],
        "best validation": [0.75, None],
    }


def test_the_page_has_a_curve_for_each_run_and_marks_the_best(tmp_path):
    text = write_comparison(runs(), tmp_path / "c.html").read_text(encoding="utf-8")
    # Two of losses, one of validation; a single epoch is a dot.
    assert text.count("<polyline") == 3
    assert "<b>80.0</b>" in text
    assert "<b>70.0</b>" not in text
    assert "<img" not in text


def test_one_run_and_runs_of_one_name_are_refused(tmp_path):
    with pytest.raises(ValueError, match="1 run cannot be compared"):
        write_comparison(runs()[:1], tmp_path / "c.html")
    with pytest.raises(ValueError, match="the runs are called a, a; give each another name"):
        write_comparison([runs()[0], runs()[0]], tmp_path / "c.html")


def test_a_browser_opens_a_comparison_without_an_error_or_a_request(tmp_path):
    open_in_browser(write_comparison(runs(), tmp_path / "c.html"))


def test_numbers_are_no_percentages_and_a_smaller_error_is_better(tmp_path):
    scores = [{"MAE (full)": 5.174, "R² (full)": 0.5}, {"MAE (full)": 6.0, "R² (full)": 0.25}]
    compared = [ComparedRun(name, {}, each) for name, each in zip("ab", scores)]
    text = write_comparison(compared, tmp_path / "c.html").read_text(encoding="utf-8")
    assert "<b>5.174</b>" in text
    assert "<b>0.5</b>" in text
    assert "517" not in text


def test_what_was_validated_of_numbers_is_no_share():
    history = History([Epoch(1, 2.0, 0.5, 0.1)], 1, 0.5)
    numbers = ComparedRun("numbers", {}, {"MAE (full)": 5.0, "R² (full)": 0.25}, history)
    found = compared_scores([runs()[0], numbers])
    assert found["best validation"] == [0.75, None]
    assert found["R² (best validation)"] == [None, 0.5]
