"""Where things lie in a picture: nodes by springs, and the outlines of hyperedges around them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import networkx as nx
import numpy as np
from scipy.spatial import ConvexHull

# Lengths are in units of the usual distance between a node and its nearest.
GAP, LEAST, STEP = 1.5, 0.75, 0.9
Points = np.ndarray[Any, np.dtype[np.float64]]
CORNERS = 48


def layout(hyperedges: Sequence[Sequence[int]], num_nodes: int, seed: int = 0) -> Points:
    """Give each node a position, one row each.

    Each connected part is laid out by springs between nodes and their hyperedges, so that a
    hyperedge draws its members together. The parts stand in rows, the largest first; nodes in no
    hyperedge follow on the right.

    Examples
    --------
    >>> points = layout([[0, 1, 2], [3, 4]], num_nodes=6)
    >>> points.shape, bool(points[5, 0] > points[:5, 0].max())
    ((6, 2), True)
    """
    incidence = nx.Graph()
    for number, members in enumerate(hyperedges):
        incidence.add_edges_from((node, num_nodes + number) for node in members)
    parts = [sorted(part) for part in nx.connected_components(incidence)]
    parts.sort(key=lambda part: (-len(part), part))
    points = np.zeros((num_nodes, 2))
    boxes = []
    for part in parts:
        nodes = [node for node in part if node < num_nodes]
        points[nodes] = _springs(incidence, part, len(nodes), seed)
        boxes.append((nodes, points[nodes].max(axis=0)))
    width, height = _pack(points, boxes)
    isolated = [node for node in range(num_nodes) if node not in incidence]
    rows = max(math.ceil(height / STEP), math.ceil(math.sqrt(len(isolated))))
    for number, node in enumerate(isolated):
        points[node] = width + STEP * (number // rows), -STEP * (number % rows)
    return points


def _springs(incidence: nx.Graph, part: Sequence[int], count: int, seed: int) -> Points:
    """Positions of a part's nodes, which come before its hyperedges, from the origin on."""
    if count == 1:
        return np.zeros((1, 2))
    # A fresh graph: a view of a part may walk over its nodes in another order.
    graph = nx.Graph()
    graph.add_nodes_from(part)
    graph.add_edges_from(incidence.edges(part))
    found = nx.spring_layout(graph, iterations=200, seed=seed)
    points = np.array([found[node] for node in part[:count]])
    points /= np.median(_distances(points).min(axis=1))
    for _ in range(50):
        points = _pushed_apart(points)
    return points - points.min(axis=0)


def _distances(points: Points) -> Points:
    distances: Points = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    return distances


def _pushed_apart(points: Points) -> Points:
    """Move each pair of nodes that is too close to the least distance, half the way each."""
    distances = _distances(points)
    lacking = np.clip(LEAST - distances, 0, None) / 2
    away = (points[:, None] - points[None]) / np.maximum(distances, 1e-9)[..., None]
    moved: Points = points + (lacking[..., None] * away).sum(axis=1)
    return moved


def _pack(points: Points, boxes: Sequence[tuple[list[int], Points]]) -> tuple[float, float]:
    """Move the parts into rows, downwards from the origin; width and height with the gaps."""
    areas = [float(np.prod(size + GAP)) for _, size in boxes]
    limit = max([1.8 * math.sqrt(sum(areas)), *(float(size[0]) + GAP for _, size in boxes)])
    x = y = width = row_height = 0.0
    for nodes, size in boxes:
        if x + size[0] + GAP > limit + 1e-9:
            x, y, row_height = 0.0, y + row_height, 0.0
        points[nodes] += np.array([x, -y - size[1]])
        x += float(size[0]) + GAP
        width, row_height = max(width, x), max(row_height, float(size[1]) + GAP)
    return width, y + row_height


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
