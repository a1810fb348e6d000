"""Scores of a ranking, by scikit-learn: AUROC and average precision."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from torch import Tensor


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
