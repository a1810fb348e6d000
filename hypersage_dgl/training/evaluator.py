"""Score predictions: accuracy, macro-F1 and accuracy by class, for all and for connected nodes."""

from __future__ import annotations

from dataclasses import dataclass

import dgl
import torch
from torch import Tensor

from ..hypergraphs import CONTAINS
from .checks import as_labels, check_targets, node_ids


@dataclass(frozen=True)
class Scores:
    """Fractions from 0 to 1 on one set of nodes; NaN where there is nothing to score.

    ``per_class`` is the recall of each class; a class without a node is NaN there and left out of
    ``macro_f1``. For multi-label targets ``accuracy`` counts single labels and ``per_class`` is
    each label's F1. ``connected_accuracy`` leaves out the nodes in no hyperedge, which a hypergraph
    cannot help.
    """

    accuracy: float
    macro_f1: float
    connected_accuracy: float
    per_class: tuple[float, ...]
    nodes: int
    connected_nodes: int


def evaluate(
    logits: Tensor, labels: Tensor, nodes: Tensor, graph: dgl.DGLGraph | None = None
) -> Scores:
    """Score the logits of all nodes on some of them.

    Parameters
    ----------
    logits
        One row for each node.
    labels
        Class of each node, or a 0/1 row of labels for each node (multi-label).
    nodes
        Boolean mask over all nodes, or ids.
    graph
        The hypergraph, for the accuracy on connected nodes; without it, all count as connected.

    Examples
    --------
    >>> logits = torch.tensor([[2.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    >>> evaluate(logits, torch.tensor([0, 1, 1]), torch.tensor([True, True, True])).accuracy
    0.6666666666666666
    """
    ids = node_ids(nodes, len(logits), "score").to(logits.device)
    target = as_labels(labels, len(logits)).to(logits.device)[ids]
    check_targets(target, logits.shape[1], every=False)
    if not bool(torch.isfinite(logits[ids]).all()):
        raise ValueError("logits hold NaN or infinite values; look for them in the features")
    kept = torch.ones(len(ids), dtype=torch.bool)
    if graph is not None:
        kept = (graph.in_degrees(etype=CONTAINS) > 0).cpu()[ids.cpu()]
    multi_label = target.dim() == 2
    predicted = (logits[ids] > 0).long() if multi_label else logits[ids].argmax(dim=1)
    is_right = (predicted == target).double().cpu()
    true_positive, support, claimed = _counts(predicted, target, logits.shape[1], multi_label)
    f1 = 2 * true_positive / (support + claimed)
    recall = true_positive / support
    occurs = support > 0
    return Scores(
        accuracy=float(is_right.mean()),
        macro_f1=float(f1[occurs].mean()),
        connected_accuracy=float(is_right[kept].mean()),
        per_class=tuple((f1 if multi_label else recall).tolist()),
        nodes=len(ids),
        connected_nodes=int(kept.sum()),
    )


def _counts(
    predicted: Tensor, target: Tensor, num_classes: int, multi_label: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """Hits, occurrences and claims of each class."""
    if not multi_label:
        eye = torch.eye(num_classes, dtype=torch.float64, device=target.device)
        predicted, target = eye[predicted], eye[target]
    predicted, target = predicted.double().cpu(), target.double().cpu()
    return (predicted * target).sum(0), target.sum(0), predicted.sum(0)
