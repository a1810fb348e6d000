"""One table of accuracies: a row for each method, a column for each thing it is scored on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .grid import best, grid
from .markdown import markdown_table
from .names import Setting, Variant, ordered_variants, variant_name
from .records import Result, cells
from .spread import Spread

Accuracies = Mapping[tuple[Variant, Setting], Spread]
# What a caption adds to the nodes of a second table.
CONNECTED = "that are in a hyperedge"


def accuracies(results: Sequence[Result], measure: str = "test_acc") -> Accuracies:
    """Mean and spread of each cell, without the runs that had nothing to score.

    Examples
    --------
    >>> runs = [
    ...     Result("dblp", "mlp", None, None, "paper", split, 0, None, "test", acc, None, 1.0, "")
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
    if ("hypersage", None) in rows:
        text += " HyperSAGE without a p stands beside the best p of the paper."
    return text
