"""Figures show the numbers, repeat to the byte, and need matplotlib only when they are made."""

import itertools
import sys
from dataclasses import replace

import matplotlib
import numpy as np
import pytest
from hypersage_dgl.report import box_plots, heat_map, save_figure, stability_curves
from hypersage_dgl.report.box_plots import Box
from hypersage_dgl.report.colours import METHOD_COLOURS
from hypersage_dgl.report.names import DATASETS, METHODS
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.cbook import boxplot_stats

from .made_up import all_experiments, runs, shuffled

FIGURES = {
    "heat": lambda results: heat_map(results, "dblp"),
    "curves": stability_curves,
    "boxes": lambda results: box_plots(results, "paper"),
}


def files(figure, folder):
    return [path.read_bytes() for path in save_figure(figure, folder, "figure")]


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


def test_heat_map_writes_the_mean_and_the_papers_number_into_each_cell():
    results = [
        *runs([0.6, 0.7], method="hypersage", p=0.01, alpha=2),
        *runs([0.8, 0.9], method="hypersage", p=1.0, alpha=10),
    ]
    axes = heat_map(results, "dblp").axes[0]
    texts = {}
    for text in axes.texts:
        texts.setdefault(text.xy, []).append(text.get_text())
    assert [label.get_text() for label in axes.get_xticklabels()] == ["2", "10"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["0.01", "1"]
    assert texts == {
        (0, 0): ["65.0", "(61.2)"],
        (1, 0): ["-", "(77.4)"],
        (0, 1): ["-", "(62.3)"],
        (1, 1): ["85.0", "(77.2)"],
    }
    drawn = axes.images[0].get_array().filled(np.nan)
    np.testing.assert_allclose(drawn, [[65, np.nan], [np.nan, 85]])


def test_heat_map_of_a_data_set_that_the_paper_has_not():
    axes = heat_map(runs([0.6], method="hypersage", p=1.0, alpha=2, dataset="citeseer"), "citeseer")
    assert [text.get_text() for text in axes.axes[0].texts] == ["60.0"]
    assert "brackets" not in axes.axes[0].get_title()


def test_stability_curves_have_means_and_bands_of_one_standard_deviation():
    results = [
        *runs([0.6, 0.7, 0.8], method="hypersage", p=1.0, ratio=0.3333),
        *runs([0.5, 0.5, 0.5], method="hypersage", p=1.0, ratio=0.1),
        *runs([0.4, 0.4, 0.4], method="hypergcn", ratio=0.3333),
    ]
    figure = stability_curves(results)
    (axes,) = figure.axes
    lines = {entry.get_label(): entry for entry in axes.lines}
    assert lines["HyperSAGE (p=1)"].get_ydata().tolist() == pytest.approx([50, 70])
    assert lines["HyperGCN"].get_xydata().tolist() == [[1, pytest.approx(40)]]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1:10", "1:3"]
    band = axes.collections[1].get_paths()[0].vertices
    at_last = band[band[:, 0] == 1][:, 1]
    assert (at_last.min(), at_last.max()) == pytest.approx((60, 80))


def test_variants_of_one_method_share_its_colour_and_differ_in_line():
    results = [r for p in (1.0, 2.0) for r in runs([0.6], method="hypersage", p=p, ratio=0.5)]
    one, two = stability_curves(results).axes[0].lines
    assert one.get_color() == two.get_color() == METHOD_COLOURS["hypersage"]
    assert one.get_linestyle() != two.get_linestyle()


def test_boxes_have_the_medians_and_the_means_of_the_paper():
    values = {"hgnn": [0.61, 0.64, 0.72, 0.8], "hypergcn": [0.5, 0.55, 0.7]}
    results = [r for method, shares in values.items() for r in runs(shares, method=method)]
    axes = box_plots(results, "paper").axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["HGNN", "HyperGCN"]
    drawn = [lines for lines in axes.collections if lines.get_linewidth() == 1.5]
    medians = [lines.get_segments()[0][0] for lines in drawn]
    assert medians[0].tolist() == pytest.approx([68, -0.3])
    assert medians[1].tolist() == pytest.approx([55, 0.7])
    (paper,) = [entry for entry in axes.lines if entry.get_marker() == "D"]
    assert paper.get_xydata().tolist() == [[69.2, 0], [70.9, 1]]
    colours = [matplotlib.colors.to_hex(box.get_facecolor()).upper() for box in axes.patches]
    assert colours == [METHOD_COLOURS["hgnn"], METHOD_COLOURS["hypergcn"]]


@given(st.lists(st.floats(0, 100), min_size=1, max_size=30))
def test_boxes_are_those_of_matplotlib(values):
    ours, (theirs,) = Box.of(values), boxplot_stats(values)
    assert ours[:3] == pytest.approx([theirs[key] for key in ("q1", "med", "q3")])
    assert (ours.least, ours.most) == pytest.approx((theirs["whislo"], theirs["whishi"]))
    assert ours.beyond == pytest.approx(sorted(theirs["fliers"]))


def test_a_panel_for_each_data_set_in_the_papers_order():
    figure = box_plots(all_experiments(), "literal")
    assert [axes.get_title() for axes in figure.axes] == ["DBLP", "Pubmed"]
    assert "literal" in figure.texts[0].get_text()


def test_every_method_has_a_colour_of_its_own():
    assert set(METHOD_COLOURS) == set(METHODS)
    assert len(set(METHOD_COLOURS.values())) == len(METHODS)


def test_recipes_are_not_drawn_as_one():
    results = [
        *runs([0.6], method="hypersage", p=1.0, alpha=2),
        *runs([0.9], method="hypersage", p=1.0, alpha=2, column="best"),
    ]
    with pytest.raises(ValueError, match=r"several recipes \(paper, best\); choose one"):
        heat_map(results, "dblp")
    assert heat_map(results, "dblp", column="best").axes[0].texts[0].get_text() == "90.0"


@pytest.mark.parametrize("name", FIGURES)
def test_nothing_to_draw_is_refused(name):
    with pytest.raises(ValueError, match="there are no"):
        FIGURES[name]([])
