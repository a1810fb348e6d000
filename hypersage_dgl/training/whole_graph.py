"""Training on a whole hypergraph of any model that is called as ``model(graph, feat)``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import dgl
import torch
from torch import Tensor

from .._utils import select_rows
from ..hypergraphs import HYPEREDGE, IN, NODE
from ..nn import HyperSAGE
from ..nn.baselines import Baseline
from .batches import TRAIN, Batch
from .checks import as_labels, check_feat, node_ids
from .receptive_field import within_reach


class WholeGraph:
    """One batch an epoch: the model on all nodes that count, scored on the nodes to train on.

    For a model that says its ``reach``, as the baselines do, these are the nodes that a logit of a
    node to train on depends on, cut out once with their hyperedges; for any other, such as
    :class:`~hypersage_dgl.nn.HyperSAGE`, for which there is
    :class:`~hypersage_dgl.training.FullGraph`, they are all nodes.

    A model with a method ``penalty(graph, logits)``, such as
    :class:`~hypersage_dgl.nn.baselines.MLPHLR`, is trained on the loss plus that penalty, divided
    by the number of nodes to train on as the mean loss is, whatever the objective; the loss that is
    logged is the objective's alone.

    Parameters
    ----------
    model
        The model to train, on the device of the graph and the features.
    graph, feat, labels
        The hypergraph, and features (dense or sparse) and labels of all its nodes.
    nodes
        Ids of the nodes to train on, or a boolean mask.
    prune
        Switch off the cut. It changes no logit, but which entries dropout meets, so that runs with
        dropout differ as those of two seeds do. A baseline that keeps what it derives from a graph
        derives it anew whenever the graph changes, as between the cut and a validation on all
        nodes: with a large clique expansion and a score after each epoch, do not cut.

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
        *,
        prune: bool = True,
    ) -> None:
        count = graph.num_nodes(NODE)
        # All that is asked of the model here is the width and the type of its first layer.
        check_feat(feat, cast(HyperSAGE, model), count)
        self.model, self.graph, self.feat = model, graph, feat
        self.nodes = node_ids(nodes, count, TRAIN)
        self.targets = as_labels(labels, count)[self.nodes]
        self.options = {"batches": "WholeGraph", "model": type(model).__name__, "prune": prune}
        # Where the nodes to train on are among the rows of the logits.
        self._places = self.nodes
        # A gradient must find its way to all features in every epoch anew.
        self._rows: Tensor | None = None
        reach = _reach(model, graph) if prune else None
        if reach is not None:
            rows, cut = within_reach(graph, self.nodes, reach)
            if len(rows) < count:
                self._take(rows, cut)

    def _take(self, rows: Tensor, cut: dgl.DGLGraph) -> None:
        """Train on a hypergraph cut to these nodes."""
        self.graph = cut
        self._places = torch.searchsorted(rows, self.nodes.to(rows.device))
        if self.feat.requires_grad:
            self._rows = rows
        else:
            self.feat = select_rows(self.feat, rows)

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[Batch]:
        feat = self.feat if self._rows is None else select_rows(self.feat, self._rows)
        logits = self.model(self.graph, feat)
        penalty = getattr(self.model, "penalty", None)
        if penalty is not None:
            # The penalty is a sum, the loss a mean: divided alike, lambda weighs sum against sum.
            added: Tensor = penalty(self.graph, logits) / len(self.nodes)
            logits = _Penalised.apply(logits, added)  # type: ignore[no-untyped-call]
        yield Batch(logits[self._places], self.targets)


def _reach(model: Baseline | HyperSAGE, graph: dgl.DGLGraph) -> int | None:
    """How far the model sees, or None if it must have the hypergraph as it is."""
    weights = (graph.edges[IN].data.get("weight"), graph.nodes[HYPEREDGE].data.get("weight"))
    # Learned weights change after the cut, and a penalty may read all nodes.
    is_learned = any(weight is not None and weight.requires_grad for weight in weights)
    if is_learned or hasattr(model, "penalty"):
        return None
    return getattr(model, "reach", None)


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
