"""Warn of a run that ended badly: few classes, nothing fitted, or worse than features alone."""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from ..data import LabelledHypergraph
from ..nn import BASELINES
from ..training import FullGraph, Predictor, fit, seed_everything
from .sources import say
from .text import percent

CURE = "try more epochs, features from 0 to 1, or `hypersage tune`"
# A model that learned has seen the classes of its training nodes.
LOW = 0.7
# The model of features alone is a quick one: it is to tell that something is wrong, not to win.
HIDDEN, EPOCHS, MOST_NODES = 64, 100, 10_000


def warn_of_weakness(
    args: argparse.Namespace, task: LabelledHypergraph, found: Mapping[str, Tensor]
) -> None:
    """Say what a good run does not have: few classes, underfit, worse than features alone."""
    labels, test = task.require_labels(), task.part("test")
    warnings = []
    if len(test):
        scores = next(iter(found.values()))
        warnings.append(collapse_of(scores, labels, test, task.class_names))
    if "full" in found:
        warnings.append(underfit_of(found["full"], labels, task.part("train")))
        if not args.model.startswith("mlp"):
            warnings.append(features_only_of(found["full"], task, args.seed))
    for text in warnings:
        if text is not None:
            say(args, text, "warning")


def collapse_of(scores: Tensor, labels: Tensor, nodes: Tensor, names: Sequence[str]) -> str | None:
    """Say which classes no node is ever predicted as, if those are half of them or more.

    Examples
    --------
    >>> import torch
    >>> scores = torch.tensor([[2.0, 0.0, 0.0], [1.0, 0.0, 0.0], [3.0, 0.0, 0.0]])
    >>> collapse_of(scores, torch.arange(3), torch.arange(3), ("a", "b", "c"))[:52]
    'the model found 1 of the 3 classes: no b, c is predi'
    """
    occurring = sorted(set(labels[nodes].tolist()))
    predicted = set(scores[nodes].argmax(dim=1).tolist())
    missed = [k for k in occurring if k not in predicted]
    if len(occurring) < 2 or 2 * len(missed) < len(occurring):
        return None
    few = ", ".join(names[k] if names else str(k) for k in missed[:5])
    more = ", ..." if len(missed) > 5 else ""
    return (
        f"the model found {len(occurring) - len(missed)} of the {len(occurring)} classes: no "
        f"{few}{more} is predicted; {CURE}"
    )


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
