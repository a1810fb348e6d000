"""What one epoch trains on: the whole receptive field at once, or sampled minibatches."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import NamedTuple

import dgl
import torch
from torch import Tensor

from ..dataloading import FanOut, HyperSAGESampler
from ..hypergraphs import NODE, num_neighbors
from ..nn import HyperSAGE
from ..nn.sparse_features import is_sparse, select_rows

# Up to this share of entries that are not zero, a sparse product with its dropout is cheaper.
SPARSE_DENSITY = 0.35


class Batch(NamedTuple):
    """Logits of some nodes, with gradients, and their labels."""

    logits: Tensor
    labels: Tensor


class FullGraph:
    """Exact full-graph training on the receptive field of the labelled nodes, cut once.

    The first layer sees the same features in every epoch, so with a fixed p and without
    ``feat_drop`` its aggregate is computed once and kept.

    Parameters
    ----------
    model
        The model to train, on the device of the graph and the features.
    graph, feat, labels
        The hypergraph, and features (dense or sparse) and labels of all its nodes.
    nodes
        Ids of the nodes to train on, or a boolean mask.
    prune, keep_first
        Switch off the cut to the receptive field, or the kept first aggregate.
    """

    def __init__(
        self,
        model: HyperSAGE,
        graph: dgl.DGLGraph,
        feat: Tensor,
        labels: Tensor,
        nodes: Tensor,
        *,
        prune: bool = True,
        keep_first: bool = True,
    ) -> None:
        self.model, self.nodes = model, node_ids(nodes)
        self.labels = labels[self.nodes]
        self.graph: dgl.DGLGraph | list[tuple[dgl.DGLGraph, dgl.DGLGraph]] = graph
        self.feat, self.prune = feat, prune
        if prune:
            sampler = sampler_for(model, graph)
            found, _, self.graph = sampler.sample(graph, {NODE: self.nodes.to(graph.idtype)})
            self.feat = select_rows(feat, found[NODE].long())
        self.first: Tensor | None = None
        if keep_first and model.first.is_constant:
            with torch.no_grad():
                hidden = model.first.hidden(graph if not prune else self.graph[0], self.feat)
            self.first = _compact(hidden)

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[Batch]:
        if self.first is None:
            logits = self.model(self.graph, self.feat)
        else:
            logits = self.model.forward_from(self.first, self.graph)
        yield Batch(logits if self.prune else logits[self.nodes], self.labels)


class Minibatches:
    """Minibatch training on sampled neighbourhoods.

    Parameters
    ----------
    model, graph, feat, labels, nodes
        As in :class:`FullGraph`; the graph and the features stay where they are, batches go to
        the model's device.
    alpha, beta
        Fan-outs as in :class:`~hypersage_dgl.dataloading.HyperSAGESampler`.
    batch_size
        Nodes to train on at once.
    num_workers
        Processes that sample ahead.
    """

    def __init__(
        self,
        model: HyperSAGE,
        graph: dgl.DGLGraph,
        feat: Tensor,
        labels: Tensor,
        nodes: Tensor,
        *,
        alpha: FanOut = -1,
        beta: FanOut = -1,
        batch_size: int = 1024,
        shuffle: bool = True,
        num_workers: int = 0,
    ) -> None:
        self.model, self.feat, self.labels = model, feat, labels
        self.device = next(model.parameters()).device
        # Blocks inherit the graph's data; without features and labels they stay small.
        bare = graph.local_var()
        for key in set(bare.nodes[NODE].data) - {"degree"}:
            bare.nodes[NODE].data.pop(key)
        self.loader = dgl.dataloading.DataLoader(
            bare,
            {NODE: node_ids(nodes).to(graph.idtype)},
            sampler_for(model, graph, alpha, beta),
            batch_size=batch_size,
            shuffle=shuffle,
            num_workers=num_workers,
        )

    def __len__(self) -> int:
        return len(self.loader)

    def __iter__(self) -> Iterator[Batch]:
        with warnings.catch_warnings():
            # DGL advises pinning workers to cores, which only pays on larger machines.
            warnings.filterwarnings("ignore", message="Dataloader CPU affinity")
            for found, seeds, pairs in self.loader:
                feat = select_rows(self.feat, found[NODE].long().to(self.feat.device))
                pairs = [tuple(block.to(self.device) for block in pair) for pair in pairs]
                labels = self.labels[seeds[NODE].long().to(self.labels.device)]
                yield Batch(self.model(pairs, feat.to(self.device)), labels.to(self.device))


def sampler_for(
    model: HyperSAGE, graph: dgl.DGLGraph, alpha: FanOut = -1, beta: FanOut = -1
) -> HyperSAGESampler:
    """Sampler whose blocks carry all that the model's weighting needs."""
    first = model.first
    counts = num_neighbors(graph, first.include_self) if first.has_mass else None
    return HyperSAGESampler(len(model.layers), alpha, beta, num_neighbors=counts)


def node_ids(nodes: Tensor) -> Tensor:
    """Ids of a mask or of ids, at least one."""
    ids = nodes.nonzero().flatten() if nodes.dtype == torch.bool else nodes.long()
    if len(ids) == 0:
        raise ValueError("there is no node to train on; choose a split that has training nodes")
    return ids


def _compact(hidden: Tensor) -> Tensor:
    if is_sparse(hidden) or hidden.device.type != "cpu":
        return hidden
    density = float((hidden != 0).float().mean()) if hidden.numel() else 1.0
    return hidden.to_sparse_csr() if density < SPARSE_DENSITY else hidden
