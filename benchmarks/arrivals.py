"""Arrivals: nodes that come to stay, or leave, and one beside a busy machine.

A commit or a removal against attaching everything again, which is what stands without them.
``predict_new`` of few nodes runs on one thread by itself: several would wait for one another where
other processes compute, as the last comparison shows. Of the peers, none keeps what it derived:
their hypergraphs are built again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial
from itertools import count
from unittest import mock

from hypersage_dgl.training import Predictor
from hypersage_dgl.training.prediction import predictor as module

import torch

from .inference import one_new
from .measure import Case, Comparison, Settings, Step
from .training import opened, our_model

MISSING = dict.fromkeys(("PyG", "DHG", "HyperTorch"), "build and compute everything again")


def comparisons(settings: Settings) -> Iterator[Comparison]:
    """Commits and removals; threads beside busy processes."""
    cases = [
        Case("attach again", partial(attaching, settings), is_reference=True),
        Case("commit a node", partial(committing, settings), goal=0.05),
        Case("remove a node", partial(removing, settings), goal=0.05),
    ]
    yield Comparison("come and go", cases, settings.repeats(9), MISSING)
    busy = os.cpu_count() or 1
    threads = [
        Case("predict_new, all threads", partial(on_all_threads, settings), is_reference=True),
        Case("predict_new", partial(one_new, settings), goal=1.0),
    ]
    name = "one new node, busy machine"
    yield Comparison(name, threads, settings.repeats(15), {}, busy, weighed=False)


def attached(settings: Settings) -> Predictor:
    """A predictor that knows everything."""
    data = opened(settings)
    found = Predictor(our_model(data, 1.0, 0.0))
    found.attach(data.graph, data.require_feat())
    return found


def attaching(settings: Settings) -> Step:
    """All of it again."""
    data, predictor = opened(settings), attached(settings)
    return lambda: predictor.attach(data.graph, data.require_feat())


def committing(settings: Settings) -> Step:
    """A node that joins two hyperedges and brings one."""
    data, predictor, number = opened(settings), attached(settings), count()
    first = predictor.commit().nodes.start
    row = (torch.rand(1, data.num_feats) < 0.03).float()

    def commit() -> None:
        i = next(number)
        joined = sorted({37 * i % data.num_hyperedges, (101 * i + 5) % data.num_hyperedges})
        predictor.commit(row, [joined], [[first + i, 53 * i % first]])

    return commit


def removing(settings: Settings) -> Step:
    """One node after the other."""
    predictor, number = attached(settings), count()
    return lambda: predictor.remove(nodes=[next(number)])


def on_all_threads(settings: Settings) -> Step:
    """As it would be without the rule."""
    predict = one_new(settings)

    def step() -> None:
        with mock.patch.object(module, "one_thread", nullcontext):
            predict()

    return step
