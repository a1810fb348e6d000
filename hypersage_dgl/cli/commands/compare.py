"""``hypersage compare``: what was different in some runs, and how they scored."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from ...training import History, described, load_checkpoint
from ..options import SubParsers, add_command
from ..run_files import read_run_record
from ..text import UsageError, percent, printable, table

if TYPE_CHECKING:
    from ...drawing import ComparedRun

EXAMPLES = (
    "hypersage compare model own-model",
    "hypersage compare model own-model --out compared.html",
)
NOTES = """RUN is a folder that `train --out` made. Prints the scores on test nodes, shares in
percent, and the options that differ; --out writes a page with the curves of all runs too."""


def add_parser(subparsers: SubParsers) -> None:
    """Add the sub-command."""
    parser = add_command(
        subparsers, "compare", run, "say how runs differ and score", EXAMPLES, NOTES
    )
    parser.add_argument("runs", metavar="RUN", nargs="+", help="folder that `train --out` made")
    parser.add_argument("--out", metavar="FILE", help="page to write, with the curves")


def run(args: argparse.Namespace) -> int:
    """Print the tables, and write the page."""
    # Here, since `--help` shall not wait for what pages need.
    from ...drawing import compared_scores, differing_options, is_share, write_comparison

    if len(args.runs) < 2:
        raise UsageError("one run cannot be compared; name two or more")
    folders = [Path(folder) for folder in args.runs]
    if len({folder.resolve() for folder in folders}) < len(folders):
        raise UsageError("a run is named twice; name each once")
    runs = [_read(folder, name) for folder, name in zip(folders, short_names(folders))]
    names = [run.name for run in runs]
    scores = compared_scores(runs)
    if scores:
        rows = [
            (name, *("-" if value is None else text(value) for value in values))
            for name, values in scores.items()
            for text in [percent if is_share(name) else "{:.4g}".format]
        ]
        print(table(("score", *names), rows))
    options = differing_options(runs)
    if options:
        print(table(("option", *names), [(name, *values) for name, values in options.items()]))
    else:
        print("all options are the same")
    if args.out is not None:
        write_comparison(runs, args.out)
        print(f"page on the runs: {printable(args.out)}")
    return 0


def short_names(folders: list[Path]) -> list[str]:
    """Names of folders without what they share.

    Examples
    --------
    >>> short_names([Path("runs/a/seed-0"), Path("runs/b/seed-0")])
    ['a/seed-0', 'b/seed-0']
    >>> short_names([Path("a"), Path("runs/b")])
    ['a', 'runs/b']
    """
    whole = [folder.resolve() for folder in folders]
    try:
        shared = os.path.commonpath([folder.parent for folder in whole])
    except ValueError:
        # On Windows, folders of two drives.
        return [folder.as_posix() for folder in whole]
    return [folder.relative_to(shared).as_posix() for folder in whole]


def _read(folder: Path, name: str) -> ComparedRun:
    from ...drawing import ComparedRun

    checkpoint = load_checkpoint(folder)
    noted = read_run_record(folder)
    return ComparedRun(
        name,
        noted.options or described(checkpoint.model),
        noted.scores,
        History.from_progress(checkpoint.progress, noted.stopped),
    )
