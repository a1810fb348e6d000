"""The stability as a picture: accuracy by the ratio of training to test nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from hypersage_dgl.drawing import add_legend, add_panels, canvas, panels_shape

from ..names import Variant, ordered_datasets, ordered_variants, ratio_name, variant_name
from ..protocol import DATASETS, METHODS
from ..reading import cells, one_recipe
from ..result import Result
from ..spread import Spread

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# For the variants of one method, which share its colour.
LINES = ("-", "--", ":", "-.")


def stability_curves(results: Iterable[Result], column: str | None = None) -> Figure:
    """Draw the mean accuracy by ratio with a band of one standard deviation, by data set.

    The ratios stand at equal distances, each with its name.

    Parameters
    ----------
    results
        Results of the stability; others are left out.
    column
        The recipe; by default the only one that the results have.

    Examples
    --------
    >>> runs = [
    ...     Result("dblp", "hgnn", "paper", s, ratio=ratio, test_acc=acc)
    ...     for s, ratio, acc in ((1, 0.1, 0.6), (2, 0.1, 0.7), (1, 0.5, 0.8))
    ... ]
    >>> axes = stability_curves(runs).axes[0]
    >>> axes.get_title(), axes.lines[0].get_ydata().tolist()
    ('DBLP', [65.0, 80.0])
    """
    kept = [r for r in results if r.ratio is not None]
    recipe, kept = one_recipe(kept, column, "runs by ratio")
    datasets = ordered_datasets(r.dataset for r in kept)
    variants = ordered_variants(r.variant for r in kept)
    rows, columns = panels_shape(len(datasets))
    with canvas(max(4.5, 0.6 + 2.8 * columns), 0.7 + 2.3 * rows) as figure:
        for axes, dataset in zip(add_panels(figure, len(datasets)), datasets):
            _panel(axes, [r for r in kept if r.dataset == dataset], variants)
            axes.set_title(DATASETS[dataset])
        figure.suptitle(
            "Accuracy by share of training nodes\n"
            f'(mean and one standard deviation, recipe "{recipe}")'
        )
        handles = {line.get_label(): line for axes in figure.axes for line in axes.lines}
        add_legend(figure, {name: handles[name] for name in map(variant_name, variants)})
    return figure


def _panel(axes: Axes, results: Sequence[Result], variants: Sequence[Variant]) -> None:
    groups = cells(results, "variant", "ratio")
    ratios = sorted({ratio for _, ratio in groups})
    for variant in variants:
        spreads = {
            place: Spread.of(run.test_acc for run in groups[variant, ratio])
            for place, ratio in enumerate(ratios)
            if (variant, ratio) in groups
        }
        if spreads:
            _curve(axes, variant, spreads, _line(variant, variants))
    axes.set_xticks(range(len(ratios)), [ratio_name(ratio) for ratio in ratios])
    axes.set_xlabel("training : test nodes")
    axes.set_ylabel("test accuracy (%)")
    axes.locator_params(axis="y", nbins=6, steps=[1, 2, 5, 10])
    axes.grid(axis="y")


def _line(variant: Variant, variants: Sequence[Variant]) -> str:
    same = [other for other in variants if other[0] == variant[0]]
    return LINES[same.index(variant) % len(LINES)]


def _curve(axes: Axes, variant: Variant, spreads: dict[int, Spread], line: str) -> None:
    method = METHODS[variant[0]]
    places = list(spreads)
    means = [spread.mean for spread in spreads.values()]
    deviations = [spread.sd or 0.0 for spread in spreads.values()]
    axes.plot(
        places,
        means,
        color=method.colour,
        linestyle=line,
        marker=method.marker,
        markersize=5,
        label=variant_name(variant),
    )
    lower = [m - d for m, d in zip(means, deviations)]
    upper = [m + d for m, d in zip(means, deviations)]
    axes.fill_between(places, lower, upper, color=method.colour, alpha=0.18, linewidth=0)
