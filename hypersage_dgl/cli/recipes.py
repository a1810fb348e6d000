"""The recipe of a run: one by name or from a file, with the options that were given on top."""

from __future__ import annotations

import argparse
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from ..training import RECIPES, Recipe, read_recipe
from .text import UsageError


def add_recipe_option(group: argparse._ArgumentGroup) -> None:
    """Add the option; those that it stands for have no default of their own."""
    group.add_argument(
        "--recipe",
        default="default",
        metavar="RECIPE",
        help="paper: the values of the paper; or a file that `hypersage tune` wrote; options that "
        "are given win over it",
    )


def recipe_of(args: argparse.Namespace) -> Recipe:
    """The recipe that the options describe: ``--recipe``, and on top what was given besides.

    Examples
    --------
    >>> recipe_of(argparse.Namespace(recipe="paper", hidden_feats=8, dropout=None))
    Recipe(hidden_feats=8, num_layers=2, p=1.0, inter='size', dropout=0.5, normalize=True,
    lr=0.01, weight_decay=0.0005, epochs=None, intra='power', learn_p=False, include_self=True,
    inter_aggr='power', node_weight='equal')
    """
    recipe = _named(args.recipe)
    try:
        return replace(recipe, **given_options(args))
    except ValueError as error:
        raise UsageError(str(error).replace("learn_p learns", "--learn-p learns")) from None


def given_options(args: argparse.Namespace) -> dict[str, Any]:
    """The options of a recipe that were given on the command line."""
    told = {field.name: getattr(args, field.name, None) for field in fields(Recipe)}
    return {name: value for name, value in told.items() if value is not None}


def _named(name: str) -> Recipe:
    if name in RECIPES:
        return RECIPES[name]
    if not Path(name).exists():
        known = ", ".join(RECIPES)
        raise UsageError(f"--recipe is {name!r}, which is neither a file nor one of {known}")
    return read_recipe(name)
