"""Read results, and put those together that belong together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any

from hypersage_dgl._utils import PathLike

from .ledger import read_lines
from .names import variant_name
from .protocol import COLUMNS, SEARCH
from .result import Result, parse_result


def read_results(path: PathLike) -> list[Result]:
    r"""Read the results in a file, in its order; none if there is no file.

    A line counts once it has its newline: a last one without, as a killed process leaves it, is
    left out, and is the one that is done again. Of several lines for the same run the first counts.

    Raises
    ------
    ValueError
        With file and line, if any other line is not a result, and if a method, with its p, has
        results of two recipes in one data set and column.

    Examples
    --------
    >>> import json, tempfile
    >>> from pathlib import Path
    >>> run = Result("dblp", "hgnn", "paper", 1, test_acc=0.75, connected_acc=0.75, seconds=2.5)
    >>> line = json.dumps(run.to_row()) + "\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "table1.jsonl"
    ...     _ = path.write_text(line + line[:40])
    ...     read_results(f"{path}.gz") == [run]
    True
    """
    results = [parse_result(place, line) for place, line in read_lines(path)]
    _refuse_mixtures(results, path)
    first: dict[tuple[Any, ...], Result] = {}
    for result in results:
        first.setdefault(result.key, result)
    return list(first.values())


def cells(results: Iterable[Result], *keys: str) -> dict[tuple[Any, ...], list[Result]]:
    """Group results by the values of some of their fields or properties.

    Groups and their results come in an order of their own, whatever the order of the given ones.

    Examples
    --------
    >>> a, b = (Result("dblp", method, "paper", 1) for method in ("mlp", "hgnn"))
    >>> {key: len(group) for key, group in cells([a, b, a], "dataset", "method").items()}
    {('dblp', 'hgnn'): 1, ('dblp', 'mlp'): 2}
    """
    names = [f.name for f in fields(Result)]
    groups: dict[tuple[Any, ...], list[Result]] = {}
    # Sorted, so that whoever walks over groups and runs meets them in the same order every time.
    for result in sorted(results, key=lambda r: [_sortable(getattr(r, n)) for n in names]):
        groups.setdefault(tuple(attrgetter(key)(result) for key in keys), []).append(result)
    return groups


def by_recipe(
    results: Iterable[Result], parts: Callable[[str, Sequence[Result]], list[str]]
) -> list[str]:
    """Parts of a page for each recipe that was run, in order, given its name and runs.

    Examples
    --------
    >>> runs = [Result("dblp", "mlp", column, 1) for column in ("best", "paper")]
    >>> by_recipe(runs, lambda recipe, its_runs: [recipe, f"{len(its_runs)} run"])
    ['paper', '1 run', 'best', '1 run']
    """
    groups = cells(results, "column")
    return [part for c in COLUMNS if (c,) in groups for part in parts(c, groups[c,])]


def one_recipe(
    results: Iterable[Result], column: str | None, what: str
) -> tuple[str, list[Result]]:
    """Name and runs of the recipe asked for, or of the only one that there is.

    Examples
    --------
    >>> run = Result("dblp", "mlp", "best", 1)
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


def _refuse_mixtures(results: Iterable[Result], path: PathLike) -> None:
    """Refuse a cell that was run by one recipe and then by another; p is part of a recipe."""
    of_tables = (run for run in results if run.column != SEARCH)
    for (dataset, variant, column), runs in cells(
        of_tables, "dataset", "variant", "column"
    ).items():
        recipes = sorted({run.recipe for run in runs if run.recipe is not None})
        if len(recipes) > 1:
            name = variant_name(variant)
            raise ValueError(
                f"{path}: {name} on {dataset} in column {column} has results of the recipes "
                f"{', '.join(recipes)}, which are not averaged; remove the lines of all but one"
            )


def _sortable(value: Any) -> tuple[bool, Any]:
    # None does not compare with numbers.
    return (value is not None, value if value is not None else 0)
