"""HyperGCN's splits again: idf and self-training for all, weight decay by epochs as a full grid.

The operators differ in scale, so that one weight decay for all would compare decays. Each method
takes the cell of the grid that is best on folds of the training nodes, as in :mod:`.search`, and
runs on the ten splits with two initial weights. A second file has HGNN and HyperSAGE with
hyperedges of the most similar nodes added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from types import MappingProxyType

from hypersage_dgl._utils import PathLike

from .plan import Job
from .protocol import BEST, GROUPS, HYPERSAGE, METHODS, SPLITS, small_first
from .reading import read_results
from .recipe import Recipe
from .result import Result
from .search import FIRST, Fold, jobs_for, means
from .space import recipe_of_options

# By the name of the experiment, how many most similar nodes make a hyperedge with each node.
GRIDS: Mapping[str, int] = MappingProxyType({"grid": 0, "grid-knn": 5})
DECAYS, EPOCHS, INITS = (5e-4, 2e-3, 5e-3, 1e-2), (100, 200), range(2)
WITH_KNN = ("hgnn", HYPERSAGE)
SHARED = {"features": "idf", "first_dropout": 0.5, "dropout": 0.5, "hidden": 128}


def cells(method: str, knn: int) -> list[Recipe]:
    """The recipes of a method, one for each cell of the grid.

    Examples
    --------
    >>> len(cells("hgnn", 0)), {recipe.rounds for recipe in cells("hgnn", 5)}
    (8, {2})
    """
    return [
        recipe_of_options(
            method,
            {
                **SHARED,
                "self_training": (2, 0.5),
                "weight_decay": decay,
                "epochs": epochs,
                "knn": knn,
            },
        )
        for decay, epochs in product(DECAYS, EPOCHS)
    ]


def run_grid(
    run: Callable[[Sequence[Job]], int],
    path: PathLike,
    knn: int,
    datasets: Iterable[str] = (),
    methods: Iterable[str] = (),
) -> int:
    """Score the grid on folds, then run what was chosen; return how many runs that took."""
    done = 0
    methods = tuple(methods) or (WITH_KNN if knn else tuple(METHODS))
    for name in small_first(datasets or [d for group in GROUPS.values() for d in group]):
        recipes = [recipe for method in methods for recipe in cells(method, knn)]
        done += run([job for recipe in recipes for job in jobs_for(name, recipe, _folds(name))])
        chosen = [choose(read_results(path), name, method, knn) for method in methods]
        done += run([job for recipe in chosen for job in final_runs(name, recipe)])
    return done


def choose(results: Iterable[Result], name: str, method: str, knn: int) -> Recipe:
    """The cell of the grid with the best mean over the folds; the first of equal ones."""
    recipes = cells(method, knn)
    scores = means(results, (name,), _folds(name), recipes)
    return recipes[scores.index(max(scores))]


def _folds(name: str) -> tuple[Fold, ...]:
    return FIRST[next(group for group, names in GROUPS.items() if name in names)]


def final_runs(name: str, recipe: Recipe) -> list[Job]:
    """The runs of a chosen recipe on all splits, one initial weight after the other."""
    run = Result(name, recipe.method, BEST, split=0, recipe=recipe.checksum())
    return [(replace(run, split=s, init=i), recipe) for i, s in product(INITS, SPLITS)]
