"""Find recipes by validation inside the training nodes; no split's own test node is looked at.

Every method has the same number of recipes (:mod:`.space`), drawn before the first run. All are
scored on a few folds, together for the data sets of a group, whose single folds are small; the
``FINALISTS`` best go on to more folds, and each data set takes the one that is best there. A fold
is a quarter of the training nodes of a split, held out class by class and weighed by the mix of
classes among all nodes, as far as it can be told without their labels.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from hypersage_dgl._utils import PathLike

from .plan import Job
from .protocol import FEW, FOLDS, GROUPS, MANY, METHODS, SEARCH, VALIDATION
from .reading import read_results
from .recipe import Recipe
from .result import Result
from .space import candidates

Fold = tuple[int, int]


def _folds(splits: int) -> tuple[Fold, ...]:
    """One fold of each of the first splits, as (split, fold)."""
    return tuple((split, split % FOLDS) for split in range(1, splits + 1))


# What scores a recipe in the first round, and in the second, which has the first one's folds too. A
# fold of cora has 35 nodes, of citeseer 30 or 36, of pubmed 18 or 21, of dblp 435.
FIRST: Mapping[str, tuple[Fold, ...]] = {FEW: _folds(4), MANY: _folds(2)}
SECOND: Mapping[str, tuple[Fold, ...]] = {FEW: _folds(10), MANY: _folds(6)}
# How many recipes of a method go on.
FINALISTS = 4


class UnfinishedSearchError(ValueError):
    """The results do not tell yet which recipe is best."""


RunJobs = Callable[[Sequence[Job]], int]


def search(
    run: RunJobs,
    path: PathLike,
    methods: Iterable[str] = tuple(METHODS),
    groups: Collection[str] = (),
) -> int:
    """Score all recipes, then the finalists; return how many runs that took.

    Parameters
    ----------
    run
        Does jobs and appends their results to the file.
    path
        The file of results.
    methods, groups
        Only these; by default all.
    """
    cells = [(group, method) for group in groups or GROUPS for method in methods]
    done = run(_by_dataset(cells, FIRST, candidates))
    rows = read_results(path)
    return done + run(
        _by_dataset(cells, SECOND, lambda group, method: finalists(rows, group, method))
    )


def finalists(rows: Iterable[Result], group: str, method: str) -> list[Recipe]:
    """The recipes with the best mean over the first round, in the order of the candidates."""
    recipes = candidates(group, method)
    scores = means(rows, GROUPS[group], FIRST[group], recipes)
    # By number where two are level: a stable order.
    best = sorted(range(len(recipes)), key=lambda i: -scores[i])[:FINALISTS]
    return [recipes[i] for i in sorted(best)]


def choose(rows: Sequence[Result]) -> dict[str, dict[str, Recipe]]:
    """The recipe of each method for each data set, from the results of a whole search."""
    chosen: dict[str, dict[str, Recipe]] = {}
    for group, datasets in GROUPS.items():
        left = {method: finalists(rows, group, method) for method in METHODS}
        for dataset in datasets:
            chosen[dataset] = {}
            for method, recipes in left.items():
                scores = means(rows, (dataset,), SECOND[group], recipes)
                chosen[dataset][method] = recipes[scores.index(max(scores))]
    return chosen


def means(
    rows: Iterable[Result],
    datasets: Collection[str],
    folds: Collection[Fold],
    recipes: Sequence[Recipe],
) -> list[float]:
    """Mean validation accuracy of each recipe on these folds of these data sets.

    Of several lines for one run the first counts.
    """
    runs: dict[str, dict[tuple[str, Fold], float]] = defaultdict(dict)
    for row in rows:
        if row.dataset in datasets and row.fold is not None and row.recipe is not None:
            fold = row.split, row.fold
            if fold in folds:
                runs[row.recipe].setdefault((row.dataset, fold), row.test_acc)
    wanted, scores = len(datasets) * len(folds), []
    for recipe in recipes:
        found = runs[recipe.to_json()]
        if len(found) < wanted:
            raise UnfinishedSearchError(
                f"the search has {len(found)} of {wanted} results of {recipe.to_json()}; let "
                "`python -m experiments search` finish"
            )
        # Exact sums, so that the order of the lines decides nothing.
        scores.append(math.fsum(found.values()) / wanted)
    return scores


def jobs_for(dataset: str, recipe: Recipe, folds: Iterable[Fold]) -> list[Job]:
    """The runs that score a recipe on a data set."""
    text = recipe.to_json()
    run = Result(dataset, recipe.method, SEARCH, split=0, recipe=text, part=VALIDATION)
    return [(replace(run, split=split, fold=fold), recipe) for split, fold in folds]


def _by_dataset(
    cells: Iterable[tuple[str, str]],
    folds: Mapping[str, tuple[Fold, ...]],
    recipes_of: Callable[[str, str], list[Recipe]],
) -> list[Job]:
    """The runs of a round, those on one data set together: a worker keeps one in memory."""
    jobs: dict[str, list[Job]] = defaultdict(list)
    for group, method in cells:
        for recipe in recipes_of(group, method):
            for dataset in GROUPS[group]:
                jobs[dataset] += jobs_for(dataset, recipe, folds[group])
    return [job for of_dataset in jobs.values() for job in of_dataset]
