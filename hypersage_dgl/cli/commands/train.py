"""``hypersage train``: train a model and keep it."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from ...data import CLASSIFICATION, LabelledHypergraph, map_features
from ...nn import Baseline, HyperSAGE
from ...training import (
    PREDICTION,
    SCORE_NAMES,
    FullGraph,
    History,
    Minibatches,
    Predictor,
    Recipe,
    fit,
    load_checkpoint,
    sampler_for,
    score_on,
    seed_everything,
)
from ..doubts import warn_of_weakness
from ..events import Events
from ..hyperedges import train_hyperedges
from ..models import EPOCHS, add_training_options, build_model, recipe_of
from ..options import (
    SubParsers,
    add_command,
    add_device_option,
    add_scale_option,
    add_source_options,
    add_split_options,
    add_task_options,
)
from ..results import (
    CHUNK,
    chunk_for,
    predict_all,
    print_history,
    print_scores,
    say_interrupted,
)
from ..run_files import PAGE, RunRecord, command_of, options_of, refuse_kept, write_run_page
from ..runs import Outcome, run_many
from ..task import about_of, make_task, num_hyperedge_feats, num_outputs, targets_of
from ..text import INTERRUPTED, UsageError, printable

EXAMPLES = (
    "hypersage train --dataset synthetic --epochs 30 --out model",
    "hypersage train --dataset synthetic --epochs 40 --out model --resume",
    "hypersage train --mode minibatch --alpha 5 --batch-size 1024 --epochs 2",
    "hypersage train --dataset synthetic --mode minibatch --epochs 1 --map-features feat.npy",
    "hypersage train --incidences memberships.csv --nodes nodes.csv --label topic --out tables",
    "hypersage train --dataset synthetic --model hgnn --epochs 20 --runs 3 --jobs 2",
    "hypersage train --dataset synthetic --recipe paper --epochs 20",
    "hypersage train --hypergraph recipes.npz --val-fraction 0.2 --patience 20 --out own-model",
    "hypersage train --task hyperedge --dataset synthetic --epochs 5 --out sets",
)
NOTES = """--mode full trains on the whole neighbourhood of the training nodes at once,
--mode minibatch on samples of it. Where the split has validation nodes, the best
epoch on them counts, else the last one. Ctrl-C ends the run; with --out it can be
resumed.

Your own data are two tables, --incidences (node, hyperedge) and --nodes (name,
class, features); all is found by name, and the order of rows does not count.
--task multilabel takes several labels from a cell, as in red;blue, and --task
regression a number; --task hyperedge learns which sets of nodes are hyperedges, of
which it holds 20 % out to validate and 20 % to test. A checkpoint remembers its task.
With --hyperedge-label COLUMN the hyperedges have the classes, labels or numbers: they
become nodes with the mean features of their members, who are then hyperedges."""
# Nodes at once where the whole hypergraph may not fit.
SAMPLING: Mapping[str, Any] = MappingProxyType({"alpha": 10, "beta": -1, "batch_size": 256})


def add_parser(subparsers: SubParsers) -> None:
    """Add the sub-command."""
    parser = add_command(subparsers, "train", run, "train a model", EXAMPLES, NOTES)
    add_source_options(parser, required=False)
    add_split_options(parser)
    add_scale_option(parser)
    add_task_options(parser)
    add_device_option(parser)
    add_training_options(parser)


def run(args: argparse.Namespace) -> int:
    """Train, keep, and print the scores; once, or for several seeds."""
    if args.resume and args.out is None:
        raise UsageError("--resume needs --out, the folder of the run to continue")
    if args.tensorboard and args.out is None:
        raise UsageError("--tensorboard needs --out, the folder that its files go to")
    if args.jobs > 1 and args.runs == 1:
        raise UsageError("--jobs needs --runs: one run is one process")
    if args.hyperedge_label is not None and args.task == PREDICTION:
        raise UsageError(
            "--hyperedge-label: --task hyperedge learns which sets are hyperedges; classes, labels "
            "and numbers of hyperedges are the other tasks"
        )
    once = train_hyperedges if args.task == PREDICTION else run_once
    return once(args).code if args.runs == 1 else run_many(args, once)


class Run(NamedTuple):
    """What a run is made of: the options, and what they describe."""

    args: argparse.Namespace
    recipe: Recipe
    model: HyperSAGE | Baseline
    task: LabelledHypergraph
    sampling: Mapping[str, Any]

    @property
    def epochs(self) -> int:
        """How many to train."""
        return self.recipe.epochs or EPOCHS[self.args.mode]


def run_once(args: argparse.Namespace) -> Outcome:
    """Train, keep, and print the scores."""
    sampling, recipe = _sampling(args), recipe_of(args)
    task = make_task(args)
    if args.map_features is not None:
        task = map_features(task, args.map_features)
    seed_everything(args.seed)
    widths = (task.num_feats, num_outputs(task, args), num_hyperedge_feats(task))
    once = Run(args, recipe, build_model(args, recipe, *widths).to(args.device), task, sampling)
    refuse_kept(args)
    if args.resume:
        _check_same(args, task)
    print(printable(task), flush=True)
    start = time.perf_counter()
    events = Events(args.out, SCORE_NAMES[args.task]) if args.tensorboard else None
    try:
        history = _fit(once, events)
        outcome = _finish(once, history, time.perf_counter() - start)
        if events is not None:
            events.finish(outcome.scores, command_of(args))
        return outcome
    finally:
        if events is not None:
            events.close()


def _finish(once: Run, history: History, seconds: float) -> Outcome:
    """Print what a run did and how it scores, and keep that, too."""
    args, task = once.args, once.task
    if history.stopped == "interrupted":
        say_interrupted(args, history)
        return Outcome(INTERRUPTED, {})
    print_history(args, history, seconds)
    found = predict_all(args, once.model, task, once.sampling)
    main, scores = print_scores(args, task, found)
    if args.out is not None:
        _keep(once, history, scores)
        print(f"kept in {printable(args.out)}")
    if args.task == CLASSIFICATION:
        warn_of_weakness(args, task, found)
    return Outcome(0, main)


def _keep(once: Run, history: History, scores: Mapping[str, float]) -> None:
    """Write run.json and the page beside the checkpoint."""
    args, task = once.args, once.task
    known = {**asdict(once.recipe), "data": task.name, "epochs": once.epochs}
    options = options_of(args, **known, **(once.sampling if args.mode == "minibatch" else {}))
    record = RunRecord(command_of(args), options, scores, history.stopped)
    record.write(args.out)
    if not args.no_report:
        # Who evaluates by samples alone, or has so many, may not have the memory for all at once.
        chunk = CHUNK if args.eval == "minibatch" else chunk_for(once.model, task)
        predictor = Predictor(once.model, about_of(task, args))
        path = Path(args.out) / PAGE
        write_run_page(args, path, predictor, task, history, record, batch_size=chunk)


def _sampling(args: argparse.Namespace) -> dict[str, Any]:
    given = {name: getattr(args, name) for name in SAMPLING if getattr(args, name) is not None}
    if given and args.mode == "full" and args.eval == "full":
        options = ", ".join(f"--{name.replace('_', '-')}" for name in given)
        raise UsageError(f"{options}: nothing is sampled without --mode minibatch, or --eval both")
    return {**SAMPLING, **given}


def _check_same(args: argparse.Namespace, task: LabelledHypergraph) -> None:
    """Refuse to continue a run on other data; fit checks its options."""
    folder = args.out
    before, now = (asdict(a) for a in (load_checkpoint(folder).about, about_of(task, args)))
    if before != now:
        raise ValueError(
            f"{folder} was trained on other data, or another split, than {task.name} now has; "
            "resume with the same, or start again in another folder"
        )


def _fit(once: Run, events: Events | None) -> History:
    args, model, task = once.args, once.model, once.task
    known = (task.graph, task.require_feat(), targets_of(task, args))
    batches: FullGraph | Minibatches
    if args.mode == "minibatch":
        assert isinstance(model, HyperSAGE)
        batches = Minibatches(
            *known,
            task.part("train"),
            sampler_for(model, task.graph, once.sampling["alpha"], once.sampling["beta"]),
            batch_size=once.sampling["batch_size"],
            device=args.device,
            model=model,
        )
    else:
        parts = (part.to(args.device) for part in (*known, task.part("train")))
        batches = FullGraph(*parts, model=model)
    validate = None
    nodes = task.part("val")
    if args.patience is not None and len(nodes) == 0:
        raise ValueError(f"{task.name} has no validation nodes; --val-fraction 0.2 makes some")
    if len(nodes) and (args.keep == "best" or args.patience is not None):
        parts = (part.to(args.device) for part in (*known, nodes))
        validate = score_on(*parts, task=args.task, model=model)
    return fit(
        model,
        batches,
        epochs=once.epochs,
        lr=once.recipe.lr,
        weight_decay=once.recipe.weight_decay,
        task=args.task,
        validate=validate,
        patience=args.patience,
        seed=args.seed,
        folder=args.out,
        about=about_of(task, args),
        # Saving takes longer than an epoch on a small hypergraph.
        save_interval=1.0,
        resume=args.resume,
        on_epoch=events,
    )
