"""Training on a whole hypergraph of any model that is called as ``model(graph, feat)``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import dgl
import torch
from torch import Tensor

from ..hypergraphs import NODE
from ..nn import HyperSAGE
from ..nn.baselines import Baseline
from .batches import TRAIN, Batch
from .checks import as_labels, check_feat, node_ids


class WholeGraph:
    """One batch an epoch: the model on all nodes, scored on the nodes to train on.

    A model with a method ``penalty(graph, logits)``, such as
    :class:`~hypersage_dgl.nn.baselines.MLPHLR`, is trained on the loss plus that penalty, whatever
    the objective; the loss that is logged is the objective's alone.

    Parameters
    ----------
    model
        The model to train, on the device of the graph and the features.
    graph, feat, labels
        The hypergraph, and features (dense or sparse) and labels of all its nodes.
    nodes
        Ids of the nodes to train on, or a boolean mask.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> from hypersage_dgl.nn.baselines import HGNN
    >>> from hypersage_dgl.training import fit
    >>> g, labels = hypergraph([[0, 1], [2, 3]]), torch.tensor([0, 0, 1, 1])
    >>> model = HGNN(4, 8, 2)
    >>> batches = WholeGraph(model, g, torch.eye(4), labels, torch.tensor([0, 2]))
    >>> history = fit(model, batches, epochs=50)
    >>> model(g, torch.eye(4)).argmax(dim=1)
    tensor([0, 0, 1, 1])
    """

    def __init__(
        self,
        model: Baseline | HyperSAGE,
        graph: dgl.DGLGraph,
        feat: Tensor,
        labels: Tensor,
        nodes: Tensor,
    ) -> None:
        count = graph.num_nodes(NODE)
        # All that is asked of the model here is the width and the type of its first layer.
        check_feat(feat, cast(HyperSAGE, model), count)
        self.model, self.graph, self.feat = model, graph, feat
        self.nodes = node_ids(nodes, count, TRAIN)
        self.targets = as_labels(labels, count)[self.nodes]
        self.options = {"batches": "WholeGraph", "model": type(model).__name__}

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[Batch]:
        logits = self.model(self.graph, self.feat)
        penalty = getattr(self.model, "penalty", None)
        if penalty is not None:
            added: Tensor = penalty(self.graph, logits)
            logits = _Penalised.apply(logits, added)  # type: ignore[no-untyped-call]
        yield Batch(logits[self.nodes], self.targets)


class _Penalised(torch.autograd.Function):
    """The logits as they are, but whatever loss is taken of them, the penalty adds its gradient."""

    @staticmethod
    def forward(ctx: Any, logits: Tensor, penalty: Tensor) -> Tensor:
        ctx.save_for_backward(penalty)
        return logits.view_as(logits)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor]:
        (penalty,) = ctx.saved_tensors
        return grad, torch.ones_like(penalty)
