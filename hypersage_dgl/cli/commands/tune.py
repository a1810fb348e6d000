"""``hypersage tune``: search for a recipe on validation nodes."""

from __future__ import annotations

import argparse
from dataclasses import fields, replace
from pathlib import Path

from ...data import CLASSIFICATION, LabelledHypergraph
from ...training import DEFAULT, Recipe, require_optuna, tune
from ..models import add_neighbour_options, given_options
from ..option_values import above_zero, positive
from ..options import (
    SubParsers,
    add_command,
    add_device_option,
    add_scale_option,
    add_source_options,
    add_split_options,
)
from ..sources import say
from ..task import make_task
from ..text import INTERRUPTED, percent, printable, table

EXAMPLES = (
    "hypersage tune --dataset synthetic --trials 3 --epochs 5 --out tuned",
    "hypersage tune --dataset synthetic --trials 4 --epochs 5 --out tuned",
)
NOTES = """Tries width, depth, p, inter, dropout, weight decay and normalisation, by optuna,
and keeps what is best on the validation nodes; --intra, --learn-p and --exclude-self
hold for all trials. Test nodes are never looked at: their classes are taken away
first. The folder of --out has the best recipe so far, recipe.json, for `hypersage
train --recipe`, and study.db, optuna's own storage: the same command goes on where
it stopped, with more --trials or --minutes."""
VAL_FRACTION = 0.25


def add_parser(subparsers: SubParsers) -> None:
    """Add the sub-command."""
    parser = add_command(subparsers, "tune", run, "search for a recipe", EXAMPLES, NOTES)
    add_source_options(parser, required=False)
    add_split_options(parser)
    add_scale_option(parser)
    add_device_option(parser)
    parser.set_defaults(task=CLASSIFICATION, separator=None)
    group = parser.add_argument_group("search")
    add_neighbour_options(group)
    search = group.add_argument
    search("--trials", type=positive, metavar="N", help=TRIALS_HELP)
    search("--minutes", type=above_zero, help="stop after so long; one trial always ends")
    search(
        "--epochs", type=positive, default=150, help="epochs of each trial (default: %(default)s)"
    )
    search("--out", metavar="FOLDER", required=True, help="keep recipe.json and study.db here")


def run(args: argparse.Namespace) -> int:
    """Search, and print the best recipe."""
    # Before the data, which may take long.
    require_optuna()
    base = replace(DEFAULT, **{n: v for n, v in given_options(args).items() if n != "epochs"})
    task = _task(args)
    print(printable(_without_test(task)), flush=True)
    found = tune(
        task,
        trials=args.trials,
        minutes=args.minutes,
        epochs=args.epochs,
        base=base,
        seed=args.seed,
        folder=args.out,
        device=args.device,
    )
    rows = [(field.name, str(getattr(found.recipe, field.name))) for field in fields(Recipe)]
    print(table(("option", "best"), rows))
    print(f"{found.trials} trials, {found.pruned} of them given up early ({found.stopped})")
    print(f"best validation accuracy {percent(found.val)}")
    print(f"kept in {printable(Path(args.out) / 'recipe.json')}")
    return INTERRUPTED if found.stopped == "interrupted" else 0


def _task(args: argparse.Namespace) -> LabelledHypergraph:
    """The data of ``train``; where nothing validates, a share of the training nodes does."""
    is_told = args.val_fraction is not None
    task = make_task(args)
    if len(task.part("val")):
        return task
    if is_told:
        raise ValueError(f"{task.name} has no validation nodes; --val-fraction 0.25 makes some")
    share = VAL_FRACTION
    say(args, f"{task.name} has no validation nodes: {share:.0%} of the training nodes validate")
    return task.with_split(1, val_fraction=share, seed=args.seed)


def _without_test(task: LabelledHypergraph) -> str:
    sizes = ", ".join(f"{part} {len(task.part(part)):,}" for part in ("train", "val"))
    return f"{task.name}: {task.num_nodes:,} nodes, {task.num_classes} classes; {sizes}"


TRIALS_HELP = """number of trials, earlier ones included (default: 30, with --minutes as many as
there is time for)"""
