"""Neighbour counts: |N(v)|, the distinct nodes that share a hyperedge with v.

Exact in chunks, and by sketch, against the product of the incidence matrix with its transpose in
scipy, all at once, which is what one writes without the library. DHG lists the neighbours of one
node at a time, PyG and HyperTorch know of none.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from hypersage_dgl import num_neighbors
from hypersage_dgl.convert import to_scipy

import numpy as np

from .layer import SHAPE, Shape, random_hypergraph
from .measure import Case, Comparison, Settings, Step

LARGE = (300_000, 100_000, 1_000_000)


def comparisons(settings: Settings) -> Iterator[Comparison]:
    """Dblp's shape, and a million incidences with hyperedges of up to some thousands."""
    shapes = {"dblp's shape": SHAPE, "a million incidences": LARGE}
    if settings.quick:
        shapes = {"a few nodes": (400, 200, 1000)}
    for name, shape in shapes.items():
        cases = [
            Case("scipy, at once", partial(by_scipy, shape), is_reference=True),
            Case("ours, exact", partial(counting, shape, "exact"), goal=1.2),
            Case("ours, sketch", partial(counting, shape, "sketch")),
        ]
        yield Comparison(name, cases, settings.repeats(3 if shape == SHAPE else 1))


def counting(shape: Shape, method: str) -> Step:
    """Ours."""
    g = random_hypergraph(shape)
    return lambda: num_neighbors(g, method=method)


def by_scipy(shape: Shape) -> Step:
    """Entries in each row of the whole product."""
    incidence = to_scipy(random_hypergraph(shape)).astype(bool)
    return lambda: np.diff((incidence @ incidence.T).indptr)
