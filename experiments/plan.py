"""The runs of every experiment of the paper, in the order in which to do them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

from .protocol import (
    ALPHAS,
    BASELINES,
    BEST,
    COLUMNS,
    DATASETS,
    EPS,
    HYPERSAGE,
    INITS,
    LITERAL,
    METHODS,
    PAPER,
    RATIOS,
    SEEN_AND_UNSEEN,
    SPLITS,
    TABLE1_POWERS,
    TABLE2_DATASETS,
    TABLE2_POWERS,
    TABLE3_DATASETS,
    TABLE3_POWERS,
    small_first,
)
from .recipe import Recipe, Recipes, read_recipes, recipe_for
from .result import Result

Job = tuple[Result, Recipe]
"""A run and the recipe that it follows."""


def recipe_of(run: Result, recipes: Recipes) -> Recipe:
    """The recipe that a run follows: the paper's, or the one that was chosen for its cell."""
    if run.column == BEST:
        return recipe_for(recipes, run.dataset, run.method)
    if run.method != HYPERSAGE:
        return Recipe(run.method)
    inter = "paper" if run.column == LITERAL else "size"
    return Recipe(HYPERSAGE, {"p": run.p, "eps": EPS, "inter": inter})


def table1() -> Iterator[Result]:
    """Accuracy of all methods: 10 splits x 8 initial weights a cell.

    All splits of one initial weight come before the next one, so that a plan cut short is balanced.
    """
    # The paper's recipe before the others.
    columns = sorted(COLUMNS, key=lambda column: column != PAPER)
    for dataset, column in product(small_first(DATASETS), columns):
        for init, (method, p), split in product(range(INITS[column]), _rows(column), SPLITS):
            yield Result(dataset, method, column, split, init, p)


def table2() -> Iterator[Result]:
    """Sampled training: alpha members of a hyperedge, by p."""
    for dataset in small_first(TABLE2_DATASETS):
        for p, alpha, split in product(TABLE2_POWERS, ALPHAS, SPLITS):
            yield Result(dataset, HYPERSAGE, PAPER, split, p=p, alpha=alpha)


def table3() -> Iterator[Result]:
    """Inductive: nodes that the training hypergraph had and nodes that it did not have."""
    rows = (("mlp+hlr", None), *((HYPERSAGE, p) for p in TABLE3_POWERS))
    for dataset in small_first(TABLE3_DATASETS):
        for (method, p), split in product(rows, SPLITS):
            # One run scores both parts.
            yield Result(dataset, method, PAPER, split, p=p, part=SEEN_AND_UNSEEN[0])


def stability() -> Iterator[Result]:
    """HyperSAGE against HyperGCN as the share of training nodes grows."""
    rows = (("hypergcn", None), (HYPERSAGE, 1.0))
    for dataset in small_first(DATASETS):
        for (method, p), ratio, split in product(rows, RATIOS, SPLITS):
            yield Result(dataset, method, PAPER, split, p=p, ratio=round(ratio, 6))


TABLES: Mapping[str, Callable[[], Iterator[Result]]] = {
    "table1": table1,
    "table2": table2,
    "table3": table3,
    "stability": stability,
}


def jobs_of(
    table: str,
    *,
    datasets: Collection[str] = (),
    columns: Collection[str] = (),
    methods: Collection[str] = (),
    inits: int | None = None,
    quick: bool = False,
    recipes: Recipes | None = None,
) -> list[Job]:
    """Runs of a table with their recipes; those that the filters let through.

    ``quick`` keeps three splits with one initial weight each and a third of the epochs, to see
    that it works. ``recipes`` are those of the column ``best``, by default those chosen by us.

    Examples
    --------
    >>> run, recipe = jobs_of("stability", datasets=["citeseer"])[0]
    >>> run.dataset, recipe.method, recipe.epochs
    ('citeseer', 'hypergcn', 150)
    """
    inits = 1 if quick else inits
    chosen = read_recipes() if recipes is None else recipes
    recipes_of_cells: dict[tuple[Any, ...], tuple[Recipe, str]] = {}
    jobs = []
    for run in TABLES[table]():
        wanted = (
            (not datasets or run.dataset in datasets)
            and (not columns or run.column in columns)
            and (not methods or run.method in methods)
            and (inits is None or run.init < inits)
        )
        if wanted and not (quick and run.split > 3):
            cell = (run.column, run.dataset, run.method, run.p)
            if cell not in recipes_of_cells:
                recipe = recipe_of(run, chosen)
                recipe = _shortened(recipe) if quick else recipe
                recipes_of_cells[cell] = recipe, recipe.checksum()
            recipe, checksum = recipes_of_cells[cell]
            # Runs of a recipe that has changed since are no longer runs of this cell.
            jobs.append((replace(run, recipe=checksum), recipe))
    return jobs


def _shortened(recipe: Recipe) -> Recipe:
    return replace(recipe, epochs=max(1, recipe.epochs // 3))


def _rows(column: str) -> list[tuple[str, float | None]]:
    """Methods of a column of table 1, HyperSAGE once for each p unless p is part of a recipe."""
    if column == BEST:
        return [(method, None) for method in METHODS]
    powers: list[tuple[str, float | None]] = [(HYPERSAGE, p) for p in TABLE1_POWERS]
    baselines: list[tuple[str, float | None]] = [(name, None) for name in BASELINES]
    return powers if column == LITERAL else [*baselines, *powers]
