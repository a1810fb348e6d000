"""``hypersage evaluate``: score a trained model."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any, NamedTuple

from torch import Tensor

from ..._utils import to_json
from ...data import CLASSIFICATION, MULTILABEL, LabelledHypergraph
from ...hypergraphs import CONTAINS
from ...training import (
    EMBEDDING,
    PREDICTION,
    SCORE_NAMES,
    Predictor,
    Scores,
    evaluate,
    load_checkpoint,
)
from ..hyperedges import evaluate_sets
from ..options import add_command, add_inference_options, add_source_options, add_split_options
from ..reminders import warn_of_seen
from ..results import document, main_score, outputs_of, score_table
from ..results import score as score_other
from ..task import make_task
from ..text import percent, printable, table

if TYPE_CHECKING:
    from ..options import SubParsers

EXAMPLES = (
    "hypersage evaluate model --dataset synthetic",
    "hypersage evaluate model --dataset synthetic --part all --json",
    "hypersage evaluate own-model --hypergraph recipes.npz",
)
NOTES = """Accuracy, macro-F1 and the recall of each class, in percent, by the full
neighbourhood of each node: on all nodes, and on connected ones alone, which
are in some hyperedge. The checkpoint remembers split, seed and label of its
training; other ones are said, and nodes that were trained on are no test.
A checkpoint of --task multilabel is scored by F1 and mean average precision,
one of --task regression by its errors and R²; one of --task hyperedge by AUROC
and average precision (AP) on the hyperedges that it held out."""


def add_parser(subparsers: SubParsers) -> None:
    """Add the sub-command."""
    parser = add_command(subparsers, "evaluate", run, "score a trained model", EXAMPLES, NOTES)
    add_inference_options(parser)
    add_source_options(parser)
    add_split_options(parser)
    parser.add_argument(
        "--part",
        choices=("train", "val", "test", "all"),
        default="test",
        help="which nodes to score; all: those with a class (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, with shares from 0 to 1")


class Report(NamedTuple):
    """Scores on all nodes, and on those that are in a hyperedge, if there are any."""

    all: Scores
    connected: Scores | None


def run(args: argparse.Namespace) -> int:
    """Score, and print the result."""
    checkpoint = load_checkpoint(args.checkpoint)
    if checkpoint.about.task == PREDICTION:
        return evaluate_sets(args, checkpoint)
    if checkpoint.about.task == EMBEDDING:
        raise ValueError(f"{args.checkpoint} embeds nodes, and these have no score")
    predictor = Predictor(checkpoint.model.to(args.device), checkpoint.about)
    task = make_task(args, predictor.about, needs_split=args.part != "all")
    nodes = task.part(args.part)
    seen = warn_of_seen(args, nodes, predictor.about, task) if args.part == "test" else 0
    found = predictor.predict(task, task.require_feat(), args.batch_size)
    if args.task != CLASSIFICATION:
        _show_other(args, task, nodes, outputs_of(found, args.task), seen)
        return 0
    report = score(found.probabilities.cpu(), task, nodes)
    if args.json:
        document = _document(args, task, report)
        print(to_json({**document, "seen": seen} if seen else document))
    else:
        _print(args.part, task, report, seen)
    return 0


def _show_other(
    args: argparse.Namespace, task: LabelledHypergraph, nodes: Tensor, outputs: Tensor, seen: int
) -> None:
    """Score labels or numbers, on all nodes and on the connected ones, and print it."""
    connected = nodes[task.graph.in_degrees(etype=CONTAINS)[nodes] > 0]
    rows = {"all": score_other(outputs, task, nodes, args.task)}
    if len(connected):
        rows["connected"] = score_other(outputs, task, connected, args.task)
    if args.json:
        made: dict[str, Any] = {name: document(s, task.class_names) for name, s in rows.items()}
        head = {"checkpoint": args.checkpoint, "data": task.name, "nodes": args.part}
        made.setdefault("connected", None)
        print(to_json({**head, "task": args.task, **made, **({"seen": seen} if seen else {})}))
        return
    print(printable(task.name))
    print(score_table(f"{args.part} nodes" if not seen else "nodes", rows))
    if args.task == MULTILABEL:
        by_label = zip(*(s.per_label for s in rows.values()))
        lines = [(name, *map(percent, f1)) for name, f1 in zip(task.class_names, by_label)]
        print(table(("label, F1", *rows), lines))
    what, best = SCORE_NAMES[args.task], main_score(rows["all"].main, args.task)
    seen_in = f", {seen} nodes seen in training" if seen else ""
    print(f"{'' if seen else args.part + ' '}{what}{seen_in} (full): {best}")


def score(found: Tensor, task: LabelledHypergraph, nodes: Tensor) -> Report:
    """Score some nodes, and the connected ones among them."""
    connected = nodes[task.graph.in_degrees(etype=CONTAINS)[nodes] > 0]
    return Report(
        evaluate(found, task.require_labels(), nodes),
        evaluate(found, task.require_labels(), connected) if len(connected) else None,
    )


def _print(part: str, task: LabelledHypergraph, report: Report, seen: int) -> None:
    rows = {"all": report.all}
    if report.connected is not None:
        rows["connected"] = report.connected
    print(printable(task.name))
    print(
        table(
            (f"{part} nodes" if not seen else "nodes", "accuracy", "macro-F1", "nodes"),
            [
                (name, percent(s.accuracy), percent(s.macro_f1), f"{s.nodes:,}")
                for name, s in rows.items()
            ],
        )
    )
    recalls = zip(*(s.per_class for s in rows.values()))
    lines = [(name, *map(percent, recall)) for name, recall in zip(task.class_names, recalls)]
    print(table(("class", *rows), lines))
    what = f"{part} accuracy" if not seen else f"accuracy, {seen} nodes seen in training"
    print(f"{what} (full): {percent(report.all.accuracy)}")


def _document(args: argparse.Namespace, task: LabelledHypergraph, report: Report) -> dict[str, Any]:
    return {
        "checkpoint": args.checkpoint,
        "data": task.name,
        "nodes": args.part,
        "all": _scores(report.all, task),
        "connected": None if report.connected is None else _scores(report.connected, task),
    }


def _scores(scores: Scores, task: LabelledHypergraph) -> dict[str, Any]:
    recalls = zip(task.class_names, scores.per_class)
    return {
        "nodes": scores.nodes,
        "accuracy": scores.accuracy,
        "macro_f1": scores.macro_f1,
        # JSON has no NaN, which stands for a class without a node.
        "recall": {name: None if math.isnan(r) else r for name, r in recalls},
    }
