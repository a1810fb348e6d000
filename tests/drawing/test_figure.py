"""Figures repeat to the byte; without matplotlib the cure is named."""

import sys

import matplotlib
import pytest

from hypersage_dgl.drawing import canvas, has_matplotlib, save_figure
from hypersage_dgl.drawing.figure import inline_svg


def drawn():
    with canvas(3, 2) as figure:
        figure.subplots().plot([0, 1], [2, 3], label="a line")
    return figure


def files(folder, *kinds):
    return [path.read_bytes() for path in save_figure(drawn(), folder, "figure", *kinds)]


def test_the_same_figure_gives_the_same_bytes_whatever_the_settings(tmp_path):
    first = files(tmp_path)
    with matplotlib.rc_context({"font.size": 20, "svg.hashsalt": None}):
        assert files(tmp_path) == first


def test_kinds_are_those_asked_for(tmp_path):
    assert [path.name for path in save_figure(drawn(), tmp_path, "a", ["svg"])] == ["a.svg"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]
    with pytest.raises(ValueError, match="kind is 'bmp'; it must be one of png, svg"):
        save_figure(drawn(), tmp_path, "b", ["svg", "bmp"])
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]


def test_files_hold_no_date_and_no_version(tmp_path):
    png, svg = files(tmp_path)
    assert png.startswith(b"\x89PNG")
    assert b"Software" not in png
    assert b"tIME" not in png
    assert b"date" not in svg
    assert b"Matplotlib v" not in svg


def test_without_matplotlib_the_cure_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r'pip install "hypersage-dgl\[viz\]"'):
        drawn()


def test_an_inline_svg_has_names_as_text():
    name = '<script>alert("x")</script> & co'
    with canvas(2, 2) as figure:
        figure.subplots().annotate(name, (0, 0))
    text = inline_svg(figure)
    assert text.startswith("<svg")
    assert "&lt;script" in text
    assert "<script" not in text
    assert inline_svg(figure) == text


def test_letters_that_the_font_lacks_are_for_the_browser(tmp_path):
    # Warnings are errors here.
    with canvas(2, 3) as figure:
        figure.text(0.5, 0.5, "名")
    text = inline_svg(figure)
    assert ">名</text>" in text
    # 2 inches of 96 pixels, and nothing behind it, so that a page can be light or dark.
    assert 'style="--w: 192px"' in text
    assert "#ffffff" not in text
    with pytest.warns(UserWarning, match="missing from font"):
        save_figure(figure, tmp_path, "figure", ["svg"])


def test_whether_there_is_matplotlib(monkeypatch):
    assert has_matplotlib()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert not has_matplotlib()
