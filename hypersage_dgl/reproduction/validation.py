"""Accuracy on validation nodes as it would be on nodes of the hypergraph's own mix of classes."""

from __future__ import annotations

import math
from dataclasses import replace

import torch
from torch import Tensor

from ..training import Scores
from .bench import Bench
from .recipe import HYPERSAGE, Recipe
from .train import train_by_recipe


def mix_of_classes(bench: Bench, nodes: Tensor, seed: int) -> Tensor:
    """Share of each class among all nodes, as HyperSAGE predicts it by the paper's recipe.

    From the labels of some nodes alone; computed once for the same nodes.
    """
    key = (tuple(nodes.tolist()), seed)
    if key not in bench.mixes:
        logits = train_by_recipe(Recipe(HYPERSAGE), bench, nodes, seed)
        found = torch.bincount(logits.argmax(dim=1), minlength=logits.shape[1])
        bench.mixes[key] = found / len(logits)
    return bench.mixes[key]


def weighted(scores: Scores, mix: Tensor) -> Scores:
    """Scores of nodes drawn class by class, with each class weighed by its share.

    Folds have as many nodes of a rare class as of a frequent one, and test nodes do not: what helps
    rare classes would look better than it is.

    Examples
    --------
    >>> scores = Scores(0.5, 0.5, (1.0, 0.0), 2, 0.5, 0.5, (1.0, float("nan")), 1)
    >>> fair = weighted(scores, torch.tensor([0.9, 0.1]))
    >>> round(fair.accuracy, 3), round(fair.connected_accuracy, 3)
    (0.9, 1.0)
    """
    return replace(
        scores,
        accuracy=_mean(scores.per_class, mix),
        connected_accuracy=_mean(scores.connected_per_class, mix),
    )


def _mean(recalls: tuple[float, ...], mix: Tensor) -> float:
    """Mean over the classes that have a node."""
    known = [(r, share) for r, share in zip(recalls, mix.tolist()) if not math.isnan(r)]
    total = sum(share for _, share in known)
    return sum(r * share for r, share in known) / total if total > 0 else math.nan
