"""``hypersage reproduce``: run the paper's experiments and show what came out."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ..reproduction.plan import COLUMNS, DATASETS, TABLES, jobs_of
from ..reproduction.recipe import METHODS
from ..reproduction.runner import run_jobs
from .options import add_command
from .values import positive

if TYPE_CHECKING:
    from .options import SubParsers

EXAMPLES = (
    "hypersage reproduce table1 --quick --dataset citeseer",
    "hypersage reproduce table1 --column paper",
    "hypersage reproduce all",
)
NOTES = """Every result is appended to FOLDER/TABLE.jsonl the moment it is there; a run that
was stopped goes on where it stopped. Table 1 in full takes hours."""


def add_parser(subparsers: SubParsers) -> None:
    """Add the sub-command."""
    parser = add_command(
        subparsers, "reproduce", run, "run the paper's experiments", EXAMPLES, NOTES
    )
    add = parser.add_argument
    add("what", choices=(*TABLES, "all"), help="the experiment")
    add("--quick", action="store_true", help="three splits, a third of the epochs; kept apart")
    add("--dataset", action="append", choices=DATASETS, default=[], help="only this; repeatable")
    add("--column", action="append", choices=COLUMNS, default=[], help="only this; repeatable")
    add("--method", action="append", choices=METHODS, default=[], help="only this; repeatable")
    add("--inits", type=positive, help="at most so many initial weights (default: the plan's)")
    add("--out", default="results", metavar="FOLDER", help="(default: %(default)s)")
    add("--data-dir", metavar="FOLDER", help="where the public files of the benchmarks are")
    add("--processes", type=positive, default=2, help="runs at a time (default: %(default)s)")


def run(args: argparse.Namespace) -> int:
    """Run what is not done yet."""
    folder = Path(args.out) / "quick" if args.quick else Path(args.out)
    for table in TABLES if args.what == "all" else (args.what,):
        jobs = jobs_of(
            table,
            datasets=args.dataset,
            columns=args.column,
            methods=args.method,
            inits=args.inits,
            quick=args.quick,
        )
        path = folder / f"{table}.jsonl"
        command = _command(table, args)
        done = run_jobs(
            jobs, path, data_dir=args.data_dir, command=command, processes=args.processes
        )
        print(f"{table}: {done} runs, {len(jobs) - done} done before; {path}")
    return 0


def _command(table: str, args: argparse.Namespace) -> str:
    """What was asked for, without the folders of this machine."""
    words = ["hypersage", "reproduce", table]
    words += ["--quick"] if args.quick else []
    return " ".join(words)
