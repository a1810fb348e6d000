"""``python -m benchmarks``: list, run, compare, report."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

from hypersage_dgl.cli import Parser, command_parser, run_command

from .measure import Row, Settings, measured
from .report import compared, read_rows, table, write_report

PROGRAM = "python -m benchmarks"
# In the order of the report; the last one takes ten minutes and 8 GiB, and runs where it is named.
NAMES = (
    *("layer", "loading", "training", "sampling", "inference", "arrivals", "neighbors", "checks"),
    *("scaling", "distributed"),
)
LARGE = "large"
RESULTS = "benchmarks/results"
EXAMPLES = (
    f"{PROGRAM} list",
    f"{PROGRAM} run layer",
    f"{PROGRAM} run all --data-dir /path/to/HyperGCN --out {RESULTS}/all.jsonl",
    f"{PROGRAM} run {LARGE} --out {RESULTS}/large.jsonl",
    f"{PROGRAM} compare new.jsonl",
    f"{PROGRAM} report",
)
NOTES = """A run prints tables and, with --out, writes a JSON line for each of them; all is about
ten minutes on a quiet machine. `large` is the scaling to ten million nodes: it takes as long
again and 8 GiB. `report` makes docs/performance.md, its figures and the measured parts of
docs/scaling.md and README.md of the results."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code, as ``hypersage`` does."""
    return run_command(make_parser(), argv)


def make_parser() -> Parser:
    """Parser of the command."""
    parser = command_parser(PROGRAM, f"Measure what things cost.\n\n{NOTES}", EXAMPLES)
    parsers = parser.add_subparsers(dest="command", required=True)
    parsers.add_parser("list", help="say what there is").set_defaults(run=show)
    run = parsers.add_parser("run", help="measure one of them, or all")
    run.add_argument("name", choices=(*NAMES, LARGE, "all"))
    run.add_argument("--out", type=Path, metavar="FILE", help="write the JSON lines there, anew")
    run.add_argument("--dataset", default="dblp", help="(default: %(default)s)")
    run.add_argument("--data-dir", metavar="FOLDER", help="where the public files are")
    run.add_argument("--quick", action="store_true", help="a try on little data, once")
    run.set_defaults(run=measure)
    compare = parsers.add_parser("compare", help="ratios of a new run beside the committed ones")
    compare.add_argument("new", type=Path)
    compare.add_argument("--old", type=Path, default=Path(RESULTS, "all.jsonl"))
    compare.set_defaults(run=hold_against)
    report = parsers.add_parser("report", help="make the pages and figures of the results")
    report.add_argument("--results", type=Path, default=Path(RESULTS), metavar="FOLDER")
    report.add_argument("--docs", type=Path, default=Path("docs"), metavar="FOLDER")
    report.set_defaults(run=write_pages)
    return parser


def settings_of(args: argparse.Namespace) -> Settings:
    """What the options say."""
    return Settings("synthetic" if args.quick else args.dataset, args.data_dir, args.quick)


def module_of(name: str) -> ModuleType:
    """A benchmark."""
    return import_module(f".{'scaling' if name == LARGE else name}", __package__)


def show(args: argparse.Namespace) -> int:
    """Print the names with the first line of each."""
    for name in (*NAMES, LARGE):
        title = (module_of(name).__doc__ or "").partition("\n")[0]
        print(f"{name:<12} {title if name != LARGE else 'Scaling to ten million nodes.'}")
    return 0


def rows_of(name: str, settings: Settings) -> Iterator[Row]:
    """All rows of a benchmark."""
    module = module_of(name)
    if hasattr(module, "comparisons"):
        for comparison in module.comparisons(settings):
            yield measured(name, comparison, settings)
    else:
        yield from module.rows(settings, is_large=name == LARGE)


def measure(args: argparse.Namespace) -> int:
    """Print the tables as they come, and keep the rows."""
    settings = settings_of(args)
    if args.out is not None:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text("", encoding="utf-8")
    for name in NAMES if args.name == "all" else (args.name,):
        for row in rows_of(name, settings):
            row["command"] = command_of(args)
            print(table(row), flush=True)
            if args.out is not None:
                with args.out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")
    return 0


def command_of(args: argparse.Namespace) -> str:
    """The command that made a row, without the folders of this machine."""
    return f"{PROGRAM} run {args.name}{' --quick' if args.quick else ''}"


def hold_against(args: argparse.Namespace) -> int:
    """Print ratios old and new, and fail where one has grown by more than a quarter."""
    text, has_grown = compared(read_rows(args.old), read_rows(args.new))
    print(text)
    return 1 if has_grown else 0


def write_pages(args: argparse.Namespace) -> int:
    """Write the report."""
    for path in write_report(args.results, args.docs):
        print(path, file=sys.stdout)
    return 0
