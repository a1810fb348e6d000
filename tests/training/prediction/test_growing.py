"""What grows is what it would be if it had been made at once."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from hypersage_dgl.training.prediction.growing import GrowingArray, GrowingLists, GrowingRows


def test_an_array_grows_and_leaves_the_given_one_alone():
    given = np.arange(5)
    array = GrowingArray(given)
    rng = np.random.default_rng(0)
    expected = given
    for _ in range(50):
        more = rng.integers(0, 100, rng.integers(0, 7))
        array.append(more)
        expected = np.concatenate((expected, more))
        assert np.array_equal(array.values, expected)
        assert len(array) == len(expected)
    assert np.array_equal(given, np.arange(5))


def test_positions_of_keys_are_all_there_are():
    rng = np.random.default_rng(1)
    keys = rng.integers(0, 6, 20)
    lists = GrowingLists(keys, 8)
    for _ in range(10):
        more = rng.integers(0, 12, 3)
        lists.append(more, len(keys))
        keys = np.concatenate((keys, more))
        wanted = rng.permutation(12)[:4]
        found = lists.positions(wanted)
        assert sorted(found) == np.flatnonzero(np.isin(keys, wanted)).tolist()
    assert lists.positions(np.array([11, 40])).tolist() == np.flatnonzero(keys == 11).tolist()


@pytest.mark.parametrize("sparse", [True, False])
def test_rows_are_those_of_the_whole(sparse):
    numbers = torch.Generator().manual_seed(0)
    dense = torch.rand(4, 3, generator=numbers) * (torch.rand(4, 3, generator=numbers) > 0.5)
    rows = GrowingRows(dense.to_sparse_csr() if sparse else dense)
    expected = dense
    for count in (1, 0, 2, 5):
        more = torch.rand(count, 3, generator=numbers)
        rows.append(more)
        expected = torch.cat((expected, more))
    assert len(rows) == 12
    chosen = np.array([0, 2, 3, 5, 11])
    assert torch.equal(rows.take(chosen), expected[chosen])
    assert torch.equal(rows.take(chosen[:2]), expected[chosen[:2]])
    selected = rows.select(chosen)
    assert selected.layout == (torch.sparse_csr if sparse else torch.strided)
    assert torch.equal(selected.to_dense(), expected[chosen])
    renumbered = rows.keep(chosen)
    assert renumbered.tolist() == [0, 2, 3, 4, 5]
    assert torch.equal(rows.take(renumbered), expected[chosen])
