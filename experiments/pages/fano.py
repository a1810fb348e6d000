"""Fano planes as a table and a picture: test accuracy by method and noise on the marks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from statistics import fmean, stdev
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from hypersage_dgl.drawing import PALETTE, add_legend, canvas

from ..fano import EPOCHS, LAYERS, LR, METHODS, NOISES, PATIENCE, PLANES, SPLITS, WIDTH
from .markdown import document, markdown_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Look(NamedTuple):
    """What a method is called, and how its curve looks; a dashed one can see one level alone."""

    title: str
    colour: str
    line: str
    marker: str


LOOKS: Mapping[str, Look] = MappingProxyType(
    {
        "clique-gcn": Look("GCN on the clique expansion", PALETTE["purple"], "--", "X"),
        "hgnn": Look("HGNN", PALETTE["green"], "--", "s"),
        "unigcnii": Look("UniGCNII", "#888888", "--", "v"),
        "hypersage p=1": Look("HyperSAGE, p = 1", PALETTE["vermilion"], "--", "o"),
        "hypersage p=3": Look("HyperSAGE, p = 3", PALETTE["vermilion"], "--", "^"),
        "hypersage p=(3, 1)": Look("HyperSAGE, p = (3, 1)", PALETTE["vermilion"], "-", "P"),
        "hypersage max inside": Look("HyperSAGE, max inside", PALETTE["vermilion"], "-", "*"),
        "hypersage p learned inside": Look(
            "HyperSAGE, p learned inside", PALETTE["vermilion"], "-", "D"
        ),
        "alldeepsets": Look("AllDeepSets", PALETTE["sky"], "-", "s"),
        "allset-transformer": Look("AllSetTransformer", PALETTE["blue"], "-", "v"),
        "ed-hnn": Look("ED-HNN", PALETTE["orange"], "-", "X"),
    }
)
Row = Mapping[str, Any]
Accuracies = dict[str, dict[float, list[float]]]


def accuracies(rows: Iterable[Row]) -> tuple[Accuracies, list[int]]:
    """Test accuracies in percent by method and noise, of the splits that every cell has."""
    found: dict[tuple[str, float], dict[int, float]] = defaultdict(dict)
    for row in rows:
        found[row["method"], row["noise"]].setdefault(row["split"], 100 * row["test_acc"])
    whole = [s for s in SPLITS if all(s in found[m, n] for m in METHODS for n in NOISES)]
    return {m: {n: [found[m, n][s] for s in whole] for n in NOISES} for m in METHODS}, whole


def fano_table(rows: Iterable[Row]) -> str:
    """The block of ``protocols.md``: a row for each method, a column for each noise."""
    found, splits = accuracies(rows)
    if not splits:
        return document([])
    heading = ("method", *(f"noise {noise:g}" for noise in NOISES))
    cells = [
        (LOOKS[method].title, *(_cell(values) for values in of_noise.values()))
        for method, of_noise in found.items()
    ]
    left = [str(split) for split in SPLITS if split not in splits]
    parts = [
        f"Test accuracy in percent over split{'s' if len(splits) > 1 else ''} "
        f"{', '.join(map(str, splits))} of {PLANES} planes, by the deviation of the noise; chance "
        f"is 50. All methods have width {WIDTH}, {LAYERS} layers, Adam with rate {LR:g}, neither "
        f"dropout nor weight decay, and at most {EPOCHS} epochs, of which the best on validation "
        f"nodes counts; {PATIENCE} without a better one end a run. Seeds are the splits' numbers.",
        markdown_table(heading, cells),
    ]
    if left:
        parts.append(f"Not run yet: split {', '.join(left)}; the command goes on there.")
    return document(parts)


def _cell(values: list[float]) -> str:
    spread = f" ± {stdev(values):.1f}" if len(values) > 1 else ""
    return f"{fmean(values):.1f}{spread}"


def fano_lines(rows: Iterable[Row]) -> Figure:
    """Draw a curve for each method, dashed where theory says that it cannot rise above chance."""
    found, splits = accuracies(rows)
    with canvas(6.4, 3.6) as figure:
        axes, handles = figure.add_subplot(), {}
        for method, of_noise in found.items():
            title, colour, line, marker = LOOKS[method]
            means = [fmean(values) if values else float("nan") for values in of_noise.values()]
            (handles[title],) = axes.plot(
                NOISES, means, color=colour, linestyle=line, marker=marker, markersize=6
            )
        axes.axhline(50, color="black", linewidth=0.8)
        axes.set_xticks(NOISES)
        axes.set_xlabel("noise on the marks (standard deviation)")
        axes.set_ylabel("test accuracy (%), 50 is chance")
        axes.grid(axis="y")
        axes.set_title(
            f"Fano planes: same pairs, other groups ({len(splits)} split"
            f"{'' if len(splits) == 1 else 's'})"
        )
        add_legend(figure, handles)
    return figure
