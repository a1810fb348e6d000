"""Warn of a run whose model does not even fit the nodes that it was trained on."""

from __future__ import annotations

from torch import Tensor

from .collapse import CURE
from .text import percent

# A model that learned has seen the classes of these nodes.
LOW = 0.7


def underfit_of(scores: Tensor, labels: Tensor, nodes: Tensor) -> str | None:
    """Say that the accuracy on training nodes is low, if it is.

    Examples
    --------
    >>> import torch
    >>> scores, labels = torch.eye(2)[[0, 0, 0, 0]], torch.tensor([0, 0, 1, 1])
    >>> underfit_of(scores, labels, torch.arange(4))[:52]
    'training accuracy is only 50.00 %: the model underfi'
    """
    accuracy = float((scores[nodes].argmax(dim=1) == labels[nodes]).double().mean())
    if accuracy >= LOW:
        return None
    return f"training accuracy is only {percent(accuracy)} %: the model underfits; {CURE}"
