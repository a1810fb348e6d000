"""What the command writes: exit codes, errors in one line, tables, and predictions as files."""

from __future__ import annotations

import csv
import io
import math
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .._utils import replacing, to_json
from ..data import CLASSIFICATION, REGRESSION, LabelledHypergraph
from ..training import About, Prediction

FAILED, USAGE, INTERRUPTED, CLOSED_PIPE = 1, 2, 130, 141

# What these types raise is written for people; the name of any other type is worth knowing.
PLAIN = (ValueError, TypeError, OSError, FloatingPointError)
FORMATS = ("csv", "json", "parquet")


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


def format_of(file: str | None) -> str:
    """The format that the name of a file tells, CSV where it tells none.

    Examples
    --------
    >>> format_of("classes.json.gz"), format_of("classes.pq"), format_of(None)
    ('json', 'parquet', 'csv')
    """
    suffixes = Path(file or "").suffixes
    if ".json" in suffixes[-2:]:
        return "json"
    return "parquet" if suffixes[-1:] in ([".parquet"], [".pq"]) else "csv"


def columns_of(
    source: LabelledHypergraph, prediction: Prediction, about: About, every: bool = False
) -> dict[str, list[Any]]:
    """Columns of a prediction by the task of its model; classes without names are numbered.

    A classification gives the columns ``class`` and ``probability``, a regression ``value``, and a
    multi-label model ``labels``, with the separator of its training between them. With ``every``
    the probability of each class or label follows, as ``probability of NAME``.
    """
    columns: dict[str, list[Any]] = {"node": [str(name) for name in source.node_names]}
    if about.task == REGRESSION:
        rows = prediction.label.reshape(len(prediction.label), -1).T.tolist()
        for k, row in enumerate(rows):
            columns["value" if len(rows) == 1 else f"value {k}"] = [float(f"{v:.7g}") for v in row]
        return columns
    names = about.classes or [str(k) for k in range(prediction.probabilities.shape[1])]
    labels = prediction.label.tolist()
    if about.task == CLASSIFICATION:
        columns["class"] = [names[label] for label in labels]
        columns["probability"] = _rounded(prediction.probability.tolist())
    else:
        separator = about.training.get("separator", ";")
        columns["labels"] = [
            separator.join(name for name, is_on in zip(names, row) if is_on) for row in labels
        ]
    if every:
        for name, row in zip(names, prediction.probabilities.T.tolist()):
            columns[f"probability of {name}"] = _rounded(row)
    return columns


def to_csv(columns: Mapping[str, Sequence[Any]], digits: str = ".6f") -> str:
    """Columns as CSV; numbers with six digits after the point, or another format."""
    # Before Python 3.13 the csv module leaves a lone carriage return unquoted.
    words = (*columns, *(cell for column in columns.values() for cell in column))
    has_return = any(isinstance(word, str) and "\r" in word for word in words)
    text = io.StringIO()
    writer = csv.writer(
        text, lineterminator="\n", quoting=csv.QUOTE_ALL if has_return else csv.QUOTE_MINIMAL
    )
    writer.writerow(columns)
    for row in zip(*columns.values()):
        writer.writerow([f"{cell:{digits}}" if isinstance(cell, float) else cell for cell in row])
    return text.getvalue()


def to_records(columns: Mapping[str, Sequence[Any]]) -> str:
    """Columns as a JSON list with an object for each row, a line each."""
    rows = [to_json(dict(zip(columns, row))) for row in zip(*columns.values())]
    return "[\n" + ",\n".join(rows) + "\n]\n"


def write_parquet(columns: Mapping[str, Sequence[Any]], path: Path) -> None:
    """Write columns as Parquet, whole or not at all."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ImportError(
            "Parquet needs pyarrow: pip install 'hypersage-dgl[tables]', or take --format csv"
        ) from None
    with replacing(path) as file:
        parquet.write_table(pyarrow.table(dict(columns)), file)


def _rounded(shares: Sequence[float]) -> list[float]:
    return [round(share, 6) for share in shares]
