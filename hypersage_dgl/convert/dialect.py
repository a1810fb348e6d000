"""Rows of a CSV file, whatever stands between its columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator
from typing import NamedTuple

from .._utils import PathLike, read_text

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
