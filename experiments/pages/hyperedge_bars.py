"""Hyperedge prediction as a picture: mean AUROC by method and data set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

from hypersage_dgl.drawing import add_legend, canvas

from ..protocol import DATASETS, METHODS
from .hyperedges import KINDS, TITLES, finished

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure

MEAN = KINDS.index("mean")
NEIGHBOURS = "#555555"


def hyperedge_bars(rows: Iterable[Mapping[str, Any]]) -> Figure:
    """Draw a bar for each method in each data set, from chance up, with one standard deviation."""
    done = finished(rows)
    with canvas(max(4.5, 1.2 + 1.6 * len(done)), 3.2) as figure:
        axes = figure.add_subplot()
        handles: dict[str, Artist] = {}
        for place, (method, title) in enumerate(TITLES.items()):
            values = [[100 * auroc for auroc in found[method][MEAN]] for found in done.values()]
            colour = METHODS[method].colour if method in METHODS else NEIGHBOURS
            bars = axes.bar(
                [i + 0.2 * (place - 1.5) for i in range(len(done))],
                [fmean(each) - 50 for each in values],
                0.18,
                bottom=50,
                yerr=[stdev(each) for each in values],
                color=colour,
                error_kw={"linewidth": 1},
            )
            handles[title] = bars.patches[0]
        axes.axhline(50, color="black", linewidth=0.8)
        axes.set_xticks(range(len(done)), [DATASETS.get(name, name) for name in done])
        axes.set_ylabel("AUROC (%), 50 is chance")
        axes.grid(axis="y")
        axes.set_axisbelow(True)
        axes.set_title("Hyperedges that were held out, mean over three kinds of negatives")
        add_legend(figure, handles)
    return figure
