"""The outline of a hyperedge: the convex hull of disks around its members."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.spatial import ConvexHull

Points = np.ndarray[Any, np.dtype[np.float64]]
CORNERS = 48


def hull(members: Points, radius: float) -> Points:
    """Corners of the hull, counterclockwise: rounded, a thick line for two, a circle for one.

    Parameters
    ----------
    members
        Positions of the members, one row each.
    radius
        Space between a member and the outline.

    Examples
    --------
    >>> outline = hull(np.array([[0.0, 0.0], [3.0, 0.0]]), radius=1.0)
    >>> outline.min(axis=0).round(3).tolist(), outline.max(axis=0).round(3).tolist()
    ([-1.0, -1.0], [4.0, 1.0])
    """
    angles = np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)
    disk = radius * np.stack((np.cos(angles), np.sin(angles)), axis=1)
    points = (members[:, None, :] + disk[None, :, :]).reshape(-1, 2)
    outline: Points = points[ConvexHull(points).vertices]
    return outline


def levels(hyperedges: Sequence[Sequence[int]]) -> list[int]:
    """A level for each hyperedge so that those with a common member differ: the outlines do too.

    Small hyperedges come first and get the low levels.

    Examples
    --------
    >>> levels([[0, 1, 2], [2, 3], [4, 5], [0, 1, 2]])
    [1, 0, 0, 2]
    """
    found = [0] * len(hyperedges)
    taken: dict[int, set[int]] = {}
    for number in sorted(range(len(hyperedges)), key=lambda n: (len(hyperedges[n]), n)):
        used = set().union(*(taken.get(node, set()) for node in hyperedges[number]))
        found[number] = next(level for level in range(len(hyperedges) + 1) if level not in used)
        for node in hyperedges[number]:
            taken.setdefault(node, set()).add(found[number])
    return found
