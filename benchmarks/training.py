"""Training: an epoch on dblp, full graph and minibatches.

Two layers, hidden width 32, Adam, the same dropout before both layers on either side. The peers
project before they aggregate and know no power mean; HyperSAGE aggregates the wide features first,
as its paper says. Minibatches are eight batches of 1,024 nodes with alpha 5. A mask over the wide
features costs torch more than ours costs us, so the comparisons without dropout are those of the
layers. At p=0.01 nothing of the kept first layer is zero, so an epoch is a product with all of it;
the goal of 0.25 is that of p=1. Peak memory of training by the library itself, ``ours`` without
``own loop``, should stay below 0.9 GB (858 MiB); a loop of one's own holds dense features.
``cached=True`` keeps what no epoch changes for such a loop. The last comparison runs beside another
process for each core, that computes all the time: there threads wait for one another at every
operation, so ``fit`` takes one for small steps.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import Any

from hypersage_dgl.data import LabelledHypergraph, load
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import (
    Batch,
    FullGraph,
    Minibatches,
    fit,
    sampler_for,
    seed_everything,
)

import dgl
import torch
import torch.nn.functional as F
from torch import nn

from .measure import Case, Comparison, Settings, Step
from .peers import HIDDEN, BothHops, Peer, dense, present

ALPHA, BATCH = 5, 1024
NO_MINIBATCHES = "trains on the whole hypergraph alone"


def comparisons(settings: Settings) -> Iterator[Comparison]:
    """Full graph and minibatches, without and with dropout, and beside busy neighbours."""
    peers, missing = present()
    for dropout in (0.0, 0.5):
        mask = f"dropout {dropout:g}"
        cases = [
            Case(peer.name, partial(of_peer, settings, peer, dropout), is_reference=True)
            for peer in peers
        ]
        cases += [
            Case("ours, p=1", partial(ours, settings, dropout), goal=0.25),
            Case("ours, p=0.01", partial(ours, settings, dropout, p=0.01)),
            Case("ours, every node labelled", partial(ours, settings, dropout, all=True), goal=0.5),
            Case("ours, own loop", partial(own_loop, settings, dropout)),
            Case("ours, own loop, p=0.01", partial(own_loop, settings, dropout, p=0.01)),
            Case("ours, own loop, sparse", partial(own_loop, settings, dropout, sparse=True)),
        ]
        for p in (1.0, 0.01):
            kept = partial(own_loop, settings, dropout, p=p, cached=True)
            cases.append(Case(f"ours, own loop, cached, p={p:g}", kept, goal=1.5))
        yield Comparison(f"full graph, {mask}", cases, settings.repeats(5), missing)
    for dropout in (0.0, 0.5):
        cases = [
            Case("DGL SAGEConv", partial(sage_batches, settings, dropout), is_reference=True),
            Case("ours, sparse", partial(our_batches, settings, dropout), goal=0.6),
            Case("ours, dense", partial(our_batches, settings, dropout, is_dense=True), goal=1.0),
            Case("ours, sparse, p=0.01", partial(our_batches, settings, dropout, p=0.01)),
        ]
        none = {peer.name: NO_MINIBATCHES for peer in peers if peer.package != "dgl"}
        name = f"minibatches, dropout {dropout:g}"
        yield Comparison(name, cases, settings.repeats(3), {**missing, **none})
    cases = [
        *(Case(peer.name, partial(of_peer, settings, peer, 0.0), True) for peer in peers[:1]),
        Case("ours, p=1", partial(ours, settings, 0.0)),
        Case("ours, p=1, by fit", partial(fitted, settings, 0.0), goal=1.0),
    ]
    busy = os.cpu_count() or 1
    yield Comparison("full graph, busy machine", cases, settings.repeats(5), {}, busy, False)


@cache
def opened(settings: Settings) -> LabelledHypergraph:
    """The data set, with its first split."""
    return load(settings.dataset, data_dir=settings.data_dir)


def epoch_of(
    model: nn.Module, batches: Callable[[], Iterable[Batch]], whole: tuple[Any, ...] = ()
) -> Step:
    """An epoch of the loop that everyone writes; ``whole`` is what a peer is called with."""
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)

    def epoch() -> None:
        model.train()
        for batch in batches():
            inputs = whole or (batch.graph, batch.feat)
            loss = F.cross_entropy(model(*inputs)[batch.rows], batch.labels)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()

    return epoch


def of_peer(settings: Settings, peer: Peer, dropout: float) -> Step:
    """A peer's model on everything."""
    seed_everything(0)
    data = opened(settings)
    model, inputs = peer.build(data, dropout)
    train = data.splits[0].train
    batch = Batch(data.graph, data.require_feat(), data.require_labels()[train], train)
    return epoch_of(model, lambda: [batch], inputs)


def our_model(
    data: LabelledHypergraph, p: float, dropout: float, cached: bool = False
) -> HyperSAGE:
    """The model that is compared."""
    seed_everything(0)
    return HyperSAGE(data.num_feats, HIDDEN, data.num_classes, 2, p, dropout, cached=cached)


def ours(settings: Settings, dropout: float, p: float = 1.0, all: bool = False) -> Step:
    """What the library trains with: the receptive field of the labelled nodes, cut once."""
    data = opened(settings)
    model = our_model(data, p, dropout)
    nodes = torch.arange(data.num_nodes) if all else data.splits[0].train
    batches = FullGraph(data.graph, data.require_feat(), data.require_labels(), nodes, model=model)
    return epoch_of(model, lambda: batches)


def fitted(settings: Settings, dropout: float) -> Step:
    """An epoch of the library's own loop, which takes as many threads as a step is worth."""
    data = opened(settings)
    model, nodes = our_model(data, 1.0, dropout), data.splits[0].train
    batches = FullGraph(data.graph, data.require_feat(), data.require_labels(), nodes, model=model)
    return lambda: fit(model, batches, epochs=1, progress=False)


def own_loop(
    settings: Settings, dropout: float, p: float = 1.0, sparse: bool = False, cached: bool = False
) -> Step:
    """The bare model on everything, as in a loop that knows nothing of the library."""
    data = opened(settings)
    model, train = our_model(data, p, dropout, cached), data.splits[0].train
    feat = data.require_feat() if sparse else dense(data)
    batch = Batch(data.graph, feat, data.require_labels()[train], train)
    return epoch_of(model, lambda: [batch])


def our_batches(settings: Settings, dropout: float, p: float = 1.0, is_dense: bool = False) -> Step:
    """Sampled neighbourhoods."""
    data = opened(settings)
    model, feat = our_model(data, p, dropout), dense(data) if is_dense else data.require_feat()
    sampler = sampler_for(model, data.graph, ALPHA)
    parts = (data.graph, feat, data.require_labels(), seeds_of(data), sampler)
    batches = Minibatches(*parts, batch_size=BATCH, model=model)
    return epoch_of(model, lambda: batches)


def sage_batches(settings: Settings, dropout: float) -> Step:
    """The same samples for DGL's layers, with dense features as DGL's users have them."""
    seed_everything(0)
    data = opened(settings)
    model = BothHops(data.num_feats, data.num_classes, dropout)
    graph = data.graph.local_var()
    graph.nodes["node"].data["feat"] = dense(data)
    graph.nodes["node"].data["label"] = data.require_labels()
    sampler = HyperSAGESampler(2, ALPHA, prefetch_node_feats=["feat"], prefetch_labels=["label"])
    seeds = {"node": seeds_of(data)}
    loader = dgl.dataloading.DataLoader(graph, seeds, sampler, batch_size=BATCH, shuffle=True)

    def batches() -> Iterator[Batch]:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Dataloader CPU affinity")
            for _, _, pairs in loader:
                feat = pairs[0][0].srcnodes["node"].data["feat"]
                yield Batch(pairs, feat, pairs[-1][1].dstnodes["node"].data["label"])

    return epoch_of(model, batches)


def seeds_of(data: LabelledHypergraph) -> torch.Tensor:
    """Nodes of eight batches."""
    return torch.randperm(data.num_nodes, generator=torch.Generator().manual_seed(0))[: 8 * BATCH]
