"""The runs of every experiment of the paper, in the order in which to do them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

from .chosen import Recipes, read_recipes, recipe_for
from .recipe import BASELINES, HYPERSAGE, METHODS, Recipe
from .runner import Job
from .trial import Trial

# Small ones first.
DATASETS = ("cora-coauthorship", "cora-cocitation", "citeseer", "pubmed", "dblp")
COLUMNS = ("paper", "literal", "best")
SPLITS = range(1, 11)
INITS = range(8)
# 10 splits x 2 show what Equation 4 as printed does.
LITERAL_INITS = range(2)
POWERS = (2.0, 1.0, 0.01, -1.0)
TABLE2_POWERS = (-1.0, 0.01, 1.0, 2.0, 3.0, 4.0, 5.0)
ALPHAS = (2, 3, 5, 10)
TABLE3_POWERS = (0.01, 1.0, 2.0)
# Train:test. The paper names 1/3 as the largest of five; the others are ours.
RATIOS = (1 / 30, 1 / 15, 1 / 10, 1 / 5, 1 / 3)
# The paper's floor is unknown; as good as none.
EPS = 1e-7


def recipe_of(trial: Trial, recipes: Recipes) -> Recipe:
    """The recipe that a trial follows: the paper's, or the one that was chosen for its cell."""
    if trial.column == "best":
        return recipe_for(recipes, trial.dataset, trial.method)
    if trial.method != HYPERSAGE:
        return Recipe(trial.method)
    inter = "paper" if trial.column == "literal" else "size"
    return Recipe(HYPERSAGE, {"p": trial.p, "eps": EPS, "inter": inter})


def table1() -> Iterator[Trial]:
    """Accuracy of all methods: 10 splits x 8 initial weights a cell.

    All splits of one initial weight come before the next one, so that a plan cut short is balanced.
    """
    for dataset in DATASETS:
        for column, init in product(COLUMNS, INITS):
            for method, p in _rows(column):
                if column == "literal" and init not in LITERAL_INITS:
                    continue
                for split in SPLITS:
                    yield Trial("table1", dataset, method, column, split, init, p)


def table2() -> Iterator[Trial]:
    """Sampled training: alpha members of a hyperedge, by p."""
    for dataset in ("pubmed", "dblp"):
        for p, alpha, split in product(TABLE2_POWERS, ALPHAS, SPLITS):
            yield Trial("table2", dataset, HYPERSAGE, "paper", split, p=p, alpha=alpha)


def table3() -> Iterator[Trial]:
    """Inductive: nodes that the training hypergraph had and nodes that it did not have."""
    rows = (("mlp+hlr", None), *((HYPERSAGE, p) for p in TABLE3_POWERS))
    for dataset in ("cora-cocitation", "citeseer", "pubmed", "dblp"):
        for (method, p), split in product(rows, SPLITS):
            yield Trial("table3", dataset, method, "paper", split, p=p)


def stability() -> Iterator[Trial]:
    """HyperSAGE against HyperGCN as the share of training nodes grows."""
    rows = (("hypergcn", None), (HYPERSAGE, 1.0))
    for dataset in DATASETS:
        for (method, p), ratio, split in product(rows, RATIOS, SPLITS):
            ratio = round(ratio, 6)
            yield Trial("stability", dataset, method, "paper", split, p=p, ratio=ratio)


TABLES: Mapping[str, Callable[[], Iterator[Trial]]] = {
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
    """Trials of a table with their recipes; those that the filters let through.

    ``quick`` keeps three splits with one initial weight each and a third of the epochs, to see
    that it works. ``recipes`` are those of the column ``best``, by default those chosen by us.

    Examples
    --------
    >>> trial, recipe = jobs_of("stability", datasets=["citeseer"])[0]
    >>> trial.dataset, recipe.method, recipe.epochs
    ('citeseer', 'hypergcn', 150)
    """
    inits = 1 if quick else inits
    chosen = read_recipes() if recipes is None else recipes
    recipes_of_cells: dict[tuple[Any, ...], tuple[Recipe, str]] = {}
    jobs = []
    for trial in TABLES[table]():
        wanted = (
            (not datasets or trial.dataset in datasets)
            and (not columns or trial.column in columns)
            and (not methods or trial.method in methods)
            and (inits is None or trial.init < inits)
        )
        if wanted and not (quick and trial.split > 3):
            cell = (trial.column, trial.dataset, trial.method, trial.p)
            if cell not in recipes_of_cells:
                recipe = recipe_of(trial, chosen)
                recipe = _shortened(recipe) if quick else recipe
                recipes_of_cells[cell] = recipe, recipe.checksum()
            recipe, checksum = recipes_of_cells[cell]
            # Runs of a recipe that has changed since are no longer runs of this cell.
            jobs.append((replace(trial, recipe=checksum), recipe))
    return jobs


def _shortened(recipe: Recipe) -> Recipe:
    return replace(recipe, epochs=max(1, recipe.epochs // 3))


def _rows(column: str) -> list[tuple[str, float | None]]:
    """Methods of a column of table 1, HyperSAGE once for each p unless p is part of a recipe."""
    if column == "best":
        return [(method, None) for method in METHODS]
    powers: list[tuple[str, float | None]] = [(HYPERSAGE, p) for p in POWERS]
    baselines: list[tuple[str, float | None]] = [(name, None) for name in BASELINES]
    return powers if column == "literal" else [*baselines, *powers]
