"""How a model is made and trained, as data; those that the search chose are in a file."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from torch import nn

from hypersage_dgl._utils import PathLike, read_json, require_count, write_text

from .protocol import HYPERSAGE, METHODS

CHOSEN = Path(__file__).with_name("recipes.json")


@dataclass(frozen=True)
class Recipe:
    """A method with all that decides its result but data and seed; the defaults are the paper's.

    Parameters
    ----------
    method
        A name of ``protocol.METHODS``.
    model
        Options of the model's class beyond its widths; a pair of p, and values by layer, as lists.
    features
        ``"raw"``, ``"rows"`` for rows scaled to sum one, or ``"idf"`` for columns weighed by how
        few nodes have them and then rows scaled to unit length.
    loops
        Whether a node in no hyperedge gets one of its own, {v}: its h + F2 is then 2h, of the
        length that other nodes have, and not h. Most baselines have self-loops built in.
    hidden, epochs, lr, weight_decay
        As everywhere.
    rounds, share
        Rounds of self-training: each trains again with this share of the nodes, the surest of every
        class that is predicted, as further training nodes. 0 for none.
    knn
        Besides its own, so many most similar nodes make a hyperedge with each node; 0 for none.
    alpha
        Sample so many members of each hyperedge in training, HyperSAGE alone; None for all.

    Examples
    --------
    >>> Recipe("hypersage", {"p": [2, 1]}, epochs=10).build(4, 3).first
    HyperSAGEConv(4, 32, p=(2, 1))
    """

    method: str
    model: Mapping[str, Any] = field(default_factory=dict)
    features: str = "raw"
    loops: bool = False
    hidden: int = 32
    epochs: int = 150
    lr: float = 0.01
    weight_decay: float = 5e-4
    rounds: int = 0
    share: float = 0.3
    alpha: int | None = None
    knn: int = 0

    def __post_init__(self) -> None:
        if self.alpha is not None:
            require_count(self.alpha, "alpha")
            if self.method != HYPERSAGE:
                raise ValueError(
                    f"alpha is {self.alpha} for {self.method}; {HYPERSAGE} alone samples, so leave "
                    "it out"
                )

    def build(self, in_feats: int, out_feats: int) -> nn.Module:
        """Make the model, with parameters drawn from torch's generator."""
        options: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in self.model.items()
        }
        if self.method not in METHODS:
            raise ValueError(f"method is {self.method!r}; it must be one of {', '.join(METHODS)}")
        return METHODS[self.method].model(in_feats, self.hidden, out_feats, **options)

    def to_json(self) -> str:
        """One line that tells recipes apart: the method, and what is not the paper's.

        Examples
        --------
        >>> Recipe("mlp", lr=0.1).to_json()
        '{"lr": 0.1, "method": "mlp"}'
        >>> Recipe.from_json('{"lr": 0.1, "method": "mlp"}') == Recipe("mlp", lr=0.1)
        True
        """
        papers = asdict(Recipe(""))
        own = {name: value for name, value in asdict(self).items() if value != papers[name]}
        return json.dumps(own, sort_keys=True)

    def checksum(self) -> str:
        """Eight digits that other recipes hardly have."""
        return f"{zlib.crc32(self.to_json().encode()):08x}"

    @classmethod
    def from_json(cls, text: str) -> Recipe:
        """Read what :meth:`to_json` wrote."""
        return cls(**json.loads(text))


Recipes = Mapping[str, Mapping[str, Recipe]]
"""Recipes by data set and method."""


def read_recipes(path: PathLike = CHOSEN) -> Recipes:
    """Read recipes; by default those that our search chose.

    Examples
    --------
    >>> read_recipes()["citeseer"]["hypersage"].method
    'hypersage'
    """
    try:
        return {
            dataset: {method: Recipe(**values) for method, values in of_dataset.items()}
            for dataset, of_dataset in read_json(path).items()
        }
    except (AttributeError, TypeError, ValueError) as error:
        raise ValueError(
            f"{path} has no recipes as `python -m experiments search` writes them: {error}"
        ) from None


def write_recipes(recipes: Recipes, path: PathLike) -> None:
    """Write recipes as JSON."""
    plain = {
        dataset: {method: json.loads(recipe.to_json()) for method, recipe in of_dataset.items()}
        for dataset, of_dataset in recipes.items()
    }
    write_text(path, json.dumps(plain, indent=1, sort_keys=True) + "\n")


def recipe_for(recipes: Recipes, dataset: str, method: str) -> Recipe:
    """The recipe of a method on a data set."""
    try:
        return recipes[dataset][method]
    except KeyError:
        raise ValueError(
            f"no recipe was chosen for {method} on {dataset}; let `python -m experiments search` "
            "write some, and name the file with --recipes"
        ) from None
