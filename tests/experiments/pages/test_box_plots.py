"""Table 1 as a picture: boxes as matplotlib has them, the paper's means, a panel a data set."""

import matplotlib
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import all_experiments, runs
from matplotlib.cbook import boxplot_stats

from experiments.pages import box_plots
from experiments.pages.box_plots import Box
from experiments.protocol import METHODS


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
    assert colours == [METHODS["hgnn"].colour, METHODS["hypergcn"].colour]


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
