"""Find recipes by cross-validation inside the training nodes; no test node is looked at.

Every method gets the same number of candidates, drawn at random from its options and always the
same for the same number. A candidate is scored on every given split of a data set by one fold of
four of its training nodes, held out class by class.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .nodes import FOLDS
from .recipe import HYPERSAGE, METHODS, Recipe
from .runner import Job
from .trial import Trial

CANDIDATES = 16
# Splits that score a candidate; dblp has more labels on one than the others on all ten.
SPLITS: Mapping[str, int] = {
    "cora-coauthorship": 10,
    "cora-cocitation": 10,
    "citeseer": 10,
    "pubmed": 10,
    "dblp": 2,
}
# How a model is trained, for all methods alike.
TRAINING: Mapping[str, tuple[Any, ...]] = {
    "features": ("raw", "rows"),
    "hidden": (32, 128),
    "weight_decay": (5e-4, 5e-3, 2e-2),
    "rounds": (0, 1, 2),
    "per_class": (50, 100, 200),
}
# What a model is.
ANY_BASELINE: Mapping[str, tuple[Any, ...]] = {"dropout": (0.5, 0.8), "feat_drop": (0.0, 0.5)}
MODEL: Mapping[str, Mapping[str, tuple[Any, ...]]] = {
    **dict.fromkeys(METHODS, ANY_BASELINE),
    "mlp+hlr": {**ANY_BASELINE, "strength": (1e-3, 1e-4, 1e-5)},
    HYPERSAGE: {
        "dropout": (0.5, 0.8, (0.0, 0.5)),
        "normalize": (True, False, (True, False)),
        "p": (1.0, 2.0, 0.01, (2.0, 1.0)),
        "eps": (1e-2, 1e-1),
        "inter": ("size", "mean"),
        "include_self": (True, False),
    },
}


def candidates(method: str, count: int = CANDIDATES) -> list[Recipe]:
    """Draw different recipes of a method; the paper's comes first.

    Examples
    --------
    >>> found = candidates("hgnn", 3)
    >>> found[0] == Recipe("hgnn"), len(set(recipe.to_json() for recipe in found))
    (True, 3)
    """
    generator = random.Random(f"{method} {count}")
    found = {Recipe(method).to_json(): Recipe(method)}
    while len(found) < count:
        options = {name: generator.choice(values) for name, values in TRAINING.items()}
        model = {name: generator.choice(values) for name, values in MODEL[method].items()}
        recipe = Recipe(method, model, **options)
        found.setdefault(recipe.to_json(), recipe)
    return list(found.values())


def search_jobs(datasets: Iterable[str] = SPLITS, methods: Iterable[str] = METHODS) -> list[Job]:
    """All trials of the search; candidate by candidate, so that one cut short is fair."""
    return [
        (Trial("search", dataset, method, "search", split, fold=split % FOLDS, recipe=text), recipe)
        for dataset in datasets
        for number in range(CANDIDATES)
        for method in methods
        for recipe in [candidates(method)[number]]
        for text in [recipe.to_json()]
        for split in range(1, SPLITS[dataset] + 1)
    ]


def choose(rows: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Recipe]]:
    """Recipe with the best mean accuracy on validation nodes, for each data set and method."""
    scores: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        scores[row["dataset"], row["method"]][row["recipe"]].append(row["test_acc"])
    chosen: dict[str, dict[str, Recipe]] = {}
    for (dataset, method), by_recipe in sorted(scores.items()):
        means = {recipe: sum(accs) / len(accs) for recipe, accs in by_recipe.items()}
        best = max(sorted(means), key=lambda recipe: means[recipe])
        chosen.setdefault(dataset, {})[method] = Recipe.from_json(best)
    return chosen
