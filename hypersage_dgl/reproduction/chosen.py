"""The recipes that the search chose, one for each method and data set."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from .._utils import PathLike, read_json
from .recipe import Recipe

Recipes = Mapping[str, Mapping[str, Recipe]]


def read_recipes(path: PathLike | None = None) -> Recipes:
    """Read recipes by data set and method; by default those that come with the package.

    Examples
    --------
    >>> read_recipes()["citeseer"]["hypersage"].method
    'hypersage'
    """
    if path is None:
        with resources.as_file(resources.files(__package__) / "recipes.json") as file:
            return read_recipes(file)
    try:
        return {
            dataset: {method: Recipe(**values) for method, values in of_dataset.items()}
            for dataset, of_dataset in read_json(Path(path)).items()
        }
    except (AttributeError, TypeError, ValueError) as error:
        raise ValueError(
            f"{path} has no recipes as `hypersage reproduce search` writes them: {error}"
        ) from None


def recipe_for(recipes: Recipes, dataset: str, method: str) -> Recipe:
    """The recipe of a method on a data set."""
    try:
        return recipes[dataset][method]
    except KeyError:
        raise ValueError(
            f"no recipe was chosen for {method} on {dataset}; let `hypersage reproduce search` "
            "write some, and name the file with --recipes"
        ) from None
