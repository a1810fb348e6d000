"""Runs side by side: what differs, what scored best, and one curve for each."""

from __future__ import annotations

import pytest
from headless_browser import open_in_browser

from hypersage_dgl.drawing import (
    ComparedRun,
    compared_scores,
    differing_options,
    write_comparison,
)
from hypersage_dgl.training import Epoch, History

EVIL = '<img src="http://example.invalid/x" onerror=alert(1)>'


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


def test_a_browser_opens_it_without_an_error_or_a_request(tmp_path):
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
