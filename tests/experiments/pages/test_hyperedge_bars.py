"""The picture of hyperedge prediction: bars from chance up to the mean of the splits."""

from __future__ import annotations

import pytest

from experiments.hyperedges import CANDIDATES
from experiments.pages.hyperedge_bars import hyperedge_bars
from hypersage_dgl.drawing import save_figure

from .test_hyperedges import made


def test_a_bar_ends_at_its_mean_and_the_file_repeats(tmp_path):
    rows = made(["citeseer", "debian"])
    figure = hyperedge_bars(rows)
    (axes,) = figure.axes
    assert [label.get_text() for label in axes.get_xticklabels()] == ["Citeseer", "debian"]
    tops = [bar.get_y() + bar.get_height() for bar in axes.patches]
    assert tops == pytest.approx([53 + 10 * k for k in range(len(CANDIDATES)) for _ in range(2)])
    files = [
        save_figure(hyperedge_bars(each), tmp_path / name, "bars", ["svg"])[0].read_bytes()
        for name, each in (("one", rows), ("other", rows[::-1]))
    ]
    assert files[0] == files[1]
