"""``hypersage reproduce``: run the paper's experiments and show what came out."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..reproduction.chosen import read_recipes
from ..reproduction.plan import COLUMNS, DATASETS, TABLES, jobs_of
from ..reproduction.recipe import METHODS
from ..reproduction.runner import Job, run_jobs
from ..reproduction.search import choose, read, search, write_recipes
from ..reproduction.space import GROUPS
from .errors import UsageError
from .options import add_command
from .values import positive

if TYPE_CHECKING:
    from .options import SubParsers

EXAMPLES = (
    "hypersage reproduce table1 --quick --dataset citeseer",
    "hypersage reproduce table1 --column paper",
    "hypersage reproduce all",
    "hypersage reproduce report",
)
NOTES = """Every result is appended to FOLDER/TABLE.jsonl the moment it is there; a run that
was stopped goes on where it stopped. Table 1 in full takes hours."""
RECIPES_HELP = """recipes of the column best (default: those that come with the package); for
search where to write those that it chose (default: recipes.json in --out)"""
WHAT_HELP = """an experiment of the paper, or all of them; the search for better recipes; or the
report, which makes tables and plots of all results"""


def add_parser(subparsers: SubParsers) -> None:
    """Add the sub-command."""
    parser = add_command(
        subparsers, "reproduce", run, "run the paper's experiments", EXAMPLES, NOTES
    )
    add = parser.add_argument
    add("what", choices=(*TABLES, "all", "search", "report"), help=WHAT_HELP)
    add("--quick", action="store_true", help="three splits, a third of the epochs; kept apart")
    add("--dataset", action="append", choices=DATASETS, default=[], help="only this; repeatable")
    add("--column", action="append", choices=COLUMNS, default=[], help="only this; repeatable")
    add("--method", action="append", choices=METHODS, default=[], help="only this; repeatable")
    add("--inits", type=positive, help="at most so many initial weights (default: the plan's)")
    add("--out", default="results", metavar="FOLDER", help="(default: %(default)s)")
    add("--docs", metavar="FOLDER", help="of the page of the report (default: docs)")
    add("--recipes", metavar="FILE", help=RECIPES_HELP)
    add("--data-dir", metavar="FOLDER", help="where the public files of the benchmarks are")
    add("--processes", type=positive, default=2, help="runs at a time (default: %(default)s)")


def run(args: argparse.Namespace) -> int:
    """Run what is not done yet, or show what came out."""
    _refuse_ignored(args)
    folder = Path(args.out) / "quick" if args.quick else Path(args.out)
    if args.what == "report":
        # Here, for no other sub-command draws: the others start faster without.
        from ..report import write_page

        for path in write_page(folder, folder if args.quick else args.docs or "docs"):
            print(path)
        return 0
    for table in TABLES if args.what == "all" else (args.what,):
        path = folder / f"{table}.jsonl"
        done = _search(args, path) if table == "search" else _run_table(args, table, path)
        print(f"{table}: {done} runs added to {path}")
    return 0


def _refuse_ignored(args: argparse.Namespace) -> None:
    """Refuse options that would do nothing, so that nobody believes they did."""
    takes = {"report": ("docs", "quick"), "search": ("dataset", "method", "recipes")}
    of_table = ("quick", "dataset", "column", "method", "inits", "recipes")
    known = takes.get(args.what, of_table)
    ignored = [name for name in (*of_table, "docs") if getattr(args, name) and name not in known]
    if args.quick:
        ignored += [name for name in ("inits", "docs") if getattr(args, name)]
    if ignored:
        quick = " --quick" if args.quick else ""
        raise UsageError(f"{args.what}{quick} takes no {', '.join(f'--{n}' for n in ignored)}")


def _run_table(args: argparse.Namespace, table: str, path: Path) -> int:
    jobs = jobs_of(
        table,
        datasets=args.dataset,
        columns=args.column,
        methods=args.method,
        inits=args.inits,
        quick=args.quick,
        recipes=read_recipes(args.recipes),
    )
    if not jobs and args.what != "all":
        raise UsageError(f"{table} has no run that --dataset, --column and --method all allow")
    return _run_jobs(args, path, jobs)


def _search(args: argparse.Namespace, path: Path) -> int:
    groups = [group for group, names in GROUPS.items() if set(names) & set(args.dataset)]
    done = search(partial(_run_jobs, args, path), path, args.method or METHODS, groups)
    if not args.dataset and not args.method:
        recipes = args.recipes or path.with_name("recipes.json")
        write_recipes(choose(read(path)), recipes)
        print(f"the chosen recipes are in {recipes}; use them by --recipes")
    return done


def _run_jobs(args: argparse.Namespace, path: Path, jobs: Sequence[Job]) -> int:
    words = ["hypersage", "reproduce", path.stem, *(["--quick"] if args.quick else [])]
    words += ["--recipes", Path(args.recipes).name] if args.recipes else []
    return run_jobs(
        jobs,
        path,
        data_dir=args.data_dir,
        command=" ".join(words),
        processes=args.processes,
    )
