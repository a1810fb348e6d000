"""The recipes that the search chose, one for each method and data set."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources

from .recipe import Recipe


@lru_cache(maxsize=1)
def _recipes() -> dict[str, dict[str, Recipe]]:
    text = (resources.files(__package__) / "recipes.json").read_text(encoding="utf-8")
    return {
        dataset: {method: Recipe(**values) for method, values in of_dataset.items()}
        for dataset, of_dataset in json.loads(text).items()
    }


def chosen_recipe(dataset: str, method: str) -> Recipe:
    """The recipe of a method that did best on validation nodes of a data set."""
    try:
        return _recipes()[dataset][method]
    except KeyError:
        raise ValueError(
            f"no recipe was searched for {method} on {dataset}; run `hypersage reproduce search`"
        ) from None
