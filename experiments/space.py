"""What the search chooses from: the same options for all methods, and a few of a method's own.

Recipe 0 is the paper's. The others are drawn once and for all: the values of an option are dealt in
turn, as often as they stand in its list, and shuffled for that option alone. So recipe 7 of one
method has the same shared options as recipe 7 of another.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from .protocol import FEW, HYPERSAGE, MANY
from .recipe import Recipe

# Recipes of each method, the paper's among them.
RECIPES = 19

Options = Mapping[str, tuple[Any, ...]]
SHARED: Mapping[str, Options] = {
    FEW: {
        "features": ("raw", "rows", "idf"),
        "hidden": (32, 128),
        "first_dropout": (0.0, 0.5),
        "dropout": (0.3, 0.5, 0.8),
        "weight_decay": (5e-4, 2e-3, 5e-3, 1e-2),
        "self_training": ((0, 0.3), (1, 0.3), (2, 0.5)),
    },
    MANY: {
        "features": ("raw", "rows", "idf"),
        "hidden": (32, 64),
        "first_dropout": (0.0, 0.5),
        "dropout": (0.3, 0.5, 0.7),
        "weight_decay": (1e-4, 5e-4, 2e-3),
    },
}
OWN: Mapping[str, Options] = {
    "mlp+hlr": {"strength": (1e-3, 1e-2)},
    HYPERSAGE: {
        "normalize": (True, False, [True, False]),
        "loops": (False, True),
        "alpha": (None, None, None, 2),
    },
}


def candidates(group: str, method: str) -> list[Recipe]:
    """The recipes of a method that the search scores, the paper's first.

    Examples
    --------
    >>> candidates("few labels", "hgnn")[0] == Recipe("hgnn")
    True
    >>> ours, theirs = (candidates("few labels", name)[7] for name in ("hypersage", "mlp"))
    >>> ours.weight_decay == theirs.weight_decay
    True
    """
    attempt = 0
    while True:
        shared = _dealt(group, SHARED[group], attempt)
        # Shuffled again where two recipes came out alike.
        if len(set(map(repr, shared))) == len(shared):
            break
        attempt += 1
    own = _dealt(f"{group} {method}", OWN.get(method, {}), 0)
    drawn = [recipe_of_options(method, {**these, **those}) for these, those in zip(shared, own)]
    return [Recipe(method), *drawn]


def recipe_of_options(method: str, options: Mapping[str, Any]) -> Recipe:
    """A recipe from options by name, those of the training and those of the model.

    ``first_dropout`` acts before W of the first layer: for HyperSAGE after its aggregation, for the
    baselines, which project before they aggregate, on the features.

    Examples
    --------
    >>> recipe_of_options("hgnn", {"first_dropout": 0.5, "dropout": 0.8, "hidden": 64})
    Recipe(method='hgnn', model={'dropout': 0.8, 'feat_drop': 0.5}, features='raw', loops=False,
    hidden=64, epochs=150, lr=0.01, weight_decay=0.0005, rounds=0, share=0.3, alpha=None, knn=0)
    """
    left = dict(options)
    first, later = left.pop("first_dropout"), left.pop("dropout")
    rounds, share = left.pop("self_training", (0, 0.3))
    model: dict[str, Any]
    if method == HYPERSAGE:
        model = {"dropout": [first, later]}
    else:
        model = {"dropout": later, "feat_drop": first}
    known = {field.name for field in fields(Recipe)}
    own = {name: left.pop(name) for name in list(left) if name in known}
    return Recipe(method, {**model, **left}, rounds=rounds, share=share, **own)


def _dealt(seed: str, options: Options, attempt: int) -> list[dict[str, Any]]:
    """Options of all recipes but the paper's, the values of each dealt round after round."""
    dealt: list[dict[str, Any]] = [{} for _ in range(RECIPES - 1)]
    for name, values in options.items():
        hand = [values[i % len(values)] for i in range(len(dealt))]
        # By text, whose use as a seed is the same in all versions of Python.
        random.Random(f"{seed} {name} {attempt}").shuffle(hand)
        for recipe, value in zip(dealt, hand):
            recipe[name] = value
    return dealt
