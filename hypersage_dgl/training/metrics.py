"""Score labels, numbers and rankings: F1, absolute error and R², AUROC and average precision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import dgl
import torch
from torch import Tensor, nn

from ..data import CLASSIFICATION, MULTILABEL
from .checks import as_labels, check_targets, node_ids, num_outputs, require_real
from .evaluator import SCORE, evaluate, outputs_on
from .tasks import PREDICTION, as_columns, check_task


@dataclass(frozen=True)
class LabelScores:
    """Scores of multi-label predictions on some nodes, from 0 to 1.

    ``micro_f1`` counts all pairs of node and label alike, ``macro_f1`` is the mean of
    ``per_label``, the F1 of each label, over those that some node has.
    ``mean_average_precision`` ranks the nodes for each of these labels, and needs no threshold; it
    is NaN without scikit-learn.
    """

    micro_f1: float
    macro_f1: float
    mean_average_precision: float
    per_label: tuple[float, ...]
    nodes: int


@dataclass(frozen=True)
class NumberScores:
    """Scores of predicted numbers on some nodes.

    ``mae`` is the mean absolute error and ``rmse`` the root of the mean squared one, both in the
    unit of the numbers. ``r2`` is the share of the variance that is explained: 1 at best, 0 for
    the mean of these nodes, negative if worse; where all numbers are equal, 1 if they are met and
    else 0. With several numbers a node, all are means over these.
    """

    mae: float
    rmse: float
    r2: float
    nodes: int


def evaluate_labels(logits: Tensor, labels: Tensor, nodes: Tensor) -> LabelScores:
    """Score multi-label logits, a row for each node, on some nodes; a label is on from 0 up.

    Examples
    --------
    >>> logits = torch.tensor([[2.0, -1.0], [1.0, 1.0], [-3.0, 1.0]])
    >>> truth = torch.tensor([[1, 0], [1, 1], [1, 0]])
    >>> evaluate_labels(logits, truth, torch.arange(3)).micro_f1
    0.75
    """
    outputs = num_outputs(logits)
    ids = node_ids(nodes, len(logits), SCORE)
    rows = as_labels(labels, len(logits))
    if rows.dim() != 2:
        raise ValueError(
            f"labels have shape {tuple(rows.shape)}; give a 0/1 row of {outputs} labels for each "
            "node, or score classes with evaluate"
        )
    found, truth = logits[ids.to(logits.device)].cpu(), rows[ids.to(rows.device)].cpu()
    check_targets(truth, outputs)
    _require_finite(found)
    on, truth = (found > 0).double(), truth.double()
    hits, support, claimed = (on * truth).sum(0), truth.sum(0), on.sum(0)
    f1 = 2 * hits / (support + claimed)
    occurs = support > 0
    # A label that all nodes have ranks none of them wrong.
    ranked = [
        average_precision(truth[:, k], found[:, k]) if support[k] < len(ids) else 1.0
        for k in occurs.nonzero().flatten().tolist()
        if can_rank()
    ]
    return LabelScores(
        micro_f1=float(2 * hits.sum() / (support.sum() + claimed.sum())),
        macro_f1=float(f1[occurs].mean()),
        mean_average_precision=sum(ranked) / len(ranked) if ranked else float("nan"),
        per_label=tuple(f1.tolist()),
        nodes=len(ids),
    )


def evaluate_numbers(outputs: Tensor, numbers: Tensor, nodes: Tensor) -> NumberScores:
    """Score predicted numbers, one or a row of them for each node, on some nodes.

    Examples
    --------
    >>> evaluate_numbers(torch.tensor([1.0, 2.0, 6.0]), torch.tensor([1.0, 2, 3]), torch.arange(3))
    NumberScores(mae=1.0, rmse=1.7320508075688772, r2=-3.5, nodes=3)
    """
    for values, what in ((outputs, "outputs"), (numbers, "numbers")):
        require_real(values, what)
    if outputs.dim() not in (1, 2) or numbers.shape[:1] != outputs.shape[:1]:
        raise ValueError(
            f"numbers of shape {tuple(numbers.shape)} for outputs of shape {tuple(outputs.shape)}; "
            "give a number, or a row of them, for each node, and as many outputs"
        )
    ids = node_ids(nodes, len(outputs), SCORE)
    found, truth = outputs[ids.to(outputs.device)].cpu(), numbers[ids.to(numbers.device)].cpu()
    found = (found.unsqueeze(1) if found.dim() == 1 else found).double()
    truth = as_columns(truth, found).double()
    _require_finite(found)
    if not bool(torch.isfinite(truth).all()):
        raise ValueError("a node to score has no number; leave it out")
    residual = ((found - truth) ** 2).sum(0)
    total = ((truth - truth.mean(0)) ** 2).sum(0)
    met = (residual == 0).double()
    r2 = torch.where(total > 0, 1 - residual / total.clamp_min(1e-300), met)
    return NumberScores(
        mae=float((found - truth).abs().mean()),
        rmse=float((residual / len(ids)).sqrt().mean()),
        r2=float(r2.mean()),
        nodes=len(ids),
    )


def score_on(
    graph: dgl.DGLGraph,
    feat: Tensor,
    labels: Tensor,
    nodes: Tensor,
    *,
    task: str = CLASSIFICATION,
    model: nn.Module | None = None,
) -> Callable[[nn.Module], float]:
    """Make the ``validate`` of a task for :func:`~hypersage_dgl.training.fit`.

    It is :func:`~hypersage_dgl.training.accuracy_on` for classification, micro-F1 for multilabel
    and R² for regression; the other parameters are those of ``accuracy_on``.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> from hypersage_dgl.nn.baselines import MLP
    >>> g, numbers = hypergraph([[0, 1], [2, 3]]), torch.tensor([1.0, 2.0, 3.0, 4.0])
    >>> validate = score_on(g, torch.eye(4), numbers, torch.tensor([1, 3]), task="regression")
    >>> validate(MLP(4, 8, 1)) <= 1
    True
    """
    if check_task(task) == PREDICTION:
        raise ValueError("task is 'hyperedge', and score_on scores nodes; take auroc_on")
    outputs = outputs_on(graph, feat, labels, nodes, model=model)
    return lambda model: score_of(*outputs(model), task)


def score_of(found: Tensor, truth: Tensor, task: str) -> float:
    """The one score of a task that validation goes by: accuracy, micro-F1 or R²."""
    every = torch.arange(len(found))
    if task == CLASSIFICATION:
        return evaluate(found, truth, every).accuracy
    return (
        _micro_f1(found, truth) if task == MULTILABEL else evaluate_numbers(found, truth, every).r2
    )


def _micro_f1(logits: Tensor, labels: Tensor) -> float:
    """Without a ranking, which a score after each epoch does not need; 0 without any label."""
    check_targets(labels, logits.shape[1])
    _require_finite(logits)
    on, truth = logits > 0, labels > 0
    count = int(on.sum() + truth.sum())
    return 2 * int((on & truth).sum()) / count if count else 0.0


def _require_finite(found: Tensor) -> None:
    if not bool(torch.isfinite(found).all()):
        raise ValueError("the outputs hold NaN or infinite values; look for them in the features")


def auroc(truth: Tensor, scores: Tensor) -> float:
    """Chance that a positive has a higher score than a negative; ties count half.

    Parameters
    ----------
    truth
        1 for positives, 0 for negatives.
    scores
        A score for each, higher for what looks positive.

    Examples
    --------
    >>> import torch
    >>> auroc(torch.tensor([1, 0, 1, 0]), torch.tensor([0.9, 0.1, 0.4, 0.6]))
    0.75
    """
    return _by_sklearn("roc_auc_score", truth, scores)


def average_precision(truth: Tensor, scores: Tensor) -> float:
    """Precision at each positive of the ranking, on average, as in :func:`auroc`.

    Examples
    --------
    >>> import torch
    >>> average_precision(torch.tensor([1, 0, 1, 0]), torch.tensor([0.9, 0.1, 0.4, 0.6]))
    0.8333333333333333
    """
    return _by_sklearn("average_precision_score", truth, scores)


def can_rank() -> bool:
    """Whether scikit-learn is installed, which is an extra."""
    return find_spec("sklearn") is not None


def _by_sklearn(name: str, truth: Tensor, scores: Tensor) -> float:
    kinds = set(truth.tolist())
    if kinds != {0, 1}:
        raise ValueError(
            f"truth has the values {sorted(kinds)}; a ranking needs positives, 1, and negatives, 0"
        )
    try:
        metrics: Any = import_module("sklearn.metrics")
    except ImportError:
        raise ImportError(
            "AUROC and average precision need scikit-learn: pip install 'hypersage-dgl[scores]'"
        ) from None
    return float(getattr(metrics, name)(truth.cpu().numpy(), scores.detach().cpu().numpy()))
