"""What the sub-commands' options share: the parser, and groups of options."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import NoReturn, TypeAlias

from ..data import CLASSIFICATION
from ..training import SCORE_NAMES
from .option_values import device, positive, size, split, whole
from .text import USAGE

# A string, for it is generic for type checkers only.
SubParsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
Run = Callable[[argparse.Namespace], int]
DEFAULT_DATASET = "debian"


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Keeps the examples of a help text as they are."""


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong, without the usage of every option."""

    def error(self, message: str) -> NoReturn:
        """Print the error and leave with the exit code of wrong usage."""
        self.exit(USAGE, f"{self.prog}: error: {message} (see {self.prog} --help)\n")


def examples(lines: Sequence[str]) -> str:
    """Text of the examples below a help text."""
    return "examples:\n" + "\n".join(f"  {line}" for line in lines)


def command_parser(prog: str, description: str, lines: Sequence[str]) -> Parser:
    """Parser of a whole command, with examples and ``--debug``."""
    parser = Parser(
        prog=prog,
        description=description,
        epilog=examples(lines),
        formatter_class=Formatter,
        allow_abbrev=False,
    )
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    parser.set_defaults(prog=prog)
    return parser


def add_command(
    subparsers: SubParsers,
    name: str,
    run: Run,
    summary: str,
    lines: Sequence[str],
    notes: str = "",
) -> argparse.ArgumentParser:
    """Add the parser of a sub-command, with examples and ``--debug``."""
    parser = subparsers.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}." + (f"\n\n{notes}" if notes else ""),
        epilog=examples(lines),
        formatter_class=Formatter,
        allow_abbrev=False,
    )
    # SUPPRESS: a default here would undo `hypersage --debug train`.
    parser.add_argument(
        "--debug",
        action="store_true",
        default=argparse.SUPPRESS,
        help="show the traceback of an error",
    )
    parser.set_defaults(run=run, prog=parser.prog)
    return parser


def add_limit_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that raise what a file may cost."""
    parser.add_argument(
        "--max-size",
        type=size,
        metavar="BYTES",
        help="memory that a packed file may take, as in 500M or 8G (default: 1G)",
    )
    parser.add_argument(
        "--id-factor",
        type=positive,
        metavar="IDS",
        help="nodes or hyperedges for each incidence, beyond 10 million (default: 1000)",
    )


def add_source_options(parser: argparse.ArgumentParser, required: bool = True) -> None:
    """Add the options that say which hypergraph to work on."""
    source = parser.add_mutually_exclusive_group(required=required)
    source.add_argument(
        "--dataset",
        metavar="NAME",
        help="a data set that `hypersage datasets` lists"
        + ("" if required else f" (default: {DEFAULT_DATASET})"),
    )
    source.add_argument(
        "--hypergraph",
        metavar="FILE",
        help="your own: labelled or incidence .npz, HIF .json[.gz], .csv[.gz], or a saved folder",
    )
    source.add_argument(
        "--incidences",
        metavar="FILE",
        help="your own as a table of node, hyperedge and, if any, weight: .csv, .tsv, .parquet",
    )
    parser.add_argument(
        "--features",
        metavar="FILE",
        help="features of the nodes: a table with a column of names (.csv, .tsv, .parquet), or a "
        "matrix (.npz, .npy), whose row i is for node i",
    )
    add_table_options(parser)
    add_column_options(parser)
    add_limit_options(parser)
    parser.add_argument(
        "--data-dir", metavar="FOLDER", help="where the public files of the benchmarks are"
    )
    parser.add_argument(
        "--seed",
        type=whole,
        help="decides all that is drawn (default: 0, or that of the training)",
    )


def add_table_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that go with ``--incidences``."""
    add = parser.add_argument_group("tables, with --incidences").add_argument
    add("--nodes", metavar="FILE", help="table of all nodes: name, class and features")
    add("--hyperedges", metavar="FILE", help="table of all hyperedges; `weight` is their weight")
    for flag, text in (
        ("--text", "take a column of --nodes as words"),
        ("--category", "take a column of numbers as categories"),
        ("--ignore", "leave a column of --nodes out"),
    ):
        add(flag, metavar="COLUMN", action="append", default=[], help=f"{text}; may be repeated")


def add_column_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what the columns of a table are."""
    parser.add_argument("--node", metavar="COLUMN", help="column of nodes in CSV")
    parser.add_argument("--hyperedge", metavar="COLUMN", help="column of hyperedges in CSV")
    parser.add_argument(
        "--no-heading",
        action="store_true",
        help="the first line of a CSV names no columns: they are node, hyperedge, weight",
    )


def add_split_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which nodes are for what, and which class they have."""
    parser.add_argument(
        "--split",
        type=split,
        metavar="SPLIT",
        help="number of a given split; random or stratified: 50/25/25 %% of the nodes, or of each "
        "class; or a table of names and train, val or test (default: that of the training, else "
        "1, for tables stratified)",
    )
    parser.add_argument(
        "--val-fraction",
        type=float,
        metavar="SHARE",
        help="share of the training nodes that become validation nodes (default: none)",
    )
    parser.add_argument(
        "--label",
        metavar="KEY",
        help="node attribute that names the class, or is what --task learns (default: label)",
    )


def add_scale_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that brings numbers of a table to a common range."""
    parser.add_argument(
        "--scale",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="bring columns of numbers of --nodes to 0 to 1, by the training nodes, unless all lie "
        "between -1 and 1; predictions use the same ranges (default: --scale)",
    )


def add_task_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what is learned of a node."""
    parser.add_argument(
        "--task",
        choices=tuple(SCORE_NAMES),
        default=CLASSIFICATION,
        help="learn one class a node, several labels, or a number; or which sets of nodes are "
        "hyperedges (default: %(default)s)",
    )
    for flag, what, text in (
        ("--separator", "TEXT", "what stands between several labels in a cell (default: ;)"),
        ("--hyperedge-label", "KEY", "learn this of hyperedges: a column of --hyperedges"),
    ):
        parser.add_argument(flag, metavar=what, help=text)


def add_inference_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a model that is only used."""
    parser.add_argument("checkpoint", metavar="CHECKPOINT", help="folder that `train --out` made")
    parser.add_argument(
        "--batch-size",
        type=positive,
        metavar="NODES",
        help="work in chunks of that many nodes, in bounded memory (default: all at once)",
    )
    add_device_option(parser)


def add_device_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that says where to compute."""
    parser.add_argument(
        "--device", type=device, default="cpu", help="cpu, cuda, cuda:1, ... (default: cpu)"
    )
