"""Table 1 as a picture: how the accuracy of each method varies from run to run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hypersage_dgl.drawing import add_legend, add_panels, canvas, panels_shape

from ..names import Setting, Variant, ordered_datasets, ordered_variants, variant_name
from ..paper import paper_cells
from ..protocol import DATASETS, METHODS
from ..reading import cells, one_recipe
from ..result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINE = "#555555"


def box_plots(results: Iterable[Result], column: str) -> Figure:
    """Draw the test accuracies of all splits and initialisations: a box for each method.

    Boxes reach from the lower to the upper quartile, with the median as a line; whiskers reach to
    the last run within one and a half times the box, and dots are the runs beyond. A diamond is
    the mean that the paper prints; for a HyperSAGE without a p, that of its best p.

    Parameters
    ----------
    results
        Results of table 1; others are left out.
    column
        The recipe.

    Examples
    --------
    >>> runs = [
    ...     Result("dblp", "hgnn", "paper", split, test_acc=acc)
    ...     for split, acc in enumerate((0.6, 0.7, 0.75))
    ... ]
    >>> [axes.get_title() for axes in box_plots(runs, "paper").axes]
    ['DBLP']
    """
    kept = [r for r in results if r.part == "test" and r.alpha is None and r.ratio is None]
    recipe, kept = one_recipe(kept, column, "runs of table 1")
    datasets = ordered_datasets(r.dataset for r in kept)
    variants = ordered_variants(r.variant for r in kept)
    groups = cells(kept, "dataset", "variant")
    rows, columns = panels_shape(len(datasets))
    height = 0.9 + 0.24 * len(variants)
    with canvas(max(4.5, 1.5 + 2.5 * columns), 0.8 + height * rows) as figure:
        for axes, dataset in zip(add_panels(figure, len(datasets), share_y=True), datasets):
            for place, variant in enumerate(variants):
                shares = [r.test_acc for r in groups.get((dataset, variant), ())]
                if shares:
                    box = Box.of(100 * share for share in shares)
                    _draw(axes, place, box, METHODS[variant[0]].colour)
            _paper(axes, dataset, variants)
            axes.set_title(DATASETS[dataset])
            axes.set_xlabel("test accuracy (%)")
            axes.locator_params(axis="x", nbins=5, steps=[1, 2, 5, 10])
            axes.grid(axis="x")
        first = figure.axes[0]
        first.set_yticks(range(len(variants)), [variant_name(variant) for variant in variants])
        # The first method comes at the top, as in the table.
        first.set_ylim(len(variants) - 0.5, -0.5)
        figure.suptitle(f'Test accuracy over splits and initialisations\n(recipe "{recipe}")')
        handles, names = first.get_legend_handles_labels()
        add_legend(figure, dict(zip(names, handles)))
    return figure


class Box(NamedTuple):
    """Numbers of a box: quartiles, ends of the whiskers, and the runs beyond them."""

    lower: float
    median: float
    upper: float
    least: float
    most: float
    beyond: list[float]

    @classmethod
    def of(cls, values: Iterable[float]) -> Box:
        """Measure values in any order.

        Examples
        --------
        >>> Box.of([5, 1, 2, 3, 4, 20])
        Box(lower=2.25, median=3.5, upper=4.75, least=1.0, most=5.0, beyond=[20.0])
        """
        ordered = np.sort(np.fromiter(values, dtype=np.float64))
        lower, median, upper = (float(q) for q in np.percentile(ordered, [25, 50, 75]))
        reach = 1.5 * (upper - lower)
        is_near = (ordered >= lower - reach) & (ordered <= upper + reach)
        near = ordered[is_near]
        # A quartile lies between two runs, and the nearest of them may be beyond.
        ends = min(lower, float(near.min())), max(upper, float(near.max()))
        return cls(lower, median, upper, *ends, ordered[~is_near].tolist())


def _draw(axes: Axes, place: int, box: Box, colour: str) -> None:
    # Not by axes.boxplot: it makes pyplot choose a backend.
    axes.hlines(place, box.least, box.most, color=LINE, linewidth=1.0, zorder=1)
    axes.vlines([box.least, box.most], place - 0.15, place + 0.15, color=LINE, linewidth=1.0)
    axes.barh(place, box.upper - box.lower, 0.6, box.lower, color=colour, edgecolor=LINE)
    axes.vlines(box.median, place - 0.3, place + 0.3, color="black", linewidth=1.5)
    axes.plot(box.beyond, [place] * len(box.beyond), ".", color=LINE, markersize=4)


def _paper(axes: Axes, dataset: str, variants: Sequence[Variant]) -> None:
    printed = paper_cells("table1")
    places = {
        place: printed[variant, Setting(dataset)].mean
        for place, variant in enumerate(variants)
        if (variant, Setting(dataset)) in printed
    }
    if places:
        axes.plot(
            list(places.values()),
            list(places),
            linestyle="none",
            marker="D",
            markersize=5,
            markerfacecolor="white",
            markeredgecolor="black",
            label="mean in the paper",
        )
