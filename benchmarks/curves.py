"""Time and memory against size, as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hypersage_dgl.drawing import PALETTE, add_legend, canvas

from .measure import Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STEPS = {
    "build": "build",
    "epoch": "epoch over 1 % of the nodes",
    "inference": "inference of all nodes",
    "sketch": "|N(v)| by sketch",
}


def growth(rows: Sequence[Row]) -> Figure:
    """Seconds and GiB of each step by incidences, both axes logarithmic; dotted is linear."""
    sizes = [row["incidences"] for row in rows]
    with canvas(5.2, 6.0) as figure:
        seconds, memory = figure.subplots(2, 1)
        handles = {}
        for colour, (step, name) in zip(PALETTE.values(), STEPS.items()):
            style = {"color": colour, "marker": "o", "markersize": 4}
            taken = [row["steps"][step]["cpu_s"] for row in rows]
            (handles[name],) = seconds.plot(sizes, taken, **style)
            needed = [max(row["steps"][step]["extra_gib"], 1e-3) for row in rows]
            memory.plot(sizes, needed, **style)
            line = [taken[-1] * size / sizes[-1] for size in sizes]
            seconds.plot(sizes, line, color=colour, linestyle=":", linewidth=0.8)
        (handles["peak beyond the features"],) = memory.plot(
            sizes, [row["peak_gib"] for row in rows], color="#555555", marker="s", markersize=4
        )
        for axes, title in ((seconds, "CPU seconds, one thread"), (memory, "GiB")):
            axes.set_xscale("log")
            axes.set_yscale("log")
            axes.set_xlabel("incidences")
            axes.set_title(title)
            axes.grid()
        add_legend(figure, handles)
    return figure
