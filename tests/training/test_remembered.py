"""Trained nodes are found again by name, whatever the order, and not in other hypergraphs."""

import pytest
import torch

from hypersage_dgl.data import random_split
from hypersage_dgl.training import recall_nodes, remember_nodes


@pytest.mark.parametrize("count", [1, 8, 100, 1001])
def test_nodes_are_found_by_name_in_any_order(count):
    names = [f"node {i}" for i in range(count)]
    degrees, split = torch.arange(count) % 3, random_split(count, seed=1)
    noted = remember_nodes(names, degrees, split)
    order = torch.randperm(count, generator=torch.Generator().manual_seed(2)).tolist()
    found = recall_nodes(noted, [names[i] for i in order], degrees)
    for ids, before in zip(found, split):
        assert {order[i] for i in ids.tolist()} == set(before.tolist())


def test_other_nodes_are_not_taken_for_them():
    degrees, split = torch.tensor([1, 2, 1, 0]), random_split(4)
    noted = remember_nodes(range(4), degrees, split)
    assert recall_nodes(noted, range(4), degrees) is not None
    # Numbers are names of any hypergraph, so degrees must agree too.
    assert recall_nodes(noted, range(4), degrees.flip(0)) is None
    assert recall_nodes(noted, range(5), torch.ones(5)) is None
    assert recall_nodes({}, range(4), degrees) is None


def test_a_damaged_note_is_refused():
    noted = remember_nodes(range(4), torch.ones(4), random_split(4))
    for wrong in ("", "!", "AAAA"):
        with pytest.raises(ValueError, match="note of trained nodes is damaged"):
            recall_nodes({**noted, "train": wrong}, range(4), torch.ones(4))
    with pytest.raises(ValueError, match="has no 'train'"):
        recall_nodes({"nodes": 4, "names": 1}, range(4), torch.ones(4))
