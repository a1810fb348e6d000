"""Pseudo-labels: the surest predictions of one model teach the next."""

from __future__ import annotations

import torch
from torch import Tensor


def add_pseudo_labels(
    logits: Tensor, labels: Tensor, nodes: Tensor, per_class: int
) -> tuple[Tensor, Tensor]:
    """Take the surest predictions of each class as further training nodes.

    Labels of other nodes than ``nodes`` are not read.

    Parameters
    ----------
    logits
        One row for each node of the hypergraph.
    labels
        Class of each node.
    nodes
        Ids of the labelled nodes.
    per_class
        How many nodes to add for each class, the surest first; fewer where a class is predicted
        for fewer.

    Returns
    -------
    labels, nodes
        A copy of the labels with predicted ones at the added nodes, and the ids to train on.

    Examples
    --------
    >>> logits = torch.tensor([[1.0, 0], [9, 0], [2, 0], [0, 3]])
    >>> labels, nodes = add_pseudo_labels(logits, torch.tensor([0, 1, 1, 1]), torch.tensor([0]), 1)
    >>> nodes, labels[nodes]
    (tensor([0, 1, 3]), tensor([0, 0, 1]))
    """
    if per_class < 1:
        raise ValueError(f"per_class is {per_class}; it must be a whole number from 1 on")
    sureness, predicted = logits.softmax(dim=1).max(dim=1)
    is_free = torch.ones(len(logits), dtype=torch.bool, device=logits.device)
    is_free[nodes] = False
    added = []
    for label in range(logits.shape[1]):
        ids = (is_free & (predicted == label)).nonzero().flatten()
        # A stable order: equally sure nodes by their ids.
        order = sureness[ids].argsort(descending=True, stable=True)
        added.append(ids[order[:per_class]])
    new = torch.cat(added)
    taught = labels.clone()
    taught[new] = predicted[new]
    return taught, torch.cat((nodes, new))
