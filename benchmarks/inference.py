"""Inference: logits of all nodes, and of one that comes in.

``streamed`` goes layer by layer in chunks, exactly, in memory bounded by the chunk. A new node
costs ours its neighbourhood alone; the peers' models have to go over everything again, even before
their hypergraphs are built again. Nothing is dropped out in inference.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from hypersage_dgl.training import Predictor

import torch

from .measure import Case, Comparison, Settings, Step
from .peers import Peer, dense, present
from .training import opened, our_model


def comparisons(settings: Settings) -> Iterator[Comparison]:
    """All nodes; one new node."""
    peers, missing = present()
    cases = [Case(p.name, partial(of_peer, settings, p), is_reference=True) for p in peers]
    everyone = [
        Case("ours, streamed, sparse", partial(streamed, settings)),
        Case("ours, streamed, dense", partial(streamed, settings, is_dense=True)),
        Case("ours, at once, dense", partial(at_once, settings)),
    ]
    yield Comparison("all nodes", [*cases, *everyone], settings.repeats(5), missing)
    new = [Case("ours, predict_new", partial(one_new, settings), goal=0.1)]
    yield Comparison("one new node", [*cases, *new], settings.repeats(9), missing, weighed=False)


def quietly(model: torch.nn.Module, *inputs: object) -> Step:
    """A forward without gradients."""
    model.eval()

    def forward() -> None:
        with torch.no_grad():
            model(*inputs)

    return forward


def of_peer(settings: Settings, peer: Peer) -> Step:
    """A peer over everything."""
    model, inputs = peer.build(opened(settings), 0.0)
    return quietly(model, *inputs)


def streamed(settings: Settings, is_dense: bool = False) -> Step:
    """In chunks, exactly."""
    data = opened(settings)
    model, feat = our_model(data, 1.0, 0.0), dense(data) if is_dense else data.require_feat()
    return lambda: model.inference(data.graph, feat)


def at_once(settings: Settings) -> Step:
    """One forward over everything."""
    data = opened(settings)
    return quietly(our_model(data, 1.0, 0.0), data.graph, dense(data))


def one_new(settings: Settings) -> Step:
    """A node that joins three hyperedges of an attached hypergraph."""
    data = opened(settings)
    predictor = Predictor(our_model(data, 1.0, 0.0))
    predictor.attach(data.graph, data.require_feat())
    row = (torch.rand(1, data.num_feats) < 0.03).float()
    draws = iter(range(0, 10**9, 7))

    def predict() -> None:
        first = next(draws)
        joined = {(first + step) % data.num_hyperedges for step in (0, 101, 977)}
        predictor.predict_new(row, [sorted(joined)])

    return predict
