"""What outputs of a model say: classes, labels or numbers; and pseudo-labels for the next model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from ...data import MULTILABEL, REGRESSION
from ..checks import require_finite
from ..saving import About


class Prediction(NamedTuple):
    """Class and its probability for each node, and the probabilities of all classes.

    Of a multi-label model ``label`` is a 0/1 row for each node and ``probability`` all of them. Of
    a regression model ``label`` is the number of each node, or its row of numbers, in the unit of
    the training data, and both probabilities are tensors without columns.
    """

    label: Tensor
    probability: Tensor
    probabilities: Tensor


def prediction_of(logits: Tensor, about: About, called: Sequence[Any] = ()) -> Prediction:
    """What logits say in the task of a model; ``called`` are names of the nodes, for errors."""
    require_finite(logits, called)
    if about.task == REGRESSION:
        numbers = about.scale.undo(logits)
        none = logits.new_empty(len(logits), 0)
        return Prediction(numbers[:, 0] if numbers.shape[1] == 1 else numbers, none, none)
    if about.task == MULTILABEL:
        probabilities = logits.sigmoid()
        return Prediction((probabilities > 0.5).long(), probabilities, probabilities)
    probabilities = logits.softmax(dim=1)
    probability, label = probabilities.max(dim=1)
    return Prediction(label, probability, probabilities)


def add_pseudo_labels(
    logits: Tensor, labels: Tensor, nodes: Tensor, share: float
) -> tuple[Tensor, Tensor]:
    """Take the surest predictions of each class as further training nodes.

    Labels of other nodes than ``nodes`` are not read. A share of each class, and not a number, for
    classes differ in size: as many of a rare one as of a frequent one are mostly wrong.

    Parameters
    ----------
    logits
        One row for each node of the hypergraph.
    labels
        Class of each node.
    nodes
        Ids of the labelled nodes.
    share
        What share of the other nodes to add: of those that are predicted to be of one class, the
        surest; rounded up.

    Returns
    -------
    labels, nodes
        A copy of the labels with predicted ones at the added nodes, and the ids to train on.

    Examples
    --------
    >>> logits = torch.tensor([[1.0, 0], [9, 0], [2, 0], [0, 3]])
    >>> truth, known = torch.tensor([0, 1, 1, 1]), torch.tensor([0])
    >>> labels, nodes = add_pseudo_labels(logits, truth, known, 0.5)
    >>> nodes, labels[nodes]
    (tensor([0, 1, 3]), tensor([0, 0, 1]))
    """
    if not 0 < share <= 1:
        raise ValueError(f"share is {share}; it must be above 0 and at most 1")
    sureness, predicted = logits.softmax(dim=1).max(dim=1)
    is_free = torch.ones(len(logits), dtype=torch.bool, device=logits.device)
    is_free[nodes] = False
    added = []
    for label in range(logits.shape[1]):
        ids = (is_free & (predicted == label)).nonzero().flatten()
        # A stable order: equally sure nodes by their ids.
        order = sureness[ids].argsort(descending=True, stable=True)
        added.append(ids[order[: math.ceil(share * len(ids))]])
    new = torch.cat(added)
    taught = labels.clone()
    taught[new] = predicted[new]
    return taught, torch.cat((nodes, new))
