"""Sampling: the blocks of one batch of 1,024 nodes, two layers, alpha 5.

Against DGL's own sampler with the same fan-outs, which is what stands below ours: the difference is
what sizes, counts and checks cost. PyG's samplers are for graphs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from hypersage_dgl.dataloading import HyperSAGESampler

import dgl
import torch

from .measure import Case, Comparison, Settings, Step
from .training import ALPHA, BATCH, opened

HOPS = [{"in": ALPHA, "contains": 0}, {"in": 0, "contains": -1}]
NONE = "samples no hyperedges"
MISSING = {
    "PyG NeighborLoader": "samples graphs, and needs pyg-lib",
    "DHG": NONE,
    "HyperTorch": NONE,
}


def comparisons(settings: Settings) -> Iterator[Comparison]:
    """One, of four samplers."""
    weight = partial(ours, settings, weighted=True)
    cases = [
        Case("DGL MultiLayerNeighborSampler", partial(of_dgl, settings), is_reference=True),
        Case("ours", partial(ours, settings), goal=1.5),
        Case("ours, members drawn by weight", weight),
    ]
    yield Comparison("a batch", cases, settings.repeats(15), MISSING)


def seeds_of(settings: Settings) -> dict[str, torch.Tensor]:
    """One batch."""
    return {"node": torch.arange(min(BATCH, opened(settings).num_nodes))}


def ours(settings: Settings, weighted: bool = False) -> Step:
    """HyperSAGESampler, uniform or by degree."""
    g, seeds = opened(settings).graph, seeds_of(settings)
    weight = g.in_degrees(etype="contains").float().clamp(min=1) if weighted else None
    sampler = HyperSAGESampler(2, ALPHA, member_weight=weight)
    return lambda: sampler.sample(g, seeds)


def of_dgl(settings: Settings) -> Step:
    """Four half-hops by DGL alone."""
    g, seeds = opened(settings).graph, seeds_of(settings)
    sampler = dgl.dataloading.MultiLayerNeighborSampler(HOPS * 2, fused=False)
    return lambda: sampler.sample(g, seeds)
