"""Find recipes by validation inside the training nodes; no split's own test node is looked at.

Every method has the same number of recipes (:mod:`.space`), drawn before the first run. All are
scored on a few folds, together for the data sets of a group, whose single folds are small; the
``FINALISTS`` best go on to more folds, and each data set takes the one that is best there. A fold
is a quarter of the training nodes of a split, held out class by class and weighed by the mix of
classes among all nodes, as far as it can be told without their labels.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .._utils import PathLike, check_schema, write_text
from .ledger import parse, whole_lines
from .nodes import FOLDS
from .recipe import METHODS, Recipe
from .runner import Job
from .space import FEW, GROUPS, MANY, candidates
from .trial import Trial

Fold = tuple[int, int]
# What is read of a result.
SCHEMA = {
    "type": "object",
    "required": ["dataset", "recipe", "split", "fold", "test_acc"],
    "properties": {
        "dataset": {"type": "string"},
        "recipe": {"type": "string"},
        "split": {"type": "integer"},
        "fold": {"type": "integer"},
        "test_acc": {"type": "number"},
    },
}


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
Rows = Iterable[Mapping[str, Any]]


def search(
    run: RunJobs, path: PathLike, methods: Collection[str] = METHODS, groups: Collection[str] = ()
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
    rows = read(path)
    return done + run(
        _by_dataset(cells, SECOND, lambda group, method: finalists(rows, group, method))
    )


def finalists(rows: Rows, group: str, method: str) -> list[Recipe]:
    """The recipes with the best mean over the first round, in the order of the candidates."""
    recipes = candidates(group, method)
    scores = means(rows, GROUPS[group], FIRST[group], recipes)
    # By number where two are level: a stable order.
    best = sorted(range(len(recipes)), key=lambda i: -scores[i])[:FINALISTS]
    return [recipes[i] for i in sorted(best)]


def choose(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Recipe]]:
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
    rows: Rows, datasets: Collection[str], folds: Collection[Fold], recipes: Sequence[Recipe]
) -> list[float]:
    """Mean validation accuracy of each recipe on these folds of these data sets.

    Of several lines for one run the first counts.
    """
    runs: dict[str, dict[tuple[str, Fold], float]] = defaultdict(dict)
    for row in rows:
        place = row["dataset"], (row["split"], row["fold"])
        if row["dataset"] in datasets and place[1] in folds:
            runs[row["recipe"]].setdefault(place, row["test_acc"])
    wanted, scores = len(datasets) * len(folds), []
    for recipe in recipes:
        found = runs[recipe.to_json()]
        if len(found) < wanted:
            raise UnfinishedSearchError(
                f"the search has {len(found)} of {wanted} results of {recipe.to_json()}; let "
                "`hypersage reproduce search` finish"
            )
        # Exact sums, so that the order of the lines decides nothing.
        scores.append(math.fsum(found.values()) / wanted)
    return scores


def jobs_for(dataset: str, recipe: Recipe, folds: Iterable[Fold]) -> list[Job]:
    """The runs that score a recipe on a data set."""
    text = recipe.to_json()
    return [
        (
            Trial("search", dataset, recipe.method, "search", split, fold=fold, recipe=text),
            recipe,
        )
        for split, fold in folds
    ]


def write_recipes(recipes: Mapping[str, Mapping[str, Recipe]], path: PathLike) -> None:
    """Write what was chosen as JSON."""
    plain = {
        dataset: {method: json.loads(recipe.to_json()) for method, recipe in of_dataset.items()}
        for dataset, of_dataset in recipes.items()
    }
    write_text(path, json.dumps(plain, indent=1, sort_keys=True) + "\n")


def read(path: PathLike) -> list[dict[str, Any]]:
    """The results so far; none if there is no file."""
    file = Path(path)
    content = file.read_bytes() if file.exists() else b""
    rows = parse(whole_lines(content), str(path))
    for number, row in enumerate(rows, start=1):
        try:
            check_schema(row, SCHEMA)
        except ValueError as error:
            raise ValueError(
                f"{path}: line {number}: {error}; correct or remove the line"
            ) from None
    return rows


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
