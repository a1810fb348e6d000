"""``--task hyperedge``: learn which sets of nodes are hyperedges, and score that."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import torch
from torch import nn

from .._utils import to_json
from ..data import (
    HyperedgeSplit,
    LabelledHypergraph,
    NodeSet,
    Split,
    hold_out,
    member_sets,
    split_hyperedges,
)
from ..nn import CandidateScorer, HyperedgePredictor, HyperSAGE
from ..training import (
    PREDICTION,
    About,
    Checkpoint,
    History,
    HyperedgeBatches,
    RankScores,
    Recipe,
    auroc_on,
    draw_negatives,
    evaluate_hyperedges,
    fit,
    recall_nodes,
    remember_nodes,
    sampler_for,
    seed_everything,
)
from .models import build_model, given_options, recipe_of
from .reminders import COLUMNS
from .results import print_history, say_interrupted
from .run_files import PAGE, RunRecord, Sets, command_of, options_of, refuse_kept, write_sets_page
from .runs import Outcome
from .task import open_with_features
from .text import INTERRUPTED, UsageError, percent, printable, table

FRACTIONS = (0.6, 0.2, 0.2)
USUAL = Recipe(64, 1, dropout=0.0, lr=0.005, weight_decay=0.0, epochs=20)
# Names do not have it, so a joined one stands for one set.
BETWEEN = "\x1f"


def train_hyperedges(args: argparse.Namespace) -> Outcome:
    """Hold hyperedges out, train on the others, print the scores, and keep the model."""
    refuse(args, "split", "val_fraction", "label", "separator", "tensorboard")
    if args.eval != "full":
        raise UsageError("--eval: hyperedges are tested by the full neighbourhood; leave it out")
    if args.mode == "full" and (args.alpha, args.beta) != (None, None):
        raise UsageError("--alpha, --beta: nothing is sampled without --mode minibatch")
    recipe = recipe_of(args)
    if args.recipe == "default":
        recipe = replace(USUAL, **given_options(args))
    data = open_with_features(args)
    refuse_kept(args)
    graph = data.graph.to(args.device)
    split, feat = split_hyperedges(graph, FRACTIONS, args.seed), data.require_feat().to(args.device)
    seed_everything(args.seed)
    width = recipe.hidden_feats
    encoder = build_model(args, recipe, data.num_feats, width)
    head = CandidateScorer(width, width, dropout=recipe.dropout)
    model = HyperedgePredictor(encoder, head).to(args.device)
    parts = {part: len(getattr(split, part)) for part in Split._fields}
    told = ", ".join(f"{part} {count:,}" for part, count in parts.items())
    print(printable(f"{data.name}: {data.num_nodes:,} nodes; hyperedges {told}"), flush=True)
    validate = None
    if split.val and (args.keep == "best" or args.patience is not None):
        validate = auroc_on(split, feat, draw_negatives(graph, split, "val", seed=args.seed))
    start = time.perf_counter()
    history = fit(
        model,
        _batches(args, split, feat, encoder),
        epochs=recipe.epochs or 1,
        lr=recipe.lr,
        weight_decay=recipe.weight_decay,
        task=PREDICTION,
        validate=validate,
        patience=args.patience,
        seed=args.seed,
        folder=args.out,
        about=_about(args, data, split),
        resume=args.resume,
    )
    if history.stopped == "interrupted":
        say_interrupted(args, history)
        return Outcome(INTERRUPTED, {})
    print_history(args, history, time.perf_counter() - start)
    sets = Sets(data, model, feat, split, _negatives(graph, split, args.seed, "test"))
    scores = evaluate_hyperedges(model, split, feat, sets.negatives)
    print_scores(scores, "test")
    if args.out is not None:
        _keep(args, recipe, sets, scores, history)
        print(f"kept in {printable(args.out)}")
    return Outcome(0, {"mean": scores["mean"].auroc})


def _keep(
    args: argparse.Namespace,
    recipe: Recipe,
    sets: Sets,
    scores: Mapping[str, RankScores],
    history: History,
) -> None:
    """Write run.json and the page beside the checkpoint."""
    options = options_of(args, **asdict(recipe), data=sets.data.name)
    names = ("AUROC", "AP")
    named = {f"{n} ({kind})": v for kind, s in scores.items() for n, v in zip(names, s)}
    record = RunRecord(command_of(args), options, named, history.stopped)
    record.write(args.out)
    if not args.no_report:
        write_sets_page(Path(args.out) / PAGE, sets, history, record)


def evaluate_sets(args: argparse.Namespace, checkpoint: Checkpoint[Any]) -> int:
    """Score a model on the hyperedges that its training held out, and print that."""
    refuse(args, "split", "val_fraction", "label", "batch_size")
    if args.part not in ("val", "test"):
        raise UsageError(f"--part {args.part}: hyperedges are scored that were held out, val, test")
    about = checkpoint.about
    if args.seed not in (None, about.training.get("seed")):
        raise UsageError("--seed: the checkpoint remembers which hyperedges it held out")
    data, model, feat, split, negatives = _recall(args, checkpoint, args.part)
    scores = evaluate_hyperedges(model, split, feat, negatives, args.part)
    if args.json:
        head = {"checkpoint": args.checkpoint, "data": data.name, "hyperedges": args.part}
        shown = {kind: s._asdict() for kind, s in scores.items()}
        count = len(getattr(split, args.part))
        print(to_json({**head, "task": PREDICTION, "count": count, **shown}))
    else:
        print(printable(data.name))
        print_scores(scores, args.part)
    return 0


def report_sets(args: argparse.Namespace, checkpoint: Checkpoint[Any], record: RunRecord) -> None:
    """Write the page on a run once more."""
    refuse(args, "split", "val_fraction", "label", "batch_size")
    path = Path(args.out or Path(args.checkpoint) / PAGE)
    history = History.from_progress(checkpoint.progress, record.stopped)
    write_sets_page(path, _recall(args, checkpoint, "test"), history, record)


def print_scores(scores: Mapping[str, RankScores], part: str) -> None:
    """A table with a row for each kind of negatives, and the mean AUROC."""
    rows = [(kind, *map(percent, found)) for kind, found in scores.items()]
    print(table(("negatives", "AUROC", "AP"), rows))
    print(f"{part} AUROC (mean): {percent(scores['mean'].auroc)}")


def refuse(args: argparse.Namespace, *names: str) -> None:
    """Refuse options that say nothing of hyperedges, so that nobody believes they do."""
    for name in names:
        if getattr(args, name):
            option = f"--{name.replace('_', '-')}"
            raise UsageError(f"{option} is for the labels of nodes; leave it out for hyperedges")


def _batches(
    args: argparse.Namespace, split: HyperedgeSplit, feat: torch.Tensor, encoder: nn.Module
) -> HyperedgeBatches:
    sampler = None
    if args.mode == "minibatch":
        assert isinstance(encoder, HyperSAGE)
        alpha, beta = (-1 if n is None else n for n in (args.alpha, args.beta))
        sampler = sampler_for(encoder, split.graph, alpha, beta)
    return HyperedgeBatches(split, feat, batch_size=args.batch_size, sampler=sampler)


def _negatives(graph: Any, split: HyperedgeSplit, seed: int, part: str) -> dict[str, list[NodeSet]]:
    # Other draws for the test than for validation.
    return draw_negatives(graph, split, part, seed=seed + (part == "test"))


def _about(args: argparse.Namespace, data: LabelledHypergraph, split: HyperedgeSplit) -> About:
    """What a checkpoint says of its data: the held-out hyperedges by the names of their members."""
    names, sets = _names_of_sets(data)
    places = {members: i for i, members in enumerate(sets)}
    parts = [
        torch.tensor([places[s] for s in part]) for part in (split.train, split.val, split.test)
    ]
    columns = {name: getattr(args, name) for name in COLUMNS if getattr(args, name) is not None}
    noted = remember_nodes(names, torch.ones(len(names)), Split(*(p.long() for p in parts)))
    about, training = About.of(data), {"seed": args.seed, "hyperedges": noted, **columns}
    counts = {**about.statistics, **dict(zip(Split._fields, map(len, parts)))}
    return replace(about, classes=(), statistics=counts, task=PREDICTION, training=training)


def _recall(args: argparse.Namespace, checkpoint: Checkpoint[Any], part: str) -> Sets:
    """A model with its data as they were in training, and negatives to score it on."""
    data, model = open_with_features(args, checkpoint.about), checkpoint.model.to(args.device)
    split = _recalled_split(args, checkpoint.about, data)
    negatives = _negatives(data.graph.to(args.device), split, args.seed, part)
    return Sets(data, model, data.require_feat().to(args.device), split, negatives)


def _recalled_split(
    args: argparse.Namespace, about: About, data: LabelledHypergraph
) -> HyperedgeSplit:
    names, sets = _names_of_sets(data)
    found = recall_nodes(about.training.get("hyperedges", {}), names, torch.ones(len(names)))
    if found is None:
        raise ValueError(
            f"{data.name} has other hyperedges than {args.checkpoint} was trained on and notes, so "
            "it is not known which of them were held out; give the hypergraph of the training"
        )
    val, test = ([sets[i] for i in part.tolist()] for part in found[1:])
    return hold_out(data.graph.to(args.device), val, test)


def _names_of_sets(data: LabelledHypergraph) -> tuple[list[str], list[NodeSet]]:
    sets = sorted({members for members in member_sets(data.graph) if len(members) > 1})
    called = [str(name) for name in data.node_names]
    return [BETWEEN.join(sorted(called[i] for i in members)) for members in sets], sets
