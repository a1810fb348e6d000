"""What a model says of a task's nodes: by all of their neighbourhood, or by samples of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from torch import Tensor, nn

from ..data import LabelledHypergraph
from ..nn import HyperSAGE
from ..training import Predictor, accuracy_on, sampled_logits


def full_scores(
    predictor: Predictor, task: LabelledHypergraph, device: str, batch_size: int | None = None
) -> Tensor:
    """Probabilities of the classes of every node, by its full neighbourhood."""
    graph, feat = task.graph.to(device), task.require_feat().to(device)
    return predictor.predict(graph, feat, batch_size).probabilities.cpu()


def sampled_scores(
    model: HyperSAGE, task: LabelledHypergraph, nodes: Tensor, sampling: Mapping[str, Any]
) -> Tensor:
    """Logits of some nodes by sampled neighbourhoods, in a row for each node of the hypergraph."""
    return sampled_logits(model, task.graph, task.require_feat(), nodes, **sampling).cpu()


def validator(
    model: nn.Module, task: LabelledHypergraph, device: str
) -> Callable[[nn.Module], float]:
    """Accuracy on the validation nodes, whose receptive field is cut only once."""
    nodes = task.part("val")
    if len(nodes) == 0:
        raise ValueError(f"{task.name} has no validation nodes; --val-fraction 0.2 makes some")
    parts = (task.graph, task.require_feat(), task.require_labels(), nodes)
    return accuracy_on(*(part.to(device) for part in parts), model=model)
