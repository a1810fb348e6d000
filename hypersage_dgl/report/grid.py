"""The cells of a table as text: ours, the paper's below, and the best in bold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from .spread import Spread

Row = TypeVar("Row")
Column = TypeVar("Column")
DASH = "-"


def grid(
    rows: Sequence[Row],
    columns: Sequence[Column],
    ours: Mapping[tuple[Row, Column], Spread],
    paper: Mapping[tuple[Row, Column], Spread] | None = None,
    *,
    expected_runs: int,
    bold: Iterable[tuple[Row, Column]] = (),
) -> list[list[str]]:
    """Text of all cells; a dash where we have no run, the number of runs where it surprises.

    Examples
    --------
    >>> ours = {("a", "x"): Spread(71.5, 1.9, 80), ("b", "x"): Spread(69.0, 1.0, 3)}
    >>> paper = {("a", "x"): Spread(72.4, 1.6, None)}
    >>> for row in grid(["a", "b"], ["x", "y"], ours, paper, expected_runs=80, bold=[("a", "x")]):
    ...     print(row)
    ['**71.5 ± 1.9**<br>(paper 72.4 ± 1.6)', '-']
    ['69.0 ± 1.0, 3 runs', '-']
    """
    strong = set(bold)
    lines = []
    for row in rows:
        line = []
        for column in columns:
            place = (row, column)
            text = _our_text(ours.get(place), expected_runs, place in strong)
            printed = (paper or {}).get(place)
            line.append(text if printed is None else f"{text}<br>(paper {printed})")
        lines.append(line)
    return lines


def best(
    places: Iterable[tuple[Row, Column]], ours: Mapping[tuple[Row, Column], Spread]
) -> list[tuple[Row, Column]]:
    """Those of the places with the highest mean, to the digit that is shown.

    Examples
    --------
    >>> ours = {(0, 0): Spread(71.52, 1, 9), (1, 0): Spread(71.48, 1, 9), (2, 0): Spread(9, 1, 9)}
    >>> best([(0, 0), (1, 0), (2, 0), (3, 0)], ours)
    [(0, 0), (1, 0)]
    """
    shown = {place: round(ours[place].mean, 1) for place in places if place in ours}
    return [place for place, mean in shown.items() if mean == max(shown.values())]


def _our_text(spread: Spread | None, expected_runs: int, is_best: bool) -> str:
    if spread is None:
        return DASH
    text = f"**{spread}**" if is_best else str(spread)
    if spread.runs == expected_runs:
        return text
    return f"{text}, {spread.runs} run{'' if spread.runs == 1 else 's'}"
