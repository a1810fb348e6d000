"""A small hypergraph with everything that can be special in one, models and blocks of it."""

from __future__ import annotations

import math
from typing import NamedTuple

import dgl
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import HyperSAGE

INF = math.inf
INTERS = ["size", "mean", "paper", "invariant"]
POWERS = [1, 2, 0.5, -1, 0, 20, -20, INF, -INF, (1, 2), (INF, 1), (-1, 0.5)]
NODES, WIDTH, CLASSES = 13, 5, 3


class Case(NamedTuple):
    """A hypergraph with features of its nodes."""

    graph: dgl.DGLGraph
    feat: torch.Tensor


def small(
    weighted: bool = True, idtype: torch.dtype = torch.int64, dtype: torch.dtype = torch.float64
) -> Case:
    """Overlapping, equal and singleton hyperedges, isolated nodes 11 and 12, half of feat zero."""
    numbers = torch.Generator().manual_seed(7)
    hyperedges = [
        torch.randperm(NODES - 2, generator=numbers)[: 2 + i % 4].tolist() for i in range(7)
    ]
    hyperedges += [hyperedges[3], [4], [10, 0]]
    weights = {}
    if weighted:
        weights["hyperedge_weight"] = torch.rand(len(hyperedges), generator=numbers) + 0.5
        count = sum(map(len, hyperedges))
        weights["incidence_weight"] = torch.rand(count, generator=numbers) + 0.5
    feat = torch.rand(NODES, WIDTH, generator=numbers, dtype=torch.float64)
    feat = feat * (torch.rand(NODES, WIDTH, generator=numbers) > 0.5)
    return Case(hypergraph(hyperedges, NODES, idtype=idtype, **weights), feat.to(dtype))


def model_for(p=1, layers=2, **options) -> HyperSAGE:
    """Double precision and no dropout unless told, always the same weights."""
    dtype = options.pop("dtype", torch.float64)
    options = {"dropout": 0.0, **options}
    torch.manual_seed(3)
    return HyperSAGE(WIDTH, 8, CLASSES, layers, p, **options).to(dtype)


def weightings(powers=POWERS):
    """All pairs of a power and a weighting but p=0 across weights that do not sum to one."""
    across = {p: p[1] if isinstance(p, tuple) else p for p in powers}
    return [(p, inter) for p in powers for inter in INTERS if across[p] != 0 or inter in INTERS[:2]]
