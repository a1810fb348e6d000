"""Laws of the splits that are made here."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from hypersage_dgl.data import (
    Split,
    carve_validation,
    choose_split,
    random_split,
    stratified_split,
)

EMPTY = torch.arange(0)


@given(
    counts=st.lists(st.integers(1, 30), min_size=1, max_size=6),
    fraction=st.floats(0.01, 0.99),
    seed=st.integers(0, 2**32),
)
def test_carving_takes_the_share_of_each_class(counts, fraction, seed):
    drawn = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(counts)), counts))
    labels = torch.from_numpy(drawn)
    n = len(labels)
    split = Split(*(torch.from_numpy(np.arange(*a)) for a in ((0, n, 2), (1, n, 4), (3, n, 4))))
    sizes = labels[split.train].bincount(minlength=len(counts))
    expected = [min(round(fraction * size), size - 1) if size else 0 for size in sizes.tolist()]
    if sum(expected) == 0:
        with pytest.raises(ValueError, match="give a larger one"):
            carve_validation(split, labels, fraction, seed)
        return
    carved = carve_validation(split, labels, fraction, seed)
    moved = np.setdiff1d(carved.val, split.val)
    assert np.bincount(labels.numpy()[moved], minlength=len(counts)).tolist() == expected
    assert set(split.val.tolist()) <= set(carved.val.tolist())
    assert sorted([*carved.train.tolist(), *moved.tolist()]) == split.train.tolist()
    assert carved.test is split.test


def test_carving_repeats_with_its_seed_only():
    split, labels = Split(torch.arange(200), EMPTY, EMPTY), torch.zeros(200, dtype=torch.int64)
    first, again = (carve_validation(split, labels, 0.3, seed=4) for _ in range(2))
    other = carve_validation(split, labels, 0.3, seed=5)
    assert first.val.tolist() == again.val.tolist() != other.val.tolist()


def test_no_fraction_changes_nothing():
    split = Split(torch.tensor([3, 1]), EMPTY, torch.tensor([0]))
    assert carve_validation(split, torch.zeros(4, dtype=torch.int64), 0.0) is split


@pytest.mark.parametrize("fraction", [-0.1, 1.0, 1.5, float("nan")])
def test_fractions_are_below_one(fraction):
    with pytest.raises(ValueError, match="val_fraction is"):
        carve_validation(
            Split(torch.arange(4), EMPTY, EMPTY), torch.zeros(4, dtype=torch.int64), fraction
        )


@given(count=st.integers(0, 300), seed=st.integers(0, 2**32))
def test_random_splits_are_half_quarter_quarter(count, seed):
    split = random_split(count, seed)
    assert sorted(np.concatenate(split).tolist()) == list(range(count))
    assert (len(split.train), len(split.val)) == (int(count * 0.5), int(count * 0.25))
    again = random_split(count, seed)
    assert all(np.array_equal(a, b) for a, b in zip(split, again))


def test_random_splits_differ_by_seed():
    assert random_split(100, 1).train.tolist() != random_split(100, 2).train.tolist()


LABELS = torch.tensor([0, 1, -1, 0, 1, -1, 0, 1])
GIVEN = (
    Split(torch.tensor([0, 1]), EMPTY, torch.tensor([3, 4])),
    Split(torch.tensor([0]), EMPTY, torch.tensor([2])),
)


def choose(wanted, labels=LABELS, **options):
    return choose_split(wanted, GIVEN, labels, num_nodes=8, name="x", **options)


def test_a_given_split_is_chosen_by_its_number():
    assert choose(1) is GIVEN[0]
    assert choose(np.int64(2), labels=None) is GIVEN[1]
    with pytest.raises(ValueError, match=r"split is 3; x has the splits 1 to 2\. Other values"):
        choose(3)


def test_a_random_split_is_among_the_nodes_with_a_class():
    known = [0, 1, 3, 4, 6, 7]
    split = choose("random", seed=5)
    assert sorted(torch.cat(split).tolist()) == known
    assert [len(ids) for ids in split] == [3, 1, 2]
    for ids, places in zip(split, random_split(6, seed=5)):
        assert ids.tolist() == [known[i] for i in places]
    for labels in (None, torch.ones(8, 2)):
        whole = choose("random", labels=labels, seed=5)
        assert all(torch.equal(a, b) for a, b in zip(whole, random_split(8, seed=5)))


def test_nodes_without_a_class_are_in_no_split():
    with pytest.raises(ValueError, match="node 2 is in the split of x but has no class"):
        choose(2)
    with pytest.raises(ValueError, match="node 'c' is in the split of x but has no class"):
        choose(2, node_names="abcdefgh")
    with pytest.raises(ValueError, match="node 5 is in the split of x"):
        choose(Split([0], [5], []))


def test_validation_nodes_need_one_class_a_node():
    carved = choose(Split([0, 3, 6, 1, 4, 7], [], []), val_fraction=0.4, seed=1)
    assert LABELS[carved.val].tolist().count(0) == LABELS[carved.val].tolist().count(1) == 1
    for labels in (None, torch.ones(8, 2)):
        with pytest.raises(ValueError, match="x does not have one class for each node"):
            choose(1, labels=labels, val_fraction=0.5)


@given(counts=st.lists(st.integers(1, 30), min_size=1, max_size=6), seed=st.integers(0, 2**32))
def test_stratified_splits_share_out_every_class(counts, seed):
    drawn = np.repeat(np.arange(-1, len(counts)), [3, *counts])
    labels = torch.from_numpy(np.random.default_rng(seed).permutation(drawn))
    split = stratified_split(labels, seed)
    assert sorted(torch.cat(split).tolist()) == (labels >= 0).nonzero().flatten().tolist()
    for k, count in enumerate(counts):
        train, val, test = (int((labels[ids] == k).sum()) for ids in split)
        assert val == count // 4
        assert test == (max(val, 1) if count > 1 else 0)
        assert train == count - val - test >= 1
    chosen = choose_split("stratified", (), labels, num_nodes=len(labels), seed=seed)
    assert all(torch.equal(*pair) for pair in zip(chosen, split))


def test_stratified_needs_one_class_a_node():
    with pytest.raises(ValueError, match="does not have one class for each node; try 'random'"):
        choose_split("stratified", (), torch.ones(3, 2), num_nodes=3)
