"""Warn of a run whose model does worse than one that does not look at the hyperedges."""

from __future__ import annotations

import math
import warnings

import torch
from torch import Tensor

from ..data import LabelledHypergraph
from ..nn import BASELINES
from ..training import FullGraph, Predictor, fit, seed_everything
from .text import percent

# A quick model: it is to tell that something is wrong, not to win.
HIDDEN, EPOCHS, MOST_NODES = 64, 100, 10_000


def features_only_of(scores: Tensor, task: LabelledHypergraph, seed: int) -> str | None:
    """Say that features alone do better on the validation nodes, by more than chance.

    By two standard deviations of the number of nodes that one of the two alone gets right. None
    where there are no validation nodes. Test nodes are not looked at.
    """
    nodes = task.part("val")
    if len(nodes) == 0:
        return None
    labels = task.require_labels()[nodes]
    ours = scores[nodes].argmax(dim=1) == labels
    theirs = features_only(task, seed)[nodes].argmax(dim=1) == labels
    won, lost = int((theirs & ~ours).sum()), int((ours & ~theirs).sum())
    if won - lost <= 2 * math.sqrt(won + lost):
        return None
    shares = [percent(float(right.double().mean())) for right in (theirs, ours)]
    return (
        f"features alone do better: a quick MLP has {shares[0]} % of the validation nodes right, "
        f"this model {shares[1]} %; try `hypersage tune`, --exclude-self, or --model mlp"
    )


def features_only(task: LabelledHypergraph, seed: int) -> Tensor:
    """Class probabilities of all nodes by an MLP that was trained on at most 10,000 of them."""
    seed_everything(seed)
    train = task.part("train")
    some = train[torch.randperm(len(train))[:MOST_NODES]]
    model = BASELINES["mlp"](task.num_feats, HIDDEN, task.num_classes, 2, 0.2)
    feat = task.require_feat()
    batches = FullGraph(task.graph, feat, task.require_labels(), some, model=model)
    with warnings.catch_warnings():
        # The run itself has said which classes have no training node.
        warnings.simplefilter("ignore")
        fit(model, batches, epochs=EPOCHS, weight_decay=0.0, seed=seed, progress=False)
    return Predictor(model).predict(task, feat).probabilities
