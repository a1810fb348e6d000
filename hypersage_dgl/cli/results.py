"""What ``train`` says at the end of a run: its history, its scores, and what it lacks."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import Any

from torch import Tensor

from ..data import CLASSIFICATION, LabelledHypergraph
from ..nn import Baseline, HyperSAGE
from ..training import SCORE_NAMES, About, History, Predictor, evaluate, sampled_logits
from .doubts import collapse_of, features_only_of, underfit_of
from .run_record import scores_of
from .scores import main_score, named_scores, outputs_of, score, score_table
from .sources import say
from .task import scale_of
from .text import percent, printable, table

CHUNK, MANY = 4096, 1_000_000


def print_history(args: argparse.Namespace, history: History, seconds: float) -> None:
    """Say how many epochs were trained, how long it took, and which one was best."""
    known = history.resumed_from
    now, before = len(history.epochs) - known, f" after {known}" if known else ""
    print(
        f"trained {now} epochs{before} in {seconds:.1f} s, last loss "
        f"{history.epochs[-1].loss:.4f} ({history.stopped})"
    )
    if history.best_val is not None:
        best = main_score(history.best_val, args.task)
        print(f"best epoch {history.best_epoch}, validation {SCORE_NAMES[args.task]} {best}")


def say_interrupted(args: argparse.Namespace, history: History) -> None:
    """Say what is left of a run that Ctrl-C ended."""
    done = len(history.epochs)
    kept = f"{args.out} has them, --resume goes on" if args.out and done else "nothing is kept"
    print(f"{args.prog}: interrupted after {done} epochs; {printable(kept)}", file=sys.stderr)


def predict_all(
    args: argparse.Namespace,
    model: HyperSAGE | Baseline,
    task: LabelledHypergraph,
    sampling: Mapping[str, Any],
) -> dict[str, Tensor]:
    """Scores of each node by each evaluation; samples are drawn for test nodes alone."""
    feat, test = task.require_feat(), task.part("test")
    found = {}
    if args.eval in ("full", "both"):
        about = About(task=args.task, scale=scale_of(task, args))
        # Of so many nodes, all at once may not fit.
        prediction = Predictor(model, about).predict(task, feat, chunk_for(model, task))
        found["full"] = outputs_of(prediction, args.task)
    if args.eval in ("minibatch", "both") and len(test):
        assert isinstance(model, HyperSAGE)
        logits = sampled_logits(model, task.graph, feat, test, **sampling).cpu()
        found["minibatch"] = scale_of(task, args).undo(logits)
    return found


def print_scores(
    args: argparse.Namespace, task: LabelledHypergraph, found: Mapping[str, Tensor]
) -> tuple[dict[str, float], dict[str, float]]:
    """Print the scores on test nodes; give the main one of each evaluation, and all by name."""
    test = task.part("test")
    if len(test) == 0:
        print("no test nodes to score")
        return {}, {}
    if args.task != CLASSIFICATION:
        other = {name: score(f, task, test, args.task) for name, f in found.items()}
        print(score_table("evaluation", other))
        for name, each in other.items():
            said = main_score(each.main, args.task)
            print(f"test {SCORE_NAMES[args.task]} ({name}): {said}")
        return {name: each.main for name, each in other.items()}, named_scores(other)
    scores = {
        name: evaluate(f, task.require_labels(), test, task.graph) for name, f in found.items()
    }
    rows = [
        (name, *map(percent, (s.accuracy, s.macro_f1, s.connected_accuracy)))
        for name, s in scores.items()
    ]
    print(table(("evaluation", "accuracy", "macro-F1", "connected"), rows))
    for name, s in scores.items():
        print(f"test accuracy ({name}): {percent(s.accuracy)}")
    return {name: s.accuracy for name, s in scores.items()}, scores_of(scores)


def warn_of_weakness(
    args: argparse.Namespace, task: LabelledHypergraph, found: Mapping[str, Tensor]
) -> None:
    """Say what a good run does not have: few classes, underfit, worse than features alone."""
    labels, test = task.require_labels(), task.part("test")
    warnings = []
    if len(test):
        scores = next(iter(found.values()))
        warnings.append(collapse_of(scores, labels, test, task.class_names))
    if "full" in found:
        warnings.append(underfit_of(found["full"], labels, task.part("train")))
        if not args.model.startswith("mlp"):
            warnings.append(features_only_of(found["full"], task, args.seed))
    for text in warnings:
        if text is not None:
            say(args, text, "warning")


def chunk_for(model: HyperSAGE | Baseline, task: LabelledHypergraph) -> int | None:
    """Nodes to predict at once where all of them would need too much memory; else None."""
    return CHUNK if task.num_nodes >= MANY and isinstance(model, HyperSAGE) else None
