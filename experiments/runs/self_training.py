"""Pseudo-labels: the surest predictions of one model teach the next."""

from __future__ import annotations

import math

import torch
from torch import Tensor


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
