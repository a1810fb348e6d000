"""The scores of a run, and what ``train`` says at its end."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

from torch import Tensor

if TYPE_CHECKING:
    import dgl

from ..data import MULTILABEL, REGRESSION, LabelledHypergraph
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
from .task import scale_of
from .text import percent, printable, table

# Heading of each score in a table, and its name where it is kept.
HEADINGS = {
    **{"accuracy": "accuracy", "micro_f1": "micro-F1", "macro_f1": "macro-F1"},
    **{"connected_accuracy": "connected", "mean_average_precision": "mAP"},
    **{"mae": "MAE", "rmse": "RMSE", "r2": "R²"},
}
NAMES = {**HEADINGS, "connected_accuracy": "accuracy of connected nodes"}
# No shares of something, so no percentages.
NUMBERS = ("mae", "rmse", "r2")
MAIN = ("accuracy", "micro_f1", "r2")
CHUNK, MANY = 4096, 1_000_000


class Shown(NamedTuple):
    """Scores by name, the recall of each class or F1 of each label, and of how many nodes."""

    scores: dict[str, float]
    per_class: Sequence[float]
    nodes: int

    @property
    def main(self) -> float:
        """The one that validation goes by."""
        return next(self.scores[name] for name in MAIN if name in self.scores)


def outputs_of(prediction: Prediction, task: str) -> Tensor:
    """What is scored of a prediction: probabilities, logits of labels, or numbers."""
    if task == REGRESSION:
        return prediction.label.cpu()
    if task == MULTILABEL:
        # In float32 a probability can be 1, whose logit is infinite.
        return prediction.probabilities.cpu().double().logit(eps=1e-12)
    return prediction.probabilities.cpu()


def score(
    outputs: Tensor,
    data: LabelledHypergraph,
    nodes: Tensor,
    task: str,
    graph: dgl.DGLGraph | None = None,
) -> Shown:
    """Score classes, labels or numbers on some nodes; with a graph, connected ones apart, too."""
    if task == REGRESSION:
        found: dict[str, Any] = asdict(evaluate_numbers(outputs, data.require_numbers(), nodes))
    elif task == MULTILABEL:
        found = asdict(evaluate_labels(outputs, data.require_labels(), nodes))
    else:
        found = asdict(evaluate(outputs, data.require_labels(), nodes, graph))
        if graph is None:
            del found["connected_accuracy"]
    per_class = found.get("per_class") or found.get("per_label", ())
    return Shown(
        {name: found[name] for name in HEADINGS if name in found}, per_class, found["nodes"]
    )


def shown(value: float, name: str) -> str:
    """A score as text: shares in percent, others with four digits."""
    if name in NUMBERS:
        return f"{value:.4g}"
    return percent(value)


def score_table(first: str, rows: Mapping[str, Shown]) -> str:
    """A table of scores with a row for each set of nodes or kind of evaluation."""
    names = list(next(iter(rows.values())).scores)
    lines = [
        (row, *(shown(found.scores[n], n) for n in names), f"{found.nodes:,}")
        for row, found in rows.items()
    ]
    heading = (first, *(HEADINGS[name] for name in names), "nodes")
    # Beside connected nodes, it would not be clear whose number that is.
    last = -1 if "connected_accuracy" in names else None
    return table(heading[:last], [line[:last] for line in lines])


def named_scores(found: Mapping[str, Shown]) -> dict[str, float]:
    """All scores of all evaluations by name; without those that there was nothing to score for."""
    return {
        f"{NAMES[key]} ({name})": value
        for name, each in found.items()
        for key, value in each.scores.items()
        if not math.isnan(value)
    }


def document(found: Shown, names: Sequence[str]) -> dict[str, Any]:
    """Scores as JSON holds them; it has no NaN, which stands for what cannot be scored."""
    scores = {key: _or_none(value) for key, value in found.scores.items()}
    parts = {name: _or_none(value) for name, value in zip(names, found.per_class)}
    what = "recall" if "accuracy" in scores else "f1"
    return {"nodes": found.nodes, **scores, **({what: parts} if parts else {})}


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
    rows = {name: score(f, task, test, args.task, task.graph) for name, f in found.items()}
    print(score_table("evaluation", rows))
    for name, each in rows.items():
        print(f"test {SCORE_NAMES[args.task]} ({name}): {main_score(each.main, args.task)}")
    return {name: each.main for name, each in rows.items()}, named_scores(rows)


def chunk_for(model: HyperSAGE | Baseline, task: LabelledHypergraph) -> int | None:
    """Nodes to predict at once where all of them would need too much memory; else None."""
    return CHUNK if task.num_nodes >= MANY and isinstance(model, HyperSAGE) else None
