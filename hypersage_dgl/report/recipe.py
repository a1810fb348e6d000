"""Runs by recipe: different recipes are never shown as one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from .names import COLUMNS
from .records import Result, cells


def one_recipe(
    results: Iterable[Result], column: str | None, what: str
) -> tuple[str, list[Result]]:
    """Name and runs of the recipe asked for, or of the only one that there is.

    Examples
    --------
    >>> run = Result("dblp", "mlp", None, None, "best", 1, 0, None, "test", 0.6, None, 1.0, "")
    >>> one_recipe([run], None, "runs on dblp")[0]
    'best'
    >>> one_recipe([run], "paper", "runs on dblp")
    Traceback (most recent call last):
    ...
    ValueError: there are no runs on dblp of recipe 'paper', only of best; choose another column
    """
    runs = list(results)
    there = [name for name in COLUMNS if any(run.column == name for run in runs)]
    if not there:
        raise ValueError(f"there are no {what}; read another file of results")
    if column is None:
        if len(there) > 1:
            raise ValueError(
                f"there are {what} of several recipes ({', '.join(there)}); choose one by column="
            )
        column = there[0]
    if column not in there:
        raise ValueError(
            f"there are no {what} of recipe {column!r}, only of {', '.join(there)}; choose another "
            "column"
        )
    return column, [run for run in runs if run.column == column]


def by_recipe(
    results: Iterable[Result], parts: Callable[[str, Sequence[Result]], list[str]]
) -> list[str]:
    """Parts of a page for each recipe that was run, in order, given its name and runs.

    Examples
    --------
    >>> runs = [
    ...     Result("dblp", "mlp", None, None, column, 1, 0, None, "test", 0.6, None, 1.0, "")
    ...     for column in ("best", "paper")
    ... ]
    >>> by_recipe(runs, lambda recipe, its_runs: [recipe, f"{len(its_runs)} run"])
    ['paper', '1 run', 'best', '1 run']
    """
    groups = cells(results, "column")
    return [part for c in COLUMNS if (c,) in groups for part in parts(c, groups[c,])]
