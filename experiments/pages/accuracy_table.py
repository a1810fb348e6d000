"""One table of accuracies: ours, the paper's below, the best in bold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from ..judges import DASH
from ..names import Setting, Variant, ordered_variants, variant_name
from ..protocol import HYPERSAGE
from ..reading import cells
from ..result import Result
from ..spread import Spread
from .markdown import markdown_table

Row = TypeVar("Row")
Column = TypeVar("Column")
Accuracies = Mapping[tuple[Variant, Setting], Spread]
# What a caption adds to the nodes of a second table.
CONNECTED = "that are in a hyperedge"


def accuracies(results: Sequence[Result], measure: str = "test_acc") -> Accuracies:
    """Mean and spread of each cell, without the runs that had nothing to score.

    Examples
    --------
    >>> runs = [
    ...     Result("dblp", "mlp", "paper", split, test_acc=acc)
    ...     for split, acc in ((1, 0.6), (2, 0.7))
    ... ]
    >>> {place: str(spread) for place, spread in accuracies(runs).items()}
    {(('mlp', None), Setting(dataset='dblp', alpha=None, part='test')): '65.0 ± 7.1'}
    >>> accuracies(runs, "connected_acc")
    {}
    """
    found = {}
    for (variant, setting), runs in cells(results, "variant", "setting").items():
        shares = [getattr(run, measure) for run in runs]
        scored = [share for share in shares if share is not None]
        if scored:
            found[variant, setting] = Spread.of(scored)
    return found


def variants(ours: Accuracies) -> list[Variant]:
    """Methods that were run, in order."""
    return ordered_variants(variant for variant, _ in ours)


def most_runs(ours: Accuracies) -> int:
    """The largest number of runs in a cell, which is what the others are expected to have."""
    return max((spread.runs or 0 for spread in ours.values()), default=0)


def variant_table(
    rows: Sequence[Variant],
    ours: Accuracies,
    columns: Mapping[Setting, str],
    paper: Accuracies | None = None,
    *,
    expected_runs: int,
    one_best: bool = False,
) -> str:
    """Lay the accuracies out in Markdown.

    Parameters
    ----------
    rows
        The methods, in order.
    ours
        Our accuracies; what has none gets a dash.
    columns
        Heading of each column.
    paper
        What the paper has, shown below ours.
    expected_runs
        A cell of another number of runs says so.
    one_best
        Whether the best of the whole table is bold, and not the best of each column.
    """
    settings = list(columns)
    contests = [settings] if one_best else [[setting] for setting in settings]
    bold = [
        place
        for contest in contests
        for place in best([(row, setting) for row in rows for setting in contest], ours)
    ]
    texts = grid(rows, settings, ours, paper, expected_runs=expected_runs, bold=bold)
    lines = [(variant_name(row), *text) for row, text in zip(rows, texts)]
    return markdown_table(("method", *columns.values()), lines)


def caption(nodes: str, runs: int, best_of: str) -> str:
    """Say what the numbers are.

    Examples
    --------
    >>> caption("test nodes", 80, "a column")
    'Accuracy on the test nodes in percent: mean ± sample standard deviation of 80 runs, where a
    cell says no other number. Bold: the best of a column.'
    """
    counted = "1 run" if runs == 1 else f"{runs} runs"
    return (
        f"Accuracy on the {nodes} in percent: mean ± sample standard deviation of {counted}, where "
        f"a cell says no other number. Bold: the best of {best_of}."
    )


def source(number: int, rows: Sequence[Variant]) -> str:
    """Say where the numbers of the paper are from.

    Examples
    --------
    >>> source(1, [("hgnn", None)])
    ' In brackets: [arXiv:2010.04558](https://arxiv.org/abs/2010.04558), table 1.'
    """
    text = f" In brackets: [arXiv:2010.04558](https://arxiv.org/abs/2010.04558), table {number}."
    if (HYPERSAGE, None) in rows:
        text += " HyperSAGE without a p stands beside the best p of the paper."
    return text


def grid(
    rows: Sequence[Row],
    columns: Sequence[Column],
    ours: Mapping[tuple[Row, Column], Spread],
    paper: Mapping[tuple[Row, Column], Spread] | None = None,
    *,
    expected_runs: int,
    bold: Iterable[tuple[Row, Column]] = (),
) -> list[list[str]]:
    """Text of all cells; a dash where we have no run, the number of runs where it surprises.

    Examples
    --------
    >>> ours = {("a", "x"): Spread(71.5, 1.9, 80), ("b", "x"): Spread(69.0, 1.0, 3)}
    >>> paper = {("a", "x"): Spread(72.4, 1.6, None)}
    >>> for row in grid(["a", "b"], ["x", "y"], ours, paper, expected_runs=80, bold=[("a", "x")]):
    ...     print(row)
    ['**71.5 ± 1.9**<br>(paper 72.4 ± 1.6)', '-']
    ['69.0 ± 1.0, 3 runs', '-']
    """
    strong = set(bold)
    lines = []
    for row in rows:
        line = []
        for column in columns:
            place = (row, column)
            text = _our_text(ours.get(place), expected_runs, place in strong)
            printed = (paper or {}).get(place)
            line.append(text if printed is None else f"{text}<br>(paper {printed})")
        lines.append(line)
    return lines


def best(
    places: Iterable[tuple[Row, Column]], ours: Mapping[tuple[Row, Column], Spread]
) -> list[tuple[Row, Column]]:
    """Those of the places with the highest mean, to the digit that is shown.

    Examples
    --------
    >>> ours = {(0, 0): Spread(71.52, 1, 9), (1, 0): Spread(71.48, 1, 9), (2, 0): Spread(9, 1, 9)}
    >>> best([(0, 0), (1, 0), (2, 0), (3, 0)], ours)
    [(0, 0), (1, 0)]
    """
    shown = {place: round(ours[place].mean, 1) for place in places if place in ours}
    return [place for place, mean in shown.items() if mean == max(shown.values())]


def _our_text(spread: Spread | None, expected_runs: int, is_best: bool) -> str:
    if spread is None:
        return DASH
    text = f"**{spread}**" if is_best else str(spread)
    if spread.runs == expected_runs:
        return text
    return f"{text}, {spread.runs} run{'' if spread.runs == 1 else 's'}"
