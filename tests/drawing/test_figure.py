"""Figures: their settings, colours and panels, and the files that they are written to."""

from __future__ import annotations

import sys

import matplotlib
import pytest

from hypersage_dgl.drawing import (
    PALETTE,
    add_legend,
    add_panels,
    canvas,
    has_matplotlib,
    panels_shape,
    save_figure,
)
from hypersage_dgl.drawing.figure import CLASS_COLOURS, HYPEREDGE_COLOURS, class_style, inline_svg


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


@pytest.mark.parametrize("count", range(1, 13))
def test_there_is_room_for_all_and_no_row_is_empty(count):
    rows, columns = panels_shape(count)
    assert (rows - 1) * columns < count <= rows * columns
    assert columns <= 3


def test_panels_that_share_their_y_axis_have_labels_on_the_left_alone():
    with canvas(6, 4) as figure:
        made = add_panels(figure, 5, share_y=True)
    shown = [axes.yaxis.get_major_ticks()[0].label1.get_visible() for axes in made]
    assert shown == [True, False, False, True, False]
    made[0].set_ylim(0, 7)
    assert {axes.get_ylim() for axes in made} == {(0, 7)}


@pytest.mark.parametrize("count", [3, 5])
def test_the_legend_has_every_name_and_lies_on_no_panel(count):
    with canvas(7, 4) as figure:
        made = add_panels(figure, count)
        (line,) = made[0].plot([0, 1], [0, 1])
        add_legend(figure, {"one": line, "two": line})
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["one", "two"]
    box = legend.get_window_extent()
    assert not any(box.overlaps(axes.get_window_extent()) for axes in made)


def test_without_a_name_there_is_no_legend():
    with canvas(3, 2) as figure:
        add_panels(figure, 1)
        add_legend(figure, {})
    assert figure.legends == []


def test_forty_eight_classes_look_different():
    assert len({class_style(number) for number in range(48)}) == 48


def test_no_colour_stands_for_two_things():
    assert len(set(PALETTE.values())) == len(PALETTE) == 8
    assert set(CLASS_COLOURS) == set(PALETTE.values())
    assert len(set(HYPEREDGE_COLOURS)) == len(HYPEREDGE_COLOURS)
    assert not set(HYPEREDGE_COLOURS) & set(CLASS_COLOURS)
