"""Score predictions: accuracy, macro-F1 and accuracy by class, for all and for connected nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import dgl
import torch
from torch import Tensor, nn

from ..hypergraphs import CONTAINS, NODE
from ..nn import in_evaluation
from .checks import as_labels, check_targets, node_ids, num_outputs
from .full_graph import FullGraph

SCORE = "score"


@dataclass(frozen=True)
class Scores:
    """Fractions from 0 to 1 on one set of nodes; NaN where there is nothing to score.

    ``per_class`` is the recall of each class; a class without a node is NaN there and left out of
    ``macro_f1``. For multi-label targets ``accuracy`` counts single labels and ``per_class`` is
    each label's F1. The ``connected_`` values leave out the nodes in no hyperedge, which a
    hypergraph cannot help.
    """

    accuracy: float
    macro_f1: float
    per_class: tuple[float, ...]
    nodes: int
    connected_accuracy: float
    connected_macro_f1: float
    connected_per_class: tuple[float, ...]
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
    classes = num_outputs(logits)
    ids = node_ids(nodes, len(logits), SCORE).to(logits.device)
    target = as_labels(labels, len(logits)).to(logits.device)[ids]
    check_targets(target, classes)
    if not bool(torch.isfinite(logits[ids]).all()):
        raise ValueError("logits hold NaN or infinite values; look for them in the features")
    kept = torch.ones(len(ids), dtype=torch.bool, device="cpu")
    if graph is not None:
        kept = (graph.in_degrees(etype=CONTAINS) > 0).cpu()[ids.cpu()]
    multi_label = target.dim() == 2
    predicted = (logits[ids] > 0).long() if multi_label else logits[ids].argmax(dim=1)
    predicted, target = predicted.cpu(), target.cpu()
    accuracy, macro_f1, per_class = _score(predicted, target, classes)
    of_connected = _score(predicted[kept], target[kept], classes)
    return Scores(
        accuracy=accuracy,
        macro_f1=macro_f1,
        per_class=per_class,
        nodes=len(ids),
        connected_accuracy=of_connected[0],
        connected_macro_f1=of_connected[1],
        connected_per_class=of_connected[2],
        connected_nodes=int(kept.sum()),
    )


def accuracy_on(
    graph: dgl.DGLGraph,
    feat: Tensor,
    labels: Tensor,
    nodes: Tensor,
    *,
    model: nn.Module | None = None,
) -> Callable[[nn.Module], float]:
    """Make the usual ``validate`` of :func:`~hypersage_dgl.training.fit`: accuracy on some nodes.

    Parameters
    ----------
    graph, feat, labels, nodes, model
        As in :class:`~hypersage_dgl.training.FullGraph`: with ``model`` all that can be cut off or
        kept is, once, so that the score of an epoch is cheap.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> from hypersage_dgl.nn.baselines import MLP
    >>> g, labels = hypergraph([[0, 1], [2, 3]]), torch.tensor([0, 0, 1, 1])
    >>> validate = accuracy_on(g, torch.eye(4), labels, torch.tensor([1, 3]))
    >>> 0 <= validate(MLP(4, 8, 2)) <= 1
    True
    """
    outputs = outputs_on(graph, feat, labels, nodes, model=model)

    def accuracy(model: nn.Module) -> float:
        logits, wanted = outputs(model)
        return evaluate(logits, wanted, torch.arange(len(logits), device=wanted.device)).accuracy

    return accuracy


def outputs_on(
    graph: dgl.DGLGraph,
    feat: Tensor,
    labels: Tensor,
    nodes: Tensor,
    *,
    model: nn.Module | None = None,
) -> Callable[[nn.Module], tuple[Tensor, Tensor]]:
    """What a model gives for some nodes, and their labels; the parameters of ``accuracy_on``."""
    ids = node_ids(nodes, graph.num_nodes(NODE), SCORE)
    batches = FullGraph(graph, feat, labels, ids, model=model)

    def outputs(model: nn.Module) -> tuple[Tensor, Tensor]:
        batches.check(model)
        (batch,) = batches
        with torch.no_grad():
            return in_evaluation(model)(batch.graph, batch.feat)[batch.rows], batch.labels

    return outputs


@contextmanager
def evaluating(model: nn.Module) -> Iterator[None]:
    """Set a model to evaluation, without gradients; afterwards all is as it was.

    For who trains it alone. What threads may share is computed by ``in_evaluation``.
    """
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for module, mode in modes:
            module.training = mode


def _score(
    predicted: Tensor, target: Tensor, num_classes: int
) -> tuple[float, float, tuple[float, ...]]:
    """Accuracy, macro-F1, and recall (multi-label: F1) of each class."""
    multi_label = target.dim() == 2
    true_positive, support, claimed = _counts(predicted, target, num_classes, multi_label)
    f1 = 2 * true_positive / (support + claimed)
    per_class = f1 if multi_label else true_positive / support
    accuracy = float((predicted == target).double().mean())
    return accuracy, float(f1[support > 0].mean()), tuple(per_class.tolist())


def _counts(
    predicted: Tensor, target: Tensor, num_classes: int, multi_label: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """Hits, occurrences and claims of each class."""
    if not multi_label:
        eye = torch.eye(num_classes, dtype=torch.float64, device=target.device)
        predicted, target = eye[predicted], eye[target]
    predicted, target = predicted.double().cpu(), target.double().cpu()
    return (predicted * target).sum(0), target.sum(0), predicted.sum(0)
