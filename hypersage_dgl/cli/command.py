"""The whole command: its sub-commands, its exit codes, and what becomes of errors."""

from __future__ import annotations

import io
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress

from .._version import __version__
from .commands import COMMANDS
from .options import Parser, command_parser
from .text import (
    CLOSED_PIPE,
    FAILED,
    INTERRUPTED,
    USAGE,
    UsageError,
    one_line,
    warnings_in_one_line,
)

EXAMPLES = (
    "hypersage datasets",
    "hypersage train --dataset synthetic --epochs 30 --out model",
    "hypersage evaluate model --dataset synthetic",
    "hypersage predict model --dataset synthetic --out classes.csv",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Parameters
    ----------
    argv
        The words after ``hypersage``; by default those of this process.

    Returns
    -------
    int
        0 if all went well, 1 if the work failed, 2 if the command line makes no sense, 130 after
        Ctrl-C, 141 if the reader of the output went away.

    Examples
    --------
    >>> main(["info", "no-such-thing"])
    1
    """
    return run_command(make_parser(), argv)


def run_command(parser: Parser, argv: Sequence[str] | None = None) -> int:
    """Run the command of a parser, whose ``args.run(args)`` does the work; as :func:`main`."""
    code = 0
    for stream in (sys.stdout, sys.stderr):
        # What a terminal has no character for is shown escaped; a stand-in has no such setting.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run(parser, argv)
        # Here, since at exit nobody could catch that the reader is gone or the disk full.
        print(end="", flush=True)
    except BrokenPipeError:
        _forget_output()
        return CLOSED_PIPE
    except OSError as error:
        _forget_output()
        if code == 0:
            print(f"{parser.prog}: error: standard output: {one_line(error)}", file=sys.stderr)
            return FAILED
    return code


def make_parser() -> Parser:
    """Parser of the whole command."""
    parser = command_parser(
        "hypersage",
        "HyperSAGE on DGL: train, use and convert hypergraph neural networks.",
        EXAMPLES,
    )
    parser.add_argument("--version", action="version", version=f"hypersage {__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_parser(subparsers)
    return parser


def _run(parser: Parser, argv: Sequence[str] | None) -> int:
    try:
        args = parser.parse_args(argv)
        # What was typed, for those who note how to repeat it.
        args.words = tuple(sys.argv[1:] if argv is None else argv)
    except SystemExit as stop:
        # --help, --version and a command line that makes no sense: argparse has said it all.
        return int(stop.code or 0)
    try:
        with warnings_in_one_line(args.prog):
            return int(args.run(args))
    except BrokenPipeError:
        raise
    except KeyboardInterrupt:
        print(f"{args.prog}: interrupted", file=sys.stderr)
        return INTERRUPTED
    except Exception as error:
        if args.debug:
            traceback.print_exc()
        print(f"{args.prog}: error: {one_line(error)}", file=sys.stderr)
        return USAGE if isinstance(error, UsageError) else FAILED


def _forget_output() -> None:
    """Let what is still buffered go nowhere, or Python complains about it at exit."""
    # A standard output that is not a file, as in tests, has no descriptor to redirect.
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
