"""The models that the command trains, made from its options."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from ..nn import (
    BASELINES,
    LSTM,
    NODE_WEIGHTS,
    Attention,
    Baseline,
    HyperSAGE,
    HyperSAGEConfig,
    Max,
    Mean,
    Min,
    PowerMean,
    Sum,
)
from ..training import DEFAULT, INTERS, Recipe
from .recipes import given_options
from .text import UsageError

HYPERSAGE = "hypersage"
MODELS = (HYPERSAGE, *BASELINES)
AGGREGATORS: Mapping[str, Callable[[], Any]] = MappingProxyType(
    {
        "max": Max,
        "mean": Mean,
        "min": Min,
        "sum": Sum,
        "lstm": lambda: LSTM,
        "attention": lambda: Attention,
    }
)


def add_hypersage_options(group: argparse._ArgumentGroup) -> None:
    """Add the choice of a model, and the options that HyperSAGE alone has."""
    group.add_argument(
        "--model", choices=MODELS, default=HYPERSAGE, help="what to train (default: %(default)s)"
    )
    group.add_argument(
        "--inter",
        choices=INTERS,
        help=f"weights of a node's hyperedges (default: {DEFAULT.inter})",
    )
    for flag, where in (("--intra", "inside"), ("--inter-aggr", "across")):
        group.add_argument(
            flag,
            choices=tuple(AGGREGATORS),
            help=f"aggregate so {where} hyperedges, in the place of the power mean",
        )
    group.add_argument(
        "--node-weight",
        choices=NODE_WEIGHTS,
        default="equal",
        help=HyperSAGEConfig.option("node_weight").metadata["help"] + " (default: equal)",
    )
    for flag, text in (
        ("--learn-p", "learn the power, from --p on"),
        ("--exclude-self", "leave a node out of its own neighbours"),
        ("--hyperedge-features", "add the columns of numbers of --hyperedges to what members say"),
    ):
        group.add_argument(flag, action="store_true", help=text)
    group.add_argument(
        "--normalize",
        action=argparse.BooleanOptionalAction,
        help="whether to scale rows to unit length (default: "
        f"{'--normalize' if DEFAULT.normalize else '--no-normalize'})",
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
    p: Any = recipe.p
    if args.learn_p:
        if isinstance(p, tuple):
            raise UsageError("--learn-p learns one power, so --p must be one number, as in 2")
        p = PowerMean(p, learn=True)
    return HyperSAGE(
        *widths,
        p,
        recipe.dropout,
        inter=recipe.inter,
        include_self=not args.exclude_self,
        normalize=recipe.normalize,
        node_weight=args.node_weight,
        hyperedge_feats=hyperedge_feats if args.hyperedge_features else 0,
        intra_aggr=None if args.intra is None else AGGREGATORS[args.intra](),
        inter_aggr=None if args.inter_aggr is None else AGGREGATORS[args.inter_aggr](),
    )


def _refuse_for_baselines(args: argparse.Namespace) -> None:
    own = ("p", "inter", "normalize")
    given: list[str] = [name for name in own if name in given_options(args)]
    flags = ("intra", "inter_aggr", "learn_p", "exclude_self", "hyperedge_features")
    given += [name for name in flags if getattr(args, name)]
    given += ["node_weight"] * (args.node_weight != "equal")
    if given:
        option = f"--{given[0].replace('_', '-')}"
        raise UsageError(f"{option} is an option of hypersage, and --model is {args.model}")
    if args.mode == "minibatch" or args.eval != "full":
        raise UsageError(
            f"--model {args.model} is trained and tested on the whole hypergraph; leave out --mode "
            "and --eval"
        )
