"""What the command says: exit codes, errors in one line, numbers and tables as text."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

FAILED, USAGE, INTERRUPTED, CLOSED_PIPE = 1, 2, 130, 141

# What these types raise is written for people; the name of any other type is worth knowing.
PLAIN = (ValueError, TypeError, OSError, FloatingPointError)


class UsageError(ValueError):
    """The options of the command line do not fit together; the exit code is 2."""


def one_line(error: BaseException | str) -> str:
    r"""Say an error in one line.

    Examples
    --------
    >>> one_line(ValueError("size is 0;\n  it must be positive"))
    'size is 0; it must be positive'
    >>> one_line(FileNotFoundError(2, "No such file or directory", "a.json"))
    'a.json: No such file or directory'
    >>> one_line(ZeroDivisionError("division by zero"))
    'ZeroDivisionError: division by zero'
    """
    if isinstance(error, OSError) and error.strerror:
        place = "" if error.filename is None else f"{error.filename}: "
        return printable(f"{place}{error.strerror}")
    text = printable(" ".join(str(error).split()))
    if isinstance(error, (*PLAIN, Warning, str)) and text:
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


@contextmanager
def warnings_in_one_line(prog: str) -> Iterator[None]:
    """Show warnings on standard error as the command's own, in one line each."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        print(f"{prog}: warning: {one_line(message)}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


def printable(text: object) -> str:
    r"""A text for a terminal: what would steer it, or is no character, is shown escaped.

    Examples
    --------
    >>> print(printable("red\x1b[2J \ud800 é"))
    red\x1b[2J \ud800 é
    """
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in str(text)
    )


def percent(share: float) -> str:
    """A share in percent, or a dash where there was nothing to score.

    Examples
    --------
    >>> percent(0.88414), percent(float("nan"))
    ('88.41', '-')
    """
    return "-" if math.isnan(share) else f"{100 * share:.2f}"


def table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns of text, the first and words to the left, numbers to the right.

    Examples
    --------
    >>> print(table(("class", "nodes"), [("red", "3"), ("dark blue", "12")]))
    class      nodes
    red            3
    dark blue     12
    """
    rows = [[printable(cell) for cell in row] for row in rows]
    columns = list(zip(heading, *rows))
    widths = [max(map(len, column)) for column in columns]
    to_right = [
        i > 0 and all(_is_number(c) for c in column[1:]) for i, column in enumerate(columns)
    ]
    lines = []
    for row in (heading, *rows):
        cells = (c.rjust(w) if right else c.ljust(w) for c, w, right in zip(row, widths, to_right))
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _is_number(cell: str) -> bool:
    return cell == "-" or cell.replace(",", "").replace(".", "").isdigit()
