"""``python -m experiments``: run the paper's experiments and show what came out."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from hypersage_dgl.cli import Parser, UsageError, command_parser, positive, run_command

from .allset import METHODS as RIVALS
from .allset import PROTOCOL, SETS, run_protocol
from .defaults import DEFAULTS, compare
from .estimate import estimate, told
from .fano import FANO, tell_planes
from .grid import GRIDS, run_grid
from .hyperedges import HYPEREDGES, predict
from .plan import TABLES, Job, jobs_of
from .protocol import COLUMNS, DATASETS, GROUPS, METHODS, SEARCH
from .reading import read_results
from .recipe import CHOSEN, read_recipes, write_recipes
from .runs import run_jobs
from .search import choose, search
from .walmart import WALMART, try_all

PROGRAM = "python -m experiments"
RESULTS, DOCS = "experiments/results", "docs"
EXAMPLES = (
    f"{PROGRAM} table1 --quick --dataset citeseer",
    f"{PROGRAM} table1 --column paper",
    f"{PROGRAM} all",
    f"{PROGRAM} report",
)
NOTES = """Every result is in FOLDER/TABLE.jsonl the moment it is there, and in
FOLDER/TABLE.jsonl.gz when the command ends; a run that was stopped goes on where it stopped.
Table 1 in full takes hours."""
RECIPES_HELP = """recipes of the column best (default: recipes.json in experiments); for search
where to write those that it chose (default: recipes.json in --out)"""
DATA_HELP = """where the public files of the benchmarks are; for defaults those of AllSet,
for allset a folder with both"""
WHAT_HELP = """an experiment of the paper, or all of them; the search for better recipes; the
comparison of defaults for `hypersage train`; the prediction of hyperedges; Fano planes, which one
level cannot tell apart; the protocol of AllSet, and small tries on its largest set; the grid of
weight decay by epochs; or the report, which makes tables and plots of all results"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code, as ``hypersage`` does."""
    return run_command(make_parser(), argv)


def make_parser() -> Parser:
    """Parser of the command."""
    parser = command_parser(PROGRAM, f"Run the paper's experiments.\n\n{NOTES}", EXAMPLES)
    add = parser.add_argument
    add(
        "what",
        choices=(
            *TABLES,
            "all",
            SEARCH,
            DEFAULTS,
            HYPEREDGES,
            FANO,
            PROTOCOL,
            WALMART,
            *GRIDS,
            "report",
        ),
        help=WHAT_HELP,
    )
    add("--quick", action="store_true", help="three splits, a third of the epochs; kept apart")
    add("--dataset", action="append", choices=DATASETS, default=[], help="only this; repeatable")
    add("--column", action="append", choices=COLUMNS, default=[], help="only this; repeatable")
    add("--method", action="append", choices=METHODS, default=[], help="only this; repeatable")
    add("--set", action="append", choices=SETS, default=[], help="of allset, only this; repeatable")
    add("--model", action="append", choices=RIVALS, default=[], help="of allset; repeatable")
    add("--dry-run", action="store_true", help="of allset: runs left and how long they take")
    add("--inits", type=positive, help="at most so many initial weights (default: the plan's)")
    add("--out", default=RESULTS, metavar="FOLDER", help="(default: %(default)s)")
    add("--docs", metavar="FOLDER", help=f"of the pages of the report (default: {DOCS})")
    add("--recipes", metavar="FILE", help=RECIPES_HELP)
    add("--data-dir", metavar="FOLDER", help=DATA_HELP)
    add("--processes", type=positive, default=2, help="runs at a time (default: %(default)s)")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Run what is not done yet, or show what came out."""
    _refuse_ignored(args)
    folder = Path(args.out) / "quick" if args.quick else Path(args.out)
    if args.what == "report":
        # Here, for nothing else draws: the others start faster without.
        from .pages import write_pages

        for path in write_pages(folder, folder if args.quick else args.docs or DOCS):
            print(path)
        return 0
    if args.dry_run:
        for line in told(
            estimate(folder / f"{PROTOCOL}.jsonl.gz", args.data_dir, args.set, args.model)
        ):
            print(line, flush=True)
        return 0
    for table in TABLES if args.what == "all" else (args.what,):
        path = folder / f"{table}.jsonl.gz"
        known: dict[str, Callable[[argparse.Namespace, Path], int]] = {
            SEARCH: _search,
            DEFAULTS: _compare,
            HYPEREDGES: _predict,
            FANO: _tell,
            PROTOCOL: _protocol,
            WALMART: _try,
            **{name: partial(_grid, table=name) for name in GRIDS},
        }
        do = known.get(table, partial(_run_table, table=table))
        print(f"{table}: {do(args, path)} runs added to {path}")
    return 0


def _refuse_ignored(args: argparse.Namespace) -> None:
    """Refuse options that would do nothing, so that nobody believes they did."""
    takes = {"report": ("docs", "quick"), SEARCH: ("dataset", "method", "recipes"), DEFAULTS: ()}
    takes |= {
        HYPEREDGES: ("dataset",),
        FANO: (),
        WALMART: (),
        PROTOCOL: ("set", "model", "dry_run"),
    }
    takes |= dict.fromkeys(GRIDS, ("dataset", "method"))
    of_table = ("quick", "dataset", "column", "method", "inits", "recipes")
    known = takes.get(args.what, of_table)
    own = ("docs", "set", "model", "dry_run")
    ignored = [name for name in (*of_table, *own) if getattr(args, name) and name not in known]
    if args.quick:
        ignored += [name for name in ("inits", "docs") if getattr(args, name)]
    if ignored:
        quick = " --quick" if args.quick else ""
        words = ", ".join(f"--{name.replace('_', '-')}" for name in ignored)
        raise UsageError(f"{args.what}{quick} takes no {words}")


def _run_table(args: argparse.Namespace, path: Path, table: str) -> int:
    jobs = jobs_of(
        table,
        datasets=args.dataset,
        columns=args.column,
        methods=args.method,
        inits=args.inits,
        quick=args.quick,
        recipes=read_recipes(args.recipes or CHOSEN),
    )
    if not jobs and args.what != "all":
        raise UsageError(f"{table} has no run that --dataset, --column and --method all allow")
    return _run_jobs(args, path, table, jobs)


def _search(args: argparse.Namespace, path: Path) -> int:
    groups = [group for group, names in GROUPS.items() if set(names) & set(args.dataset)]
    do = partial(_run_jobs, args, path, SEARCH)
    done = search(do, path, args.method or METHODS, groups)
    if not args.dataset and not args.method:
        recipes = args.recipes or path.with_name("recipes.json")
        write_recipes(choose(read_results(path)), recipes)
        print(f"the chosen recipes are in {recipes}; use them by --recipes")
    return done


def _compare(args: argparse.Namespace, path: Path) -> int:
    return compare(path, args.data_dir, f"{PROGRAM} {DEFAULTS}")


def _predict(args: argparse.Namespace, path: Path) -> int:
    return predict(path, args.data_dir, f"{PROGRAM} {HYPEREDGES}", args.dataset)


def _tell(args: argparse.Namespace, path: Path) -> int:
    return tell_planes(path, f"{PROGRAM} {FANO}")


def _protocol(args: argparse.Namespace, path: Path) -> int:
    return run_protocol(path, args.data_dir, f"{PROGRAM} {PROTOCOL}", args.set, args.model)


def _try(args: argparse.Namespace, path: Path) -> int:
    return try_all(path, args.data_dir, f"{PROGRAM} {WALMART}")


def _grid(args: argparse.Namespace, path: Path, table: str) -> int:
    do = partial(_run_jobs, args, path, table)
    return run_grid(do, path, GRIDS[table], args.dataset, args.method)


def _run_jobs(args: argparse.Namespace, path: Path, table: str, jobs: Sequence[Job]) -> int:
    words = [PROGRAM, table, *(["--quick"] if args.quick else [])]
    words += ["--recipes", Path(args.recipes).name] if args.recipes else []
    return run_jobs(
        jobs,
        path,
        data_dir=args.data_dir,
        command=" ".join(words),
        processes=args.processes,
    )
