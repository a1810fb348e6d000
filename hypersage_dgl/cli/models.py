"""Options of models and of training, and the recipe and the model that they describe."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..nn import (
    AGGREGATORS,
    BASELINES,
    NODE_WEIGHTS,
    WEIGHTINGS,
    Baseline,
    HyperSAGE,
    HyperSAGEConfig,
)
from ..training import DEFAULT, RECIPES, Recipe, read_recipe
from .option_values import above_zero, fan_out, from_zero, positive, power, rate
from .text import UsageError

HYPERSAGE = "hypersage"
MODELS = (HYPERSAGE, *BASELINES)
# Of a recipe, what a baseline takes and what trains it; all else is refused with --model.
FOR_BASELINES = {"hidden_feats", "num_layers", "dropout", "lr", "weight_decay", "epochs"}
EPOCHS: Mapping[str, int] = MappingProxyType({"full": 150, "minibatch": 20})
# Options of a model that the command line offers: what it calls them, and how it reads them.
MODEL_OPTIONS: Sequence[tuple[str, str, Callable[[str], object]]] = (
    ("--p", "p", power),
    ("--layers", "num_layers", positive),
    ("--hidden", "hidden_feats", positive),
    ("--dropout", "dropout", rate),
)
MAP_HELP = "read features from this file as they are needed; written, as float16, if not there"
PATIENCE_HELP = """stop after that many epochs without a better accuracy on the validation nodes;
the split has some, or --val-fraction makes them"""
EVAL_HELP = "test by the full neighbourhood, by samples, or both (default: %(default)s)"
ALPHA_HELP = "members of each hyperedge, -1 for all; 10,5 for each layer its own (default: 10)"
KEEP_HELP = "the best epoch on the validation nodes, if there are any, or the last one"
RUNS_HELP = "train N times, with the seeds from --seed on, and print mean and standard deviation"
JOBS_HELP = "runs at a time, each in a process with one thread (default: %(default)s)"
OUT_HELP = "keep checkpoint and log.csv here, renewed each second; at the end run.json, report.html"
RESUME_HELP = "continue the run in --out; give the same options again, --epochs may be more"
EPOCHS_HELP = f"(default: {EPOCHS['full']}, with --mode minibatch {EPOCHS['minibatch']})"


def add_training_options(parser: argparse.ArgumentParser) -> None:
    """Add all that says what is trained, how, and what of it is kept."""
    group = parser.add_argument_group("model and training")
    training = group.add_argument
    training("--mode", choices=tuple(EPOCHS), default="full", help="(default: %(default)s)")
    add_recipe_option(group)
    add_model_options(group)
    add_hypersage_options(group)
    training("--epochs", type=positive, help=EPOCHS_HELP)
    training("--lr", type=above_zero, help=f"learning rate (default: {DEFAULT.lr:g})")
    training("--weight-decay", type=from_zero, help=f"(default: {DEFAULT.weight_decay:g})")
    training("--patience", type=positive, metavar="EPOCHS", help=PATIENCE_HELP)
    training("--keep", choices=("best", "last"), default="best", help=KEEP_HELP)
    training("--runs", type=positive, default=1, metavar="N", help=RUNS_HELP)
    training("--jobs", type=positive, default=1, metavar="N", help=JOBS_HELP)
    training("--eval", choices=("full", "minibatch", "both"), default="full", help=EVAL_HELP)
    sampling = parser.add_argument_group("samples, where minibatches are drawn").add_argument
    sampling("--alpha", type=fan_out, help=ALPHA_HELP)
    sampling("--beta", type=fan_out, help="hyperedges of each node, in the same way (default: -1)")
    sampling("--batch-size", type=positive, metavar="NODES", help="nodes at once (default: 256)")
    sampling("--map-features", metavar="FILE.npy", help=MAP_HELP)
    kept = parser.add_argument_group("what is kept").add_argument
    kept("--out", metavar="FOLDER", help=OUT_HELP)
    kept("--resume", action="store_true", help=RESUME_HELP)
    kept("--no-report", action="store_true", help="do not write report.html, the page on the run")
    kept("--tensorboard", action="store_true", help="write event files for TensorBoard, too")


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


def add_model_options(group: argparse._ArgumentGroup) -> None:
    """Add options of the model, in the words of ``HyperSAGEConfig``; a recipe has the rest."""
    for flag, name, read in MODEL_OPTIONS:
        # What comes after a semicolon is for Python.
        text = HyperSAGEConfig.option(name).metadata["help"].partition(";")[0]
        if flag == "--p":
            text += ", as in 2 or inf,1; negative infinity is --p=-inf"
        default = getattr(DEFAULT, name)
        group.add_argument(
            flag,
            dest=name,
            type=read,
            metavar=flag[2:].upper(),
            help=f"{text} (default: {default:g})",
        )


def add_hypersage_options(group: argparse._ArgumentGroup) -> None:
    """Add the choice of a model, and the options that HyperSAGE alone has."""
    group.add_argument(
        "--model", choices=MODELS, default=HYPERSAGE, help="what to train (default: %(default)s)"
    )
    group.add_argument(
        "--inter",
        choices=WEIGHTINGS,
        help=f"weights of a node's hyperedges (default: {DEFAULT.inter})",
    )
    add_neighbour_options(group)
    group.add_argument(
        "--hyperedge-features",
        action="store_true",
        help="add the columns of numbers of --hyperedges to what members say",
    )
    group.add_argument(
        "--normalize",
        action=argparse.BooleanOptionalAction,
        help="whether to scale rows to unit length (default: "
        f"{'--normalize' if DEFAULT.normalize else '--no-normalize'})",
    )


def add_neighbour_options(group: argparse._ArgumentGroup) -> None:
    """Add the options of a recipe that `hypersage tune` does not search, but takes."""
    for flag, where in (("--intra", "inside"), ("--inter-aggr", "across")):
        group.add_argument(
            flag,
            choices=tuple(AGGREGATORS),
            help=f"what aggregates {where} hyperedges: power is the power mean, the default",
        )
    group.add_argument(
        "--node-weight",
        choices=NODE_WEIGHTS,
        help=HyperSAGEConfig.option("node_weight").metadata["help"] + " (default: equal)",
    )
    group.add_argument(
        "--learn-p",
        action=argparse.BooleanOptionalAction,
        help="learn the power, from --p on (default: --no-learn-p)",
    )
    for flag, value in (("--exclude-self", False), ("--include-self", True)):
        verb = "count a node among" if value else "leave a node out of"
        group.add_argument(
            flag,
            dest="include_self",
            action="store_const",
            const=value,
            help=f"{verb} its own neighbours{' (default)' if value else ''}",
        )


def build_model(
    args: argparse.Namespace, recipe: Recipe, in_feats: int, classes: int, hyperedge_feats: int = 0
) -> HyperSAGE | Baseline:
    """Make the model that options and recipe describe, for so many features and classes.

    ``hyperedge_feats`` are there; ``--hyperedge-features`` says whether they are taken.

    Of a recipe, a baseline takes what it has: width, number of layers and dropout.
    """
    widths = (in_feats, recipe.hidden_feats, classes, recipe.num_layers)
    if args.model != HYPERSAGE:
        _refuse_for_baselines(args)
        return BASELINES[args.model](*widths, recipe.dropout)
    if args.hyperedge_features and not hyperedge_feats:
        raise UsageError(
            "--hyperedge-features: the hyperedges have none; give a table --hyperedges with a "
            "column of numbers"
        )
    return recipe.build(in_feats, classes, hyperedge_feats if args.hyperedge_features else 0)


def _refuse_for_baselines(args: argparse.Namespace) -> None:
    told = given_options(args)
    given = [name for name in told if name not in FOR_BASELINES]
    given += ["hyperedge_features"] * args.hyperedge_features
    if given:
        option = f"--{given[0].replace('_', '-')}"
        if option == "--include-self" and not told["include_self"]:
            option = "--exclude-self"
        raise UsageError(f"{option} is an option of hypersage, and --model is {args.model}")
    if args.mode == "minibatch" or args.eval != "full":
        raise UsageError(
            f"--model {args.model} is trained and tested on the whole hypergraph; leave out --mode "
            "and --eval"
        )


def _named(name: str) -> Recipe:
    if name in RECIPES:
        return RECIPES[name]
    if not Path(name).exists():
        known = ", ".join(RECIPES)
        raise UsageError(f"--recipe is {name!r}, which is neither a file nor one of {known}")
    return read_recipe(name)
