"""Which nodes train a run and which score it."""

from __future__ import annotations

import numpy as np
import torch

from hypersage_dgl._utils import IntArray
from hypersage_dgl.data import Split

from ..protocol import FOLDS


def ratio_split(labels: IntArray, ratio: float, seed: int) -> Split:
    """Draw training and test nodes in the ratio train:test, class by class.

    Every class has at least one training node.

    Examples
    --------
    >>> split = ratio_split(np.repeat([0, 1], 40), 1 / 3, seed=0)
    >>> len(split.train), len(split.test)
    (20, 60)
    """
    generator = np.random.default_rng(seed)
    train = []
    for label in np.unique(labels):
        ids = generator.permutation(np.flatnonzero(labels == label))
        train.append(ids[: max(1, round(len(ids) * ratio / (1 + ratio)))])
    chosen = np.sort(np.concatenate(train))
    rest = np.setdiff1d(np.arange(len(labels)), chosen)
    return Split(torch.from_numpy(chosen), torch.arange(0), torch.from_numpy(rest))


def fold_split(train: IntArray, labels: IntArray, fold: int, seed: int) -> Split:
    """Hold one of ``FOLDS`` parts of the training nodes out for validation, class by class.

    No other node takes part: there are no test nodes.

    Examples
    --------
    >>> train, labels = np.arange(10, 18), np.repeat([0, 1], 14)[:18]
    >>> parts = [fold_split(train, labels, fold, seed=0) for fold in range(FOLDS)]
    >>> bool((np.sort(np.concatenate([part.val for part in parts])) == train).all())
    True
    """
    generator = np.random.default_rng(seed)
    number = np.empty(len(train), dtype=np.int64)
    for label in np.unique(labels[train]):
        places = generator.permutation(np.flatnonzero(labels[train] == label))
        number[places] = np.arange(len(places)) % FOLDS
    kept, held = (torch.from_numpy(train[is_in]) for is_in in (number != fold, number == fold))
    return Split(kept, held, torch.arange(0))
