"""``hypersage report``: the page on a run, once more."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...training import PREDICTION, History, Predictor, described, load_checkpoint
from ..hyperedges import report_sets
from ..options import (
    SubParsers,
    add_command,
    add_inference_options,
    add_source_options,
    add_split_options,
)
from ..reminders import warn_of_seen
from ..run_files import PAGE, RunRecord, read_run_record, write_run_page
from ..task import make_task

EXAMPLES = (
    "hypersage report model --dataset synthetic",
    "hypersage report own-model --hypergraph recipes.npz --out recipes.html",
)
NOTES = """`train --out FOLDER` writes this page, report.html, by itself; here it is made of a
checkpoint and its data: curves, confusion matrix, scores by class and by number of
hyperedges, a map of the embeddings, the surest errors by name, the neighbourhood of
one node, configuration, data, environment, and the command. It opens offline.
Of numbers it shows predicted against true ones, and the largest errors; of hyperedges the
scores by kind of negatives and by size, and the sets that were judged worst."""


def add_parser(subparsers: SubParsers) -> None:
    """Add the sub-command."""
    parser = add_command(subparsers, "report", run, "write the page on a run", EXAMPLES, NOTES)
    add_inference_options(parser)
    add_source_options(parser)
    add_split_options(parser)
    parser.add_argument(
        "--out", metavar="FILE", help="page to write (default: report.html beside the checkpoint)"
    )


def run(args: argparse.Namespace) -> int:
    """Predict, and write the page."""
    checkpoint = load_checkpoint(args.checkpoint)
    noted = read_run_record(args.checkpoint)
    # A model of `fit` has no record of a command; its own options are known all the same.
    options = noted.options or described(checkpoint.model)
    record = RunRecord(noted.command, options, stopped=noted.stopped)
    if checkpoint.about.task == PREDICTION:
        report_sets(args, checkpoint, record)
        return 0
    predictor = Predictor(checkpoint.model.to(args.device), checkpoint.about)
    task = make_task(args, predictor.about)
    warn_of_seen(args, task.part("test"), predictor.about, task)
    write_run_page(
        args,
        Path(args.out) if args.out is not None else Path(args.checkpoint) / PAGE,
        predictor,
        task,
        History.from_progress(checkpoint.progress, noted.stopped),
        record,
        batch_size=args.batch_size,
    )
    return 0
