"""Figures show the numbers, repeat to the byte, and need matplotlib only when they are made."""

import itertools
import sys
from dataclasses import replace

import matplotlib
import pytest
from made_up import all_experiments, shuffled

from experiments.pages import box_plots, heat_map, stability_curves
from experiments.protocol import DATASETS
from hypersage_dgl.drawing import save_figure

FIGURES = {
    "heat": lambda results: heat_map(results, "dblp"),
    "curves": stability_curves,
    "boxes": lambda results: box_plots(results, "paper"),
}


def files(figure, folder):
    return [path.read_bytes() for path in save_figure(figure, folder, "figure")]


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", FIGURES)
def test_order_of_results_and_settings_of_the_user_do_not_change_a_byte(name, tmp_path):
    results = all_experiments()
    figure = FIGURES[name](results)
    first = files(figure, tmp_path)
    assert files(figure, tmp_path) == first
    with matplotlib.rc_context({"font.size": 20, "axes.facecolor": "red", "svg.hashsalt": None}):
        assert files(FIGURES[name](shuffled(results, 1)), tmp_path) == first


def texts_of(figure):
    """All texts that are seen; a tick outside of the view has a label as well."""
    yield from figure.texts
    yield from (text for legend in figure.legends for text in legend.get_texts())
    for axes in figure.axes:
        yield from (axes.title, *axes.texts)
        for axis in (axes.xaxis, axes.yaxis):
            yield axis.label
            low, high = sorted(axis.get_view_interval())
            for tick in axis.get_major_ticks():
                if low <= tick.get_loc() <= high:
                    yield from (tick.label1, tick.label2)


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("count", [1, 5])
def test_no_text_is_cut_off_and_no_two_overlap(name, count):
    one = [r for r in all_experiments() if r.dataset == "dblp" and r.column == "paper"]
    datasets = list(DATASETS)[:count]
    figure = FIGURES[name]([replace(r, dataset=d) for d in datasets for r in one])
    width, height = figure.bbox.size
    seen = [t for t in texts_of(figure) if t.get_visible() and t.get_text()]
    boxes = [(text.get_text(), text.get_window_extent()) for text in seen]
    assert len(boxes) > 8
    for text, box in boxes:
        assert box.x0 >= 0, text
        assert box.y0 >= 0, text
        assert box.x1 <= width, text
        assert box.y1 <= height, text
    for (this, a), (that, b) in itertools.combinations(boxes, 2):
        across = min(a.x1, b.x1) - max(a.x0, b.x0)
        along = min(a.y1, b.y1) - max(a.y0, b.y0)
        assert min(across, along) <= 1, (this, that)


def test_files_hold_no_date_and_no_version(tmp_path):
    png, svg = files(stability_curves(all_experiments()), tmp_path)
    assert png.startswith(b"\x89PNG")
    assert b"Software" not in png
    assert b"tIME" not in png
    assert b"</svg>" in svg
    assert b"date" not in svg
    assert b"Matplotlib v" not in svg
    assert sorted(p.name for p in tmp_path.iterdir()) == ["figure.png", "figure.svg"]


def test_a_figure_that_fails_to_draw_leaves_the_last_files(tmp_path, monkeypatch):
    figure = stability_curves(all_experiments())
    before = files(figure, tmp_path)
    monkeypatch.setattr(figure.axes[0], "draw", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        save_figure(figure, tmp_path, "figure")
    assert [p.read_bytes() for p in sorted(tmp_path.iterdir())] == before


@pytest.mark.parametrize("name", FIGURES)
def test_settings_of_matplotlib_stay_as_they_are_and_pyplot_is_left_alone(
    name, monkeypatch, tmp_path
):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    # A copy: whoever reads the settings one by one makes pyplot choose a backend.
    before = matplotlib.rcParams.copy()
    save_figure(FIGURES[name](all_experiments()), tmp_path, "figure")
    assert matplotlib.rcParams.copy() == before


@pytest.mark.parametrize("name", FIGURES)
def test_without_matplotlib_the_cure_is_named(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r'pip install "hypersage-dgl\[viz\]"') as caught:
        FIGURES[name](all_experiments())
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", FIGURES)
def test_nothing_to_draw_is_refused(name):
    with pytest.raises(ValueError, match="there are no"):
        FIGURES[name]([])
