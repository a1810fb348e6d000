"""``hypersage evaluate``: score a trained model."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from ..._utils import to_json
from ...data import CLASSIFICATION, MULTILABEL, LabelledHypergraph
from ...hypergraphs import CONTAINS
from ...training import (
    EMBEDDING,
    PREDICTION,
    SCORE_NAMES,
    Predictor,
    load_checkpoint,
)
from ..hyperedges import evaluate_sets
from ..options import (
    SubParsers,
    add_command,
    add_inference_options,
    add_source_options,
    add_split_options,
)
from ..reminders import warn_of_seen
from ..results import Shown, document, main_score, outputs_of, score, score_table
from ..task import make_task
from ..text import percent, printable, table

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


LABEL_HEADINGS = {CLASSIFICATION: "class", MULTILABEL: "label, F1"}


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
    outputs = outputs_of(found, args.task)
    connected = nodes[task.graph.in_degrees(etype=CONTAINS)[nodes] > 0]
    rows = {"all": score(outputs, task, nodes, args.task)}
    if len(connected):
        rows["connected"] = score(outputs, task, connected, args.task)
    (_print_json if args.json else _print)(args, task, rows, seen)
    return 0


def _print_json(
    args: argparse.Namespace, task: LabelledHypergraph, rows: Mapping[str, Shown], seen: int
) -> None:
    head = {"checkpoint": args.checkpoint, "data": task.name, "nodes": args.part}
    if args.task != CLASSIFICATION:
        head["task"] = args.task
    made: dict[str, Any] = {name: document(s, task.class_names) for name, s in rows.items()}
    made.setdefault("connected", None)
    print(to_json({**head, **made, **({"seen": seen} if seen else {})}))


def _print(
    args: argparse.Namespace, task: LabelledHypergraph, rows: Mapping[str, Shown], seen: int
) -> None:
    print(printable(task.name))
    print(score_table("nodes" if seen else f"{args.part} nodes", rows))
    if args.task in LABEL_HEADINGS:
        parts = zip(task.class_names, zip(*(found.per_class for found in rows.values())))
        lines = [(name, *map(percent, values)) for name, values in parts]
        print(table((LABEL_HEADINGS[args.task], *rows), lines))
    of, seen_in = ("", f", {seen} nodes seen in training") if seen else (f"{args.part} ", "")
    best = main_score(rows["all"].main, args.task)
    print(f"{of}{SCORE_NAMES[args.task]}{seen_in} (full): {best}")
