"""Pages of one file, and what all pages on runs share."""

from __future__ import annotations

import platform
import sys
from dataclasses import replace

import pytest
import torch
from headless_browser import open_in_browser

from hypersage_dgl import hypergraph
from hypersage_dgl.data import LabelledHypergraph, Split
from hypersage_dgl.drawing.page import percent, picture_of, run_content, shown, write_page
from hypersage_dgl.training import Epoch, History

EVIL = "<script>alert(1)</script>"
DATA = LabelledHypergraph(hypergraph([[0, 1, 2], [2, 3]]), ["a", "b", "c", "d"], name="letters")


def test_names_are_escaped_and_the_style_is_not(tmp_path):
    page = write_page(
        tmp_path / "deep" / "page.html",
        "compare.html",
        runs=[(EVIL, "#000000")],
        curves={},
        options=[],
        scores=[],
    )
    text = page.read_text(encoding="utf-8")
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    assert "max-width: 600px" in text
    assert ".legend > span" in text
    assert "prefers-color-scheme: dark" in text


def test_a_value_that_a_template_lacks_is_an_error(tmp_path):
    with pytest.raises(Exception, match="'runs' is undefined"):
        write_page(tmp_path / "page.html", "compare.html")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("value", "text"), [(1234567, "1,234,567"), (True, "True"), (1e-7, "1e-07"), ("a", "a")]
)
def test_values_are_shown_for_people(value, text):
    assert shown(value) == text


def test_shares_are_shown_in_percent():
    assert (percent(1.0), percent(0.12345), percent(float("nan"))) == ("100.0", "12.3", "n/a")


@pytest.mark.parametrize(
    "text",
    [
        '<img src="http://example.invalid/x.png">',
        '<link rel="stylesheet" href="https://fonts.googleapis.com/css">',
        '<img src="beside.png">',
        "<script>fetch('http://127.0.0.1:9/').catch(() => 0)</script>",
        "<script>console.error('x')</script>",
        "<script>console.log('x')</script>",
        "<script>throw new Error('x')</script>",
        "<div style='width: 700px'>wide</div>",
    ],
    ids=["picture", "font", "file", "fetch", "error", "note", "thrown", "wide"],
)
def test_the_browser_would_tell(tmp_path, text):
    page = tmp_path / "bad.html"
    page.write_text(f"<!DOCTYPE html><title>bad</title><p>{'long ' * 500}</p>{text}")
    with pytest.raises(AssertionError):
        open_in_browser(page)


def test_the_browser_has_nothing_to_say_of_a_good_page(tmp_path):
    picture = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="
    page = tmp_path / "good.html"
    page.write_text(f'<!DOCTYPE html><title>good</title><p>text</p><img src="{picture}">')
    open_in_browser(page, tmp_path)
    assert {file.name for file in tmp_path.glob("*.png")} == {
        f"good-{width}-{scheme}.png" for width in (400, 1280) for scheme in ("light", "dark")
    }


def test_curves_are_those_of_the_history():
    history = History([Epoch(1, 2.0, None, 0.1), Epoch(2, 1.0, None, 0.1)], 2, None)
    content = run_content(DATA, history, {"p": 1.0}, "hypersage train")
    assert list(content["curves"]) == ["training loss"]
    history.epochs[1] = Epoch(2, 1.0, 0.5, 0.1)
    assert list(run_content(DATA, history, {}, "")["curves"]) == [
        "training loss",
        "validation score",
    ]
    assert run_content(DATA, None, {}, "")["curves"] == {}


def test_configuration_data_and_environment_are_told():
    content = run_content(DATA, None, {"p": 1.0}, "hypersage train")
    assert content["options"] == {"p": "1"}
    assert (content["name"], content["command"]) == ("letters", "hypersage train")
    assert content["statistics"]["nodes"] == "4"
    assert content["environment"]["torch"] == torch.__version__
    assert content["environment"]["Python"] == platform.python_version()


def test_only_what_there_is_has_measurements():
    nodes = {"classes", "train", "isolated_train", "val", "isolated_val", "test", "isolated_test"}
    assert not nodes & {*run_content(DATA, None, {}, "")["statistics"]}
    split = Split(*torch.arange(4).split([2, 0, 2]))
    labelled = replace(DATA, labels=torch.tensor([0, 1, 1, 0]), splits=[split])
    found = run_content(labelled, None, {}, "")["statistics"]
    assert (found["classes"], found["train"], found["val"]) == ("2", "2", "0")


def test_without_matplotlib_there_is_no_picture(monkeypatch):
    assert "<svg" in picture_of(DATA, 2, "It is a letter.")["svg"]
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert picture_of(DATA, 2, "It is a letter.") is None
