"""The scores of a run, and what ``train`` says at its end."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from torch import Tensor

from ..data import CLASSIFICATION, MULTILABEL, REGRESSION, LabelledHypergraph
from ..nn import Baseline, HyperSAGE
from ..training import (
    SCORE_NAMES,
    About,
    History,
    Prediction,
    Predictor,
    evaluate,
    evaluate_labels,
    evaluate_numbers,
    sampled_logits,
)
from .doubts import collapse_of, features_only_of, underfit_of
from .run_files import scores_of
from .sources import say
from .task import scale_of
from .text import percent, printable, table

# Heading of each score; what is no share of something is no percentage.
SHARES = {"micro_f1": "micro-F1", "macro_f1": "macro-F1", "mean_average_precision": "mAP"}
NUMBERS = {"mae": "MAE", "rmse": "RMSE", "r2": "R²"}
CHUNK, MANY = 4096, 1_000_000


class Shown(NamedTuple):
    """Scores by name, the F1 of each label if there are labels, and how many nodes they are of."""

    scores: dict[str, float]
    per_label: Sequence[float]
    nodes: int

    @property
    def main(self) -> float:
        """The one that validation goes by."""
        return self.scores["r2"] if "r2" in self.scores else self.scores["micro_f1"]


def outputs_of(prediction: Prediction, task: str) -> Tensor:
    """What is scored of a prediction: probabilities, logits of labels, or numbers."""
    if task == REGRESSION:
        return prediction.label.cpu()
    if task == MULTILABEL:
        # In float32 a probability can be 1, whose logit is infinite.
        return prediction.probabilities.cpu().double().logit(eps=1e-12)
    return prediction.probabilities.cpu()


def score(outputs: Tensor, data: LabelledHypergraph, nodes: Tensor, task: str) -> Shown:
    """Score labels or numbers on some nodes."""
    if task == REGRESSION:
        found: dict[str, Any] = asdict(evaluate_numbers(outputs, data.require_numbers(), nodes))
    else:
        found = asdict(evaluate_labels(outputs, data.require_labels(), nodes))
    count, per_label = found.pop("nodes"), found.pop("per_label", ())
    return Shown(found, per_label, count)


def shown(value: float, name: str) -> str:
    """A score as text: shares in percent, others with four digits."""
    if name in NUMBERS:
        return f"{value:.4g}"
    return percent(value)


def score_table(first: str, rows: Mapping[str, Shown]) -> str:
    """A table of scores with a row for each set of nodes or kind of evaluation."""
    names = list(next(iter(rows.values())).scores)
    heading = (first, *((SHARES | NUMBERS)[name] for name in names), "nodes")
    return table(
        heading,
        [
            (row, *(shown(found.scores[n], n) for n in names), f"{found.nodes:,}")
            for row, found in rows.items()
        ],
    )


def named_scores(found: Mapping[str, Shown]) -> dict[str, float]:
    """All scores of all evaluations by name; without those that there was nothing to score for."""
    return {
        f"{(SHARES | NUMBERS)[key]} ({name})": value
        for name, each in found.items()
        for key, value in each.scores.items()
        if not math.isnan(value)
    }


def document(found: Shown, names: Sequence[str]) -> dict[str, Any]:
    """Scores as JSON holds them; it has no NaN, which stands for what cannot be scored."""
    scores = {key: _or_none(value) for key, value in found.scores.items()}
    labels = {name: _or_none(f1) for name, f1 in zip(names, found.per_label)}
    return {"nodes": found.nodes, **scores, **({"f1": labels} if labels else {})}


def main_score(value: float, task: str) -> str:
    """The score that validation goes by, as text.

    Examples
    --------
    >>> main_score(0.5, "multilabel"), main_score(0.5, "regression")
    ('50.00', '0.5')
    """
    return shown(value, "r2" if task == REGRESSION else "micro_f1")


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value


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
