"""Rows and incidences of a CSV file, whatever stands between its columns; written with commas."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from .._utils import RANGE, PathLike, is_positive, read_text, write_text

SEPARATORS = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "bars"}
# As much of a file as tells its separator.
BEGINNING = 100_000


class Row(NamedTuple):
    """The cells of one line, and where it ends in the file."""

    line: int
    cells: list[str]


class Rows(NamedTuple):
    """All lines of a file that are not blank, and what stands between their cells."""

    separator: str
    rows: list[Row]


class Incidence(NamedTuple):
    """One incidence, and where it ends in the file."""

    line: int
    node: str
    hyperedge: str
    weight: float | None
    rest: Mapping[str, str]


def read_rows(
    path: PathLike,
    separator: str | None = None,
    headings: Collection[str] = (),
    max_bytes: int | None = None,
) -> Rows:
    """Read the cells of a CSV file, plain or gzipped.

    Parameters
    ----------
    path
        The file.
    separator
        What stands between columns; by default it is found.
    headings
        What columns are called, if that is known: the separator that gives them is the right one.
    max_bytes
        As in :func:`hypersage_dgl.data.load`.

    Raises
    ------
    ValueError
        With path and line, if quotes are not closed or a line has more or fewer cells than the
        first.
    """
    if separator is not None and (
        not isinstance(separator, str) or len(separator) != 1 or separator in '\r\n"'
    ):
        raise ValueError(
            f"delimiter is {separator!r:.40}; it must be one character, no quote and no line break"
        )
    text = read_text(path, max_bytes)
    separator = separator or find_separator(text, headings)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: list[Row] = []
    try:
        for cells in reader:
            if not cells or (len(cells) == 1 and not cells[0].strip()):
                continue
            if rows and len(cells) != len(rows[0].cells):
                raise ValueError(
                    f"{len(cells)} columns, but the first line has {len(rows[0].cells)} (the "
                    f"columns are separated by {SEPARATORS.get(separator, repr(separator))})"
                )
            rows.append(Row(reader.line_num, cells))
    except (csv.Error, ValueError) as error:
        raise ValueError(f"{path}, line {reader.line_num}: {error}") from None
    return Rows(separator, rows)


def write_columns(path: PathLike, heading: Sequence[str], columns: Sequence[Sequence[str]]) -> None:
    """Write columns of one length as CSV, separated by commas, whole or not at all."""
    # Before Python 3.13 the csv module leaves a lone carriage return unquoted, then cannot read it.
    has_return = any("\r" in cell for column in columns for cell in column)
    text = io.StringIO()
    writer = csv.writer(
        text, lineterminator="\n", quoting=csv.QUOTE_ALL if has_return else csv.QUOTE_MINIMAL
    )
    writer.writerow(heading)
    writer.writerows(zip(*columns))
    write_text(path, text.getvalue())


def find_separator(text: str, headings: Collection[str] = ()) -> str:
    r"""Tell what stands between the columns: a comma, a tab, a semicolon or a bar.

    The one that gives the wanted headings; else one that gives every line as many columns as the
    first, two at least; else a comma.

    Examples
    --------
    >>> find_separator("node;size\na;1,5\nb;2,5\n")
    ';'
    >>> find_separator("node\thyperedge\nSmith, Ann\tx\n")
    '\t'
    """
    beginning = text[:BEGINNING]
    if len(text) > BEGINNING:
        beginning = beginning[: beginning.rfind("\n") + 1]
    parsed = {separator: _widths(beginning, separator) for separator in SEPARATORS}
    first = {separator: set(map(str.strip, cells)) for separator, (cells, _) in parsed.items()}
    found = [s for s in SEPARATORS if headings and first[s] >= set(headings)]
    found += [s for s, (_, widths) in parsed.items() if widths and min(widths) > 1]
    regular = [s for s in found if len(parsed[s][1]) == 1]
    wide = [s for s, (cells, _) in parsed.items() if len(cells) > 1]
    return next(iter((*regular, *found, *wide)), ",")


def _widths(text: str, separator: str) -> tuple[list[str], set[int]]:
    """The first cells, and how many columns there are in a line; nothing where it is no CSV."""
    reader: Iterator[list[str]] = csv.reader(
        io.StringIO(text, newline=""), delimiter=separator, strict=True
    )
    try:
        rows = [cells for cells in reader if cells]
    except csv.Error:
        return [], set()
    return (rows[0] if rows else []), {len(cells) for cells in rows}


def read_incidences(
    path: PathLike,
    columns: tuple[str, str, str],
    delimiter: str | None,
    heading: bool,
    max_bytes: int | None,
) -> list[Incidence]:
    """Read the incidences of a file, whose columns of nodes, hyperedges and weights are named."""
    found = read_rows(path, delimiter, columns[:2] if heading else (), max_bytes).rows
    if not found:
        raise ValueError(f"{path} is empty; its first line must name the columns: node,hyperedge")
    rows = []
    line = found[0].line
    try:
        if heading:
            named = _heading([cell.strip() for cell in found[0].cells], columns)
        else:
            named = _unnamed(len(found[0].cells), columns)
        for line, cells in found[1 if heading else 0 :]:
            rows.append(_row(line, dict(zip(named, cells)), columns))
    except ValueError as error:
        raise ValueError(f"{path}, line {line}: {error}") from None
    return rows


def _heading(cells: list[str], columns: tuple[str, str, str]) -> list[str]:
    for name, least in zip(columns, (1, 1, 0)):
        if not least <= cells.count(name) <= 1:
            raise ValueError(
                f"the columns are {cells!r:.80}, and {name!r} must be there once; say with node=, "
                "hyperedge= and weight= what the columns are called, or with heading=False that "
                "the first line names none"
            )
    repeated = next((name for name, times in Counter(cells).items() if times > 1), None)
    if repeated is not None:
        raise ValueError(f"two columns are called {repeated!r}; rename one")
    return cells


def _unnamed(count: int, columns: tuple[str, str, str]) -> list[str]:
    if not 2 <= count <= 3:
        raise ValueError(
            f"{count} columns; without a heading they must be node, hyperedge and, if there is a "
            "third, weight"
        )
    return list(columns[:count])


def _row(line: int, cells: dict[str, str], columns: tuple[str, str, str]) -> Incidence:
    node, hyperedge = (cells[name] for name in columns[:2])
    for name, cell in zip(columns, (node, hyperedge)):
        if not cell.strip():
            raise ValueError(f"column {name!r} is blank; every line needs a node and a hyperedge")
    rest = {k: v.strip() for k, v in cells.items() if k not in columns and v.strip()}
    if columns[2] not in cells:
        return Incidence(line, node, hyperedge, None, rest)
    try:
        weight = float(cells[columns[2]])
    except ValueError:
        weight = math.nan
    if not is_positive(weight):
        raise ValueError(
            f"column {columns[2]!r} is {cells[columns[2]]!r:.40}; weights must be positive "
            f"numbers, {RANGE}"
        )
    return Incidence(line, node, hyperedge, weight, rest)
