"""Which nodes train and which score: folds of the training nodes, and splits by ratio."""

from __future__ import annotations

import numpy as np
import pytest
from plain_arrays import arrays_of

from experiments.protocol import FOLDS
from experiments.runs.nodes import fold_split, ratio_split
from hypersage_dgl.data import load_dataset


def test_folds_part_the_training_nodes_class_by_class():
    arrays = arrays_of(load_dataset("debian").data)
    train = arrays.splits[0].train
    parts = [fold_split(train, arrays.labels, fold, seed=3) for fold in range(FOLDS)]
    assert np.array_equal(np.sort(np.concatenate([part.val for part in parts])), train)
    for part in parts:
        assert np.array_equal(np.union1d(part.train, part.val), train)
        assert len(np.intersect1d(part.train, part.val)) == 0
        held_out = np.bincount(arrays.labels[part.val])
        assert np.abs(held_out - np.bincount(arrays.labels[train]) / FOLDS).max() < 1


@pytest.mark.parametrize("ratio", [1 / 30, 1 / 3])
def test_ratio_split_has_the_ratio_in_every_class(ratio):
    labels = load_dataset("debian").labels.numpy()
    split = ratio_split(labels, ratio, seed=1)
    assert len(split.train) + len(split.test) == len(labels)
    assert len(np.intersect1d(split.train, split.test)) == 0
    train, test = (np.bincount(labels[ids]) for ids in (split.train, split.test))
    np.testing.assert_allclose(train / test, ratio, rtol=0.05)
    assert not np.array_equal(split.train, ratio_split(labels, ratio, seed=2).train)
