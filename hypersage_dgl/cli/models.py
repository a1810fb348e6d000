"""The models that the command trains, made from its options."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from ..nn import (
    BASELINES,
    LSTM,
    Baseline,
    HyperSAGE,
    HyperSAGEConfig,
    Max,
    Mean,
    Min,
    PowerMean,
    Sum,
)
from .text import UsageError

HYPERSAGE = "hypersage"
MODELS = (HYPERSAGE, *BASELINES)
INTERS = ("size", "mean", "paper", "invariant")
AGGREGATORS: Mapping[str, Callable[[], Any]] = MappingProxyType(
    {"max": Max, "mean": Mean, "min": Min, "sum": Sum, "lstm": lambda: LSTM}
)


def add_hypersage_options(group: argparse._ArgumentGroup) -> None:
    """Add the choice of a model, and the options that HyperSAGE alone has."""
    group.add_argument(
        "--model", choices=MODELS, default=HYPERSAGE, help="what to train (default: %(default)s)"
    )
    inter = HyperSAGEConfig.option("inter")
    group.add_argument(
        "--inter",
        choices=INTERS,
        default=inter.default,
        help="weights of a node's hyperedges (default: %(default)s)",
    )
    group.add_argument(
        "--intra",
        choices=tuple(AGGREGATORS),
        help="aggregate so inside hyperedges, in the place of the power mean",
    )
    for flag, text in (
        ("--learn-p", "learn the power, from --p on"),
        ("--exclude-self", "leave a node out of its own neighbours"),
        ("--no-normalize", "do not scale rows to unit length"),
    ):
        group.add_argument(flag, action="store_true", help=text)


def build_model(args: argparse.Namespace, in_feats: int, classes: int) -> HyperSAGE | Baseline:
    """Make the model that the options describe, for so many features and classes."""
    widths = (in_feats, args.hidden_feats, classes, args.num_layers)
    if args.model != HYPERSAGE:
        _refuse_for_baselines(args)
        return BASELINES[args.model](*widths, args.dropout)
    p = args.p
    if args.learn_p:
        if isinstance(p, tuple):
            raise UsageError("--learn-p learns one power, so --p must be one number, as in 2")
        p = PowerMean(p, learn=True)
    return HyperSAGE(
        *widths,
        p,
        args.dropout,
        inter=args.inter,
        include_self=not args.exclude_self,
        normalize=not args.no_normalize,
        intra_aggr=None if args.intra is None else AGGREGATORS[args.intra](),
    )


def _refuse_for_baselines(args: argparse.Namespace) -> None:
    usual = {name: HyperSAGEConfig.option(name).default for name in ("p", "inter")}
    usual.update({"intra": None, "learn_p": False, "exclude_self": False, "no_normalize": False})
    given = [name for name, value in usual.items() if getattr(args, name) != value]
    if given:
        option = f"--{given[0].replace('_', '-')}"
        raise UsageError(f"{option} is an option of hypersage, and --model is {args.model}")
    if args.mode == "minibatch" or args.eval != "full":
        raise UsageError(
            f"--model {args.model} is trained and tested on the whole hypergraph; leave out --mode "
            "and --eval"
        )
