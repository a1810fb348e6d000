"""What one epoch trains on: the whole receptive field at once, or sampled minibatches."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import NamedTuple

import dgl
import torch
from torch import Tensor

from .._utils import is_sparse, require_count, select_rows
from ..dataloading import FanOut, HyperSAGESampler
from ..hypergraphs import HYPEREDGE, IN, NODE
from ..nn import HyperSAGE
from .checks import as_labels, check_feat, node_ids
from .receptive_field import receptive_field

# Up to this share of entries that are not zero, a sparse product on one thread beats a dense one.
SPARSE_DENSITY = 0.1
TRAIN = "train on"


class Batch(NamedTuple):
    """Logits of some nodes, with gradients, and their labels."""

    logits: Tensor
    labels: Tensor


class FullGraph:
    """Exact full-graph training on the receptive field of the labelled nodes, cut once.

    The first layer sees the same features in every epoch, so with a fixed p, without
    ``feat_drop`` and without a gradient to the features its aggregate is computed once and kept.

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
    first
        ``model.first.hidden(graph, feat)`` of all nodes, if you have it: models that differ in
        their weights alone can share it.
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
        first: Tensor | None = None,
    ) -> None:
        self.model, count = model, graph.num_nodes(NODE)
        check_feat(feat, model, count)
        self.nodes = node_ids(nodes, count, TRAIN)
        self.targets = as_labels(labels, count)[self.nodes]
        self.options = {"batches": "FullGraph", "prune": prune, "keep_first": keep_first}
        self.graph: dgl.DGLGraph | list[tuple[dgl.DGLGraph, dgl.DGLGraph]] = graph
        self.feat, self.prune = feat, prune
        # A gradient must find its way to all features in every epoch anew.
        self._rows: Tensor | None = None
        if prune:
            rows, self.graph = receptive_field(graph, self.nodes, model)
            if feat.requires_grad:
                self._rows = rows
            else:
                self.feat = select_rows(feat, rows)
        self.first: Tensor | None = None
        weights = (graph.edges[IN].data.get("weight"), graph.nodes[HYPEREDGE].data.get("weight"))
        learned = [t for t in (feat, *weights) if t is not None and t.requires_grad]
        if keep_first and model.first.is_constant and not learned:
            self.first = _compact(self._hidden(graph, first))

    def _hidden(self, graph: dgl.DGLGraph, of_all: Tensor | None) -> Tensor:
        """First layer up to its parameters, of the nodes that the second one reads."""
        pairs = self.graph if isinstance(self.graph, list) else None
        if of_all is None:
            with torch.no_grad():
                return self.model.first.hidden(pairs[0] if pairs else graph, self.feat)
        if len(of_all) != graph.num_nodes(NODE):
            raise ValueError(
                f"first has {len(of_all)} rows for {graph.num_nodes(NODE)} nodes; give that of the "
                "whole graph"
            )
        if pairs is None:
            return of_all
        return select_rows(of_all, pairs[0][1].dstnodes[NODE].data[dgl.NID].long())

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[Batch]:
        if self.first is None:
            feat = self.feat if self._rows is None else select_rows(self.feat, self._rows)
            logits = self.model(self.graph, feat)
        else:
            logits = self.model.forward_from(self.first, self.graph)
        yield Batch(logits if self.prune else logits[self.nodes], self.targets)


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
        batch_size = require_count(batch_size, "batch_size")
        count = graph.num_nodes(NODE)
        check_feat(feat, model, count)
        # Once, for rows of COO features cannot be taken one by one.
        self.model, self.feat = model, feat.to_sparse_csr() if is_sparse(feat) else feat
        self.labels = as_labels(labels, count)
        self.nodes = node_ids(nodes, count, TRAIN)
        self.device = next(model.parameters()).device
        # Blocks inherit the graph's data; without features and labels they stay small.
        self.graph = graph.local_var()
        for key in set(self.graph.nodes[NODE].data) - {"degree"}:
            self.graph.nodes[NODE].data.pop(key)
        self.sampler = sampler_for(model, graph, alpha, beta)
        self.loading = {"batch_size": batch_size, "shuffle": shuffle, "num_workers": num_workers}
        fan_outs = {"alpha": self.sampler.alpha, "beta": self.sampler.beta}
        self.options = {"batches": "Minibatches", **fan_outs, **self.loading}

    @property
    def targets(self) -> Tensor:
        """Labels of the nodes to train on."""
        return self.labels[self.nodes.to(self.labels.device)]

    def __len__(self) -> int:
        return -(-len(self.nodes) // self.loading["batch_size"])

    def __iter__(self) -> Iterator[Batch]:
        # A loader shuffles what it shuffled last. A new one starts from the nodes as given, so the
        # batches of an epoch depend on the seed alone and a resumed run meets the same ones.
        seeds = {NODE: self.nodes.to(self.graph.device, self.graph.idtype)}
        loader = dgl.dataloading.DataLoader(self.graph, seeds, self.sampler, **self.loading)
        with warnings.catch_warnings():
            # DGL advises pinning workers to cores, which only pays on larger machines.
            warnings.filterwarnings("ignore", message="Dataloader CPU affinity")
            for found, batch, pairs in loader:
                feat = select_rows(self.feat, found[NODE].long().to(self.feat.device))
                pairs = [tuple(block.to(self.device) for block in pair) for pair in pairs]
                labels = self.labels[batch[NODE].long().to(self.labels.device)]
                yield Batch(self.model(pairs, feat.to(self.device)), labels.to(self.device))


@torch.no_grad()
def sampled_logits(
    model: HyperSAGE,
    graph: dgl.DGLGraph,
    feat: Tensor,
    nodes: Tensor,
    *,
    alpha: FanOut = -1,
    beta: FanOut = -1,
    batch_size: int = 1024,
) -> Tensor:
    """Logits of some nodes by sampled neighbourhoods, without dropout; zeros for the others.

    The parameters are those of :class:`Minibatches`, the result has a row for every node of the
    hypergraph. The paper tests with full neighbourhoods (``model.inference``); this shows what
    sampling costs.
    """
    was_training = model.training
    model.eval()
    unused = torch.zeros(graph.num_nodes(NODE), dtype=torch.int64)
    batches = Minibatches(
        model,
        graph,
        feat,
        unused,
        nodes,
        alpha=alpha,
        beta=beta,
        batch_size=batch_size,
        shuffle=False,
    )
    try:
        rows = torch.cat([batch.logits for batch in batches])
    finally:
        model.train(was_training)
    every = rows.new_zeros(graph.num_nodes(NODE), rows.shape[1])
    return every.index_copy(0, batches.nodes.to(rows.device), rows)


def sampler_for(
    model: HyperSAGE, graph: dgl.DGLGraph, alpha: FanOut = -1, beta: FanOut = -1
) -> HyperSAGESampler:
    """Sampler whose blocks carry all that the model's weighting needs."""
    first = model.first
    counts = first.count_neighbors(graph) if first.has_mass else None
    return HyperSAGESampler(len(model.layers), alpha, beta, num_neighbors=counts)


def _compact(hidden: Tensor) -> Tensor:
    """Sparse where that makes an epoch faster, else dense."""
    if hidden.device.type != "cpu" or hidden.numel() == 0:
        return hidden
    stored = hidden.values().numel() if is_sparse(hidden) else int(hidden.count_nonzero())
    if stored < SPARSE_DENSITY * hidden.numel():
        return hidden if is_sparse(hidden) else hidden.to_sparse_csr()
    return hidden.to_dense() if is_sparse(hidden) else hidden
