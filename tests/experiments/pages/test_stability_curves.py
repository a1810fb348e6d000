"""The stability as a picture: means, bands, and lines that can be told apart."""

import pytest
from made_up import runs

from experiments.pages import stability_curves
from experiments.protocol import METHODS


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
    assert one.get_color() == two.get_color() == METHODS["hypersage"].colour
    assert one.get_linestyle() != two.get_linestyle()
