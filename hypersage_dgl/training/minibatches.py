"""Minibatch training on sampled neighbourhoods, and logits by samples."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from functools import partial
from pickle import UnpicklingError
from typing import Any

import dgl
import torch
from torch import Tensor, nn

from .._utils import check_feat, is_autocast, is_mapped, is_sparse, require_count, select_rows
from ..dataloading import FanOut, HyperSAGESampler
from ..hypergraphs import HYPEREDGE, IN, NODE, is_distributed, require_types, stored_neighbors
from ..nn import FirstLayer, HyperSAGE, in_evaluation
from .ahead import ahead
from .batches import Batch
from .checks import TRAIN, as_labels, check_fits, node_ids
from .processes import check_shares, num_ranks, own_share


class Minibatches:
    """Batches of nodes with pairs of blocks that a sampler draws around them.

    Parameters
    ----------
    graph, feat, labels, nodes
        As in :class:`~hypersage_dgl.training.FullGraph`; they stay where they are. Float16 rows of
        :func:`~hypersage_dgl.data.map_features` become float32.
    sampler
        What draws the blocks: :func:`sampler_for` makes the one of a model, and a
        :class:`~hypersage_dgl.dataloading.HyperSAGESampler` serves any ``nn.Module``.
    batch_size
        Nodes to train on at once, those of all ranks together.
    shuffle
        Whether to shuffle the nodes in each epoch.
    num_workers
        Processes that sample ahead.
    device
        Where the batches go, that of the model; by default they stay with the features.
    shared
        Whether the ranks of :func:`~hypersage_dgl.training.joined_ranks`, if there are several,
        share each batch; else each goes through all.
    model
        The :class:`~hypersage_dgl.nn.HyperSAGE` to train, if it is one: while it computes a step,
        threads take the rows of the next batches and, where no step changes it, their first layer
        up to its parameters. The batches and the numbers are the same as without; models with
        another first layer refuse them. On the CPU, and where torch may use several threads.
    use_uva
        Whether a GPU samples from the hypergraph in the memory of the host (DGL's unified virtual
        addressing): for hypergraphs that do not fit on the GPU. Needs a CUDA ``device``, a
        hypergraph on the CPU and no workers.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> from hypersage_dgl.training import fit
    >>> g, labels = hypergraph([[0, 1], [2, 3]]), torch.tensor([0, 0, 1, 1])
    >>> model = HyperSAGE(4, 8, 2)
    >>> sampler = sampler_for(model, g, alpha=2)
    >>> batches = Minibatches(g, torch.eye(4), labels, torch.tensor([0, 2]), sampler)
    >>> len(fit(model, batches, epochs=3).epochs)
    3
    """

    def __init__(
        self,
        graph: dgl.DGLGraph,
        feat: Tensor,
        labels: Tensor,
        nodes: Tensor,
        sampler: HyperSAGESampler,
        *,
        batch_size: int = 1024,
        shuffle: bool = True,
        num_workers: int = 0,
        device: str | torch.device | None = None,
        shared: bool = True,
        model: nn.Module | None = None,
        use_uva: bool = False,
    ) -> None:
        batch_size = require_count(batch_size, "batch_size")
        self.shared = shared and num_ranks() > 1
        if self.shared:
            check_shares(batch_size)
        require_types(graph)
        count = graph.num_nodes(NODE)
        check_feat(feat, rows=count, finite=True)
        # Once, for rows of COO features cannot be taken one by one.
        self.feat = feat.to_sparse_csr() if is_sparse(feat) else feat
        self.model = model if isinstance(model, HyperSAGE) else None
        self.labels = as_labels(labels, count)
        self.nodes = node_ids(nodes, count, TRAIN)
        self.device = feat.device if device is None else torch.device(device)
        # Blocks inherit the graph's data; without features and labels they stay small.
        self.graph = graph.local_var()
        for key in set(self.graph.nodes[NODE].data) - {"degree"}:
            self.graph.nodes[NODE].data.pop(key)
        self.sampler = sampler
        # Once here, and not in each worker of each epoch.
        sampler.check(self.graph)
        self.loading: dict[str, Any] = {
            "batch_size": batch_size,
            "shuffle": shuffle,
            "num_workers": num_workers,
        }
        self.use_uva = use_uva
        if use_uva and (self.device.type != "cuda" or graph.device.type != "cpu" or num_workers):
            raise ValueError(
                f"use_uva samples on a GPU from a hypergraph on the CPU, without workers; these go "
                f"to {self.device}, it is on {graph.device}, num_workers={num_workers}"
            )
        fan_outs = {"alpha": sampler.alpha, "beta": sampler.beta}
        self.options = {"batches": "Minibatches", **fan_outs, **self.loading}

    @property
    def targets(self) -> Tensor:
        """Labels of the nodes to train on."""
        return self.labels[self.nodes.to(self.labels.device)]

    def check(self, model: nn.Module) -> None:
        """Refuse a model that the features do not fit."""
        check_fits(self.feat, model, stored=True)

    def __len__(self) -> int:
        return -(-len(self.nodes) // self.loading["batch_size"])

    def __iter__(self) -> Iterator[Batch]:
        # A loader shuffles what it shuffled last. A new one starts from the nodes as given, so the
        # batches of an epoch depend on the seed alone and a resumed run meets the same ones.
        nodes, counts, loading = self.nodes, [1.0] * len(self), self.loading
        if self.shared:
            nodes, counts = own_share(nodes, loading["batch_size"], bool(loading["shuffle"]))
            own_size = loading["batch_size"] // num_ranks()
            loading = {**loading, "batch_size": own_size, "shuffle": False}
        seeds = {NODE: nodes.to(self.graph.device, self.graph.idtype)}
        if self.use_uva:
            seeds = {NODE: nodes.to(self.device, self.graph.idtype)}
            loading = {**loading, "use_uva": True, "device": self.device}
        loader = dgl.dataloading.DataLoader(self.graph, seeds, self.sampler, **loading)
        batches = _unless_killed(loader) if self.loading["num_workers"] else loader
        with warnings.catch_warnings():
            # DGL advises pinning workers to cores, which only pays on larger machines.
            warnings.filterwarnings("ignore", message="Dataloader CPU affinity")
            drawn = zip(batches, counts)
            if self.model is None or not self._may_be_ahead():
                yield from map(self._made, drawn)
            else:
                yield from ahead(drawn, partial(self._made, model=self.model))

    def _may_be_ahead(self) -> bool:
        """Whether threads may prepare batches: they know nothing of autocast and gradients."""
        frames = (self.graph.edges[IN].data, self.graph.nodes[HYPEREDGE].data)
        is_learned = any(frame[name].requires_grad for frame in frames for name in frame)
        is_learned = is_learned or self.feat.requires_grad
        # Members that are drawn by weight are drawn by torch, as dropout is: each in its turn.
        is_in_turn = is_learned or is_autocast(self.feat) or self.sampler.member_weight is not None
        return self.device.type == "cpu" and not is_in_turn

    def _made(self, drawn: tuple[Any, float], model: HyperSAGE | None = None) -> Batch:
        """The batch of what was sampled, with the first layer where it is one of this model."""
        (found, batch, pairs), counted = drawn
        pairs = [tuple(block.to(self.device) for block in pair) for pair in pairs]
        rows = found[NODE].long().to(self.feat.device)
        feat: Tensor | FirstLayer
        if model is not None and model.first.is_constant:
            feat = model.first_layer(pairs, self.feat, rows=rows)
        else:
            feat = select_rows(self.feat, rows)
            feat = (feat.float() if is_mapped(self.feat) else feat).to(self.device)
        labels = self.labels[batch[NODE].long().to(self.labels.device)]
        return Batch(pairs, feat, labels.to(self.device), share=counted)


def _unless_killed(loader: Iterable[Any]) -> Iterator[Any]:
    """The batches of a loader; one error for a worker that died, wherever torch notices it."""
    try:
        yield from loader
    except (EOFError, OSError, UnpicklingError) as error:
        # What a living worker raised comes with torch's own word for it.
        if "DataLoader worker" in str(error):
            raise
        raise RuntimeError(
            "a DataLoader worker exited unexpectedly, often because memory ran out; train with "
            "fewer workers, or num_workers=0; fit goes on with resume=True"
        ) from error


def sampler_for(
    model: HyperSAGE,
    graph: dgl.DGLGraph,
    alpha: FanOut = -1,
    beta: FanOut = -1,
    member_weight: Tensor | None = None,
) -> HyperSAGESampler:
    """Sampler for as many layers as the model has, whose blocks carry what its weighting needs.

    Parameters
    ----------
    model, graph
        The model and the hypergraph to sample from, a ``DistGraph`` of its parts too.
    alpha, beta, member_weight
        As in :class:`~hypersage_dgl.dataloading.HyperSAGESampler`.
    """
    first, counts = model.first, None
    if first.needs_neighbors and is_distributed(graph):
        counts = stored_neighbors(graph, first.include_self)
    elif first.needs_neighbors:
        counts = first.count_neighbors(graph)
    return HyperSAGESampler(
        len(model.layers), alpha, beta, num_neighbors=counts, member_weight=member_weight
    )


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

    ``alpha`` and ``beta`` are those of :func:`sampler_for`, the others those of
    :class:`Minibatches`; the result has a row for every node of the hypergraph. The paper tests
    with full neighbourhoods (``model.inference``); this shows what sampling costs.
    """
    batches = Minibatches(
        graph,
        feat,
        torch.zeros(graph.num_nodes(NODE), dtype=torch.int64),
        nodes,
        sampler_for(model, graph, alpha, beta),
        batch_size=batch_size,
        shuffle=False,
        device=next(model.parameters()).device,
        shared=False,
    )
    batches.check(model)
    view = in_evaluation(model)
    with torch.no_grad():
        rows = torch.cat([view(batch.graph, batch.feat) for batch in batches])
    every = rows.new_zeros(graph.num_nodes(NODE), rows.shape[1])
    return every.index_copy(0, batches.nodes.to(rows.device), rows)
