"""Panels of one figure, a row of at most three, and one legend for all of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def panels_shape(count: int) -> tuple[int, int]:
    """Rows and columns for so many panels.

    Examples
    --------
    >>> panels_shape(1), panels_shape(3), panels_shape(4), panels_shape(5)
    ((1, 1), (1, 3), (2, 2), (2, 3))
    """
    columns = 2 if count == 4 else min(count, 3)
    return math.ceil(count / columns), columns


def add_panels(figure: Figure, count: int, share_y: bool = False) -> list[Axes]:
    """Axes for the panels, row by row; with ``share_y`` only the first of a row has labels."""
    made: list[Axes] = []
    for number in range(1, count + 1):
        first = made[0] if share_y and made else None
        made.append(figure.add_subplot(*panels_shape(count), number, sharey=first))
    if share_y:
        _, columns = panels_shape(count)
        for number, axes in enumerate(made):
            axes.tick_params(labelleft=number % columns == 0)
    return made


def add_legend(figure: Figure, handles: Mapping[str, Artist]) -> None:
    """Put the legend where the last row has no panel, or else below all panels."""
    if not handles:
        return
    count = len(figure.axes)
    rows, columns = panels_shape(count)
    artists, names = list(handles.values()), list(handles)
    if count == rows * columns:
        # The longest name takes less than two inches.
        fitting = min(len(names), int(figure.get_figwidth() / 2))
        figure.legend(artists, names, loc="outside lower center", ncols=fitting)
    else:
        free = (1 - 0.5 / columns, 0.5 / rows)
        figure.legend(artists, names, loc="center", bbox_to_anchor=free, fontsize="large")
