"""Checks: what looking costs, beside the call that looks.

A model of two layers over the whole hypergraph, with sparse features and no gradient. That both
relations hold the same incidences is seen once for each graph; afterwards a look only tells that
the graph is still the same. Indices of sparse features are gone through in every call. The sampler
of HyperSAGE, which also counts sizes and degrees, is held against DGL's own under "sampling".
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from hypersage_dgl._utils import GraphCache, check_feat
from hypersage_dgl.hypergraphs import check_relations

from .inference import quietly
from .measure import Case, Comparison, Settings, Step
from .training import opened, our_model


def comparisons(settings: Settings) -> Iterator[Comparison]:
    """One, of a forward and of each look that it takes."""
    cases = [
        Case("a whole forward", partial(forward, settings), is_reference=True),
        Case("relations, a graph seen before", partial(relations, settings), goal=0.01),
        Case("relations, a new graph", partial(relations, settings, is_new=True), goal=0.1),
        Case("indices of sparse features", partial(features, settings), goal=0.1),
    ]
    yield Comparison("a call", cases, settings.repeats(15), weighed=False)


def forward(settings: Settings) -> Step:
    """All of it, looks included."""
    data = opened(settings)
    return quietly(our_model(data, 1.0, 0.0), data.graph, data.require_feat())


def relations(settings: Settings, is_new: bool = False) -> Step:
    """Whether both relations hold the same incidences."""
    graph, cache = opened(settings).graph, GraphCache()
    check_relations(graph, cache)
    return lambda: check_relations(graph, GraphCache() if is_new else cache)


def features(settings: Settings) -> Step:
    """Whether an index leads out of its tensor, or stands there twice."""
    feat = opened(settings).require_feat()
    return lambda: check_feat(feat)
