"""Find recipes by validation inside the training nodes; no split's own test node is looked at.

Every method starts from the paper's recipe and tries the same number of changes, one after the
other; what does better by ``MARGIN`` stays. A recipe is scored on given splits, each by one fold of
four of its training nodes, held out class by class and weighed by the mix of classes among all
nodes, as far as it can be told without their labels.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ..convert.files import PathLike, write_text
from .ledger import parse, whole_lines
from .nodes import FOLDS
from .recipe import BASELINES, HYPERSAGE, METHODS, Recipe
from .runner import Job
from .trial import Trial

# Data sets with few labels share a recipe: one alone is too noisy to choose by.
FEW, MANY = "few labels", "many labels"
GROUPS: Mapping[str, tuple[str, ...]] = {
    FEW: ("cora-coauthorship", "cora-cocitation", "citeseer", "pubmed"),
    MANY: ("dblp",),
}
# Splits that score a recipe. Pubmed's folds have 19 nodes: it takes what the others choose. One
# fold of dblp holds out 435 nodes.
SPLITS: Mapping[str, int] = {"cora-coauthorship": 6, "cora-cocitation": 6, "citeseer": 6, "dblp": 1}

Change = Mapping[str, Any]
# Where labels are few, what the model is sure of can be labels too.
SELF_TRAINING: tuple[Change, ...] = ({"rounds": 1, "share": 0.3}, {"rounds": 2, "share": 0.5})
BASELINE_FEW: tuple[Change, ...] = (
    {"features": "rows"},
    {"feat_drop": 0.5},
    {"dropout": 0.8},
    {"features": "raw", "weight_decay": 1e-2},
    {"hidden": 128},
)
BASELINE_MANY: tuple[Change, ...] = (
    {"features": "rows"},
    {"feat_drop": 0.5},
    {"dropout": 0.2},
    {"hidden": 128},
)
CHANGES: Mapping[str, Mapping[str, tuple[Change, ...]]] = {
    FEW: {
        **{name: (*BASELINE_FEW, {"epochs": 300}, *SELF_TRAINING) for name in BASELINES},
        "mlp+hlr": (*BASELINE_FEW, {"strength": 1e-2}, *SELF_TRAINING),
        HYPERSAGE: (
            {"loops": True, "normalize": [True, False], "dropout": [0.0, 0.5]},
            {"weight_decay": 1e-2},
            {"hidden": 128},
            {"inter": "mean"},
            {"p": 0.5, "eps": 1e-3},
            {"p": [2.0, 1.0], "eps": 1e-3},
            *SELF_TRAINING,
        ),
    },
    MANY: {
        **dict.fromkeys(BASELINES, BASELINE_MANY),
        HYPERSAGE: (
            {"features": "rows", "normalize": False},
            {"dropout": [0.0, 0.5]},
            {"dropout": 0.2},
            {"hidden": 128},
        ),
    },
}
# The paper's recipe, then the changes.
STEPS = {group: 1 + len(changes[HYPERSAGE]) for group, changes in CHANGES.items()}

# What a change must gain to stay: less than half a point is noise, and not worth an option.
MARGIN = 0.005

RunJobs = Callable[[Sequence[Job]], int]


def changed(recipe: Recipe, change: Change) -> Recipe:
    """A recipe with some options changed, those of the model or those of the training.

    Examples
    --------
    >>> changed(Recipe("hgnn"), {"dropout": 0.8, "hidden": 128})
    Recipe(method='hgnn', model={'dropout': 0.8}, features='raw', loops=False, hidden=128,
    epochs=150, lr=0.01, weight_decay=0.0005, rounds=0, share=0.3)
    """
    own = {name: value for name, value in change.items() if name in asdict(recipe)}
    model = {name: value for name, value in change.items() if name not in own}
    return replace(recipe, model={**recipe.model, **model}, **own)


def search(
    run: RunJobs, path: PathLike, methods: Collection[str] = METHODS, groups: Collection[str] = ()
) -> int:
    """Try all changes; return how many runs that took.

    Parameters
    ----------
    run
        Does jobs and appends their results to the file.
    path
        The file of results.
    methods, groups
        Only these; by default all.
    """
    done = 0
    cells = [(group, method) for group in groups or GROUPS for method in methods]
    for step in range(max(STEPS.values())):
        rows = read(path)
        tried = [
            (group, walk(rows, group, method, step)[-1])
            for group, method in cells
            if step < STEPS[group]
        ]
        done += run([job for group, recipe in tried for job in jobs_for(group, recipe)])
    return done


def walk(
    rows: Iterable[Mapping[str, Any]], group: str, method: str, step: int | None = None
) -> list[Recipe]:
    """The recipes that stayed, up to a step; the last one is what that step tries.

    Without a step, after all of them, the last one is the choice.
    """
    scores = _Means(rows, group)
    kept = [Recipe(method)]
    changes = CHANGES[group][method]
    for change in changes if step is None else changes[: max(step - 1, 0)]:
        candidate = changed(kept[-1], change)
        if scores[candidate.to_json()] >= scores[kept[-1].to_json()] + MARGIN:
            kept.append(candidate)
    if step:
        kept.append(changed(kept[-1], changes[step - 1]))
    return kept


def jobs_for(group: str, recipe: Recipe) -> list[Job]:
    """The runs that score a recipe."""
    text = recipe.to_json()
    return [
        (
            Trial(
                "search", dataset, recipe.method, "search", split, fold=split % FOLDS, recipe=text
            ),
            recipe,
        )
        for dataset in GROUPS[group]
        for split in range(1, SPLITS.get(dataset, 0) + 1)
    ]


def choose(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Recipe]]:
    """The recipe of each method for each data set, from the results of a whole search."""
    return {
        dataset: {method: walk(rows, group, method)[-1] for method in METHODS}
        for group, datasets in GROUPS.items()
        for dataset in datasets
    }


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
    return parse(whole_lines(content), str(path))


class _Means(dict[str, float]):
    """Mean accuracy on validation nodes of each recipe, over all runs of a group."""

    def __init__(self, rows: Iterable[Mapping[str, Any]], group: str) -> None:
        scores = defaultdict(list)
        for row in rows:
            if row["dataset"] in GROUPS[group]:
                scores[row["recipe"]].append(row["test_acc"])
        super().__init__({recipe: sum(found) / len(found) for recipe, found in scores.items()})

    def __missing__(self, recipe: str) -> float:
        raise ValueError(
            f"the search has no result yet of {recipe}; let `hypersage reproduce search` finish"
        )
