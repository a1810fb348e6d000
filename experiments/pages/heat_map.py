"""Table 2 as a picture: accuracy by p and alpha."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hypersage_dgl.drawing import canvas

from ..names import Setting, Variant
from ..paper import paper_cells
from ..protocol import DATASETS
from ..reading import one_recipe
from ..result import Result
from ..spread import Spread
from .accuracy_table import Accuracies, accuracies, variants

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MISSING = "#eeeeee"


def heat_map(results: Iterable[Result], dataset: str, column: str | None = None) -> Figure:
    """Draw the mean accuracy for every p and alpha on one data set, the paper's in brackets.

    Parameters
    ----------
    results
        Results of table 2; others are left out.
    dataset
        Name of the data set.
    column
        The recipe; by default the only one that the results have.

    Examples
    --------
    >>> runs = [
    ...     Result("dblp", "hypersage", "paper", 1, p=p, alpha=5, test_acc=acc)
    ...     for p, acc in ((1.0, 0.8), (2.0, 0.75))
    ... ]
    >>> axes = heat_map(runs, "dblp").axes[0]
    >>> [text.get_text() for text in axes.texts]
    ['80.0', '(73.1)', '75.0', '(71.9)']
    """
    kept = [r for r in results if r.alpha is not None and r.dataset == dataset]
    recipe, kept = one_recipe(kept, column, f"sampled runs on {dataset}")
    ours = accuracies(kept)
    rows = variants(ours)
    settings = sorted({setting for _, setting in ours})
    with canvas(max(5, 2.2 + 0.9 * len(settings)), max(3, 1.6 + 0.5 * len(rows))) as figure:
        axes = figure.subplots()
        axes.set_facecolor(MISSING)
        axes.spines[:].set_visible(False)
        means = _means(rows, settings, ours)
        middle = float(np.nanmin(means) + np.nanmax(means)) / 2
        image = axes.imshow(means, cmap="cividis", aspect="auto")
        axes.set_xticks(range(len(settings)), [f"{setting.alpha:g}" for setting in settings])
        axes.set_yticks(range(len(rows)), ["searched" if p is None else f"{p:g}" for _, p in rows])
        axes.tick_params(length=0)
        axes.set_xlabel("alpha (members drawn from a hyperedge)")
        axes.set_ylabel("p (power of the mean)")
        paper = paper_cells("table2")
        note = "; in brackets what the paper prints" if paper.keys() & ours.keys() else ""
        axes.set_title(
            f'HyperSAGE on {DATASETS[dataset]} by p and alpha\n(recipe "{recipe}"{note})'
        )
        for y, row in enumerate(rows):
            for x, setting in enumerate(settings):
                cell = (row, setting)
                _write(axes, (x, y), ours.get(cell), paper.get(cell), middle)
        bar = figure.colorbar(image, label="mean test accuracy (%)")
        outline: Any = bar.outline
        outline.set_visible(False)
    return figure


def _means(
    rows: Sequence[Variant], settings: Sequence[Setting], ours: Accuracies
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    means = np.full((len(rows), len(settings)), np.nan)
    for (row, setting), spread in ours.items():
        means[rows.index(row), settings.index(setting)] = spread.mean
    return means


def _write(
    axes: Axes, place: tuple[int, int], ours: Spread | None, paper: Spread | None, middle: float
) -> None:
    colour, text = "#555555", "-"
    if ours is not None:
        # cividis runs from dark blue to light yellow.
        colour = "white" if ours.mean <= middle else "black"
        text = f"{ours.mean:.1f}"
    lines = [(text, 10, 0)]
    if paper is not None:
        # Two lines of unlike size are two texts, above and below the middle of the cell.
        lines = [(text, 10, 5), (f"({paper.mean:.1f})", 7, -8)]
    for line, size, shift in lines:
        axes.annotate(
            line,
            place,
            xytext=(0, shift),
            textcoords="offset points",
            ha="center",
            va="center",
            color=colour,
            fontsize=size,
        )
