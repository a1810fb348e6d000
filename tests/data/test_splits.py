"""Laws of the splits that are made here."""

import dgl
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from hypersage_dgl import hypergraph, validate
from hypersage_dgl.data import Split, carve_validation, inductive_split, random_split

EMPTY = np.arange(0)


@given(
    counts=st.lists(st.integers(1, 30), min_size=1, max_size=6),
    fraction=st.floats(0.01, 0.99),
    seed=st.integers(0, 2**32),
)
def test_carving_takes_the_share_of_each_class(counts, fraction, seed):
    labels = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(counts)), counts))
    n = len(labels)
    split = Split(np.arange(0, n, 2), np.arange(1, n, 4), np.arange(3, n, 4))
    sizes = np.bincount(labels[split.train], minlength=len(counts))
    expected = [min(round(fraction * size), size - 1) if size else 0 for size in sizes.tolist()]
    if sum(expected) == 0:
        with pytest.raises(ValueError, match="give a larger one"):
            carve_validation(split, labels, fraction, seed)
        return
    carved = carve_validation(split, labels, fraction, seed)
    moved = np.setdiff1d(carved.val, split.val)
    assert np.bincount(labels[moved], minlength=len(counts)).tolist() == expected
    assert set(split.val) <= set(carved.val)
    assert sorted([*carved.train, *moved]) == split.train.tolist()
    assert carved.test is split.test


def test_carving_repeats_with_its_seed_only():
    split, labels = Split(np.arange(200), EMPTY, EMPTY), np.zeros(200, dtype=np.int64)
    first, again = (carve_validation(split, labels, 0.3, seed=4) for _ in range(2))
    other = carve_validation(split, labels, 0.3, seed=5)
    assert first.val.tolist() == again.val.tolist() != other.val.tolist()


def test_no_fraction_changes_nothing():
    split = Split(np.array([3, 1]), EMPTY, np.array([0]))
    assert carve_validation(split, np.zeros(4, dtype=np.int64), 0.0) is split


@pytest.mark.parametrize("fraction", [-0.1, 1.0, 1.5, float("nan")])
def test_fractions_are_below_one(fraction):
    with pytest.raises(ValueError, match="val_fraction is"):
        carve_validation(Split(np.arange(4), EMPTY, EMPTY), np.zeros(4, dtype=int), fraction)


@given(count=st.integers(0, 300), seed=st.integers(0, 2**32))
def test_random_splits_are_half_quarter_quarter(count, seed):
    split = random_split(count, seed)
    assert sorted(np.concatenate(split).tolist()) == list(range(count))
    assert (len(split.train), len(split.val)) == (int(count * 0.5), int(count * 0.25))
    again = random_split(count, seed)
    assert all(np.array_equal(a, b) for a, b in zip(split, again))


def test_random_splits_differ_by_seed():
    assert random_split(100, 1).train.tolist() != random_split(100, 2).train.tolist()


def random_hypergraph(seed, nodes=53, hyperedges=31):
    generator = np.random.default_rng(seed)
    members = [generator.integers(0, nodes, generator.integers(1, 5)) for _ in range(hyperedges)]
    graph = hypergraph(members, nodes)
    graph.nodes["node"].data["feat"] = torch.randn(nodes, 3)
    for part in ("train", "val", "test"):
        graph.nodes["node"].data[f"{part}_mask"] = torch.ones(nodes, dtype=torch.bool)
    return graph, [set(m.tolist()) for m in members]


@given(seed=st.integers(0, 2**32))
def test_inductive_split(seed):
    graph, members = random_hypergraph(seed)
    parts = inductive_split(graph, seed)
    train, seen, unseen = (set(ids.tolist()) for ids in (parts.train, parts.seen, parts.unseen))
    assert (len(train), len(seen), len(unseen)) == (10, 21, 22)
    assert train | seen | unseen == set(range(53))

    cut = parts.train_graph
    validate(cut)
    nodes = cut.nodes["node"].data[dgl.NID]
    hyperedges = cut.nodes["hyperedge"].data[dgl.NID]
    assert set(nodes.tolist()) == train | seen
    v, e = cut.edges(etype="in")
    kept = {edge: set() for edge in hyperedges.tolist()}
    for node, edge in zip(nodes[v].tolist(), hyperedges[e].tolist()):
        kept[edge].add(node)
    assert kept == {i: m - unseen for i, m in enumerate(members) if m - unseen}
    assert torch.equal(cut.nodes["node"].data["feat"], graph.nodes["node"].data["feat"][nodes])

    full = parts.full_graph
    assert torch.equal(full.nodes["node"].data["feat"], graph.nodes["node"].data["feat"])
    for a, b in zip(full.edges(etype="in"), graph.edges(etype="in")):
        assert torch.equal(a, b)
    for name, ids in (("train", train), ("seen", seen), ("unseen", unseen)):
        key = f"{name}_mask"
        assert set(full.nodes["node"].data[key].nonzero().ravel().tolist()) == ids
        assert set(nodes[cut.nodes["node"].data[key]].tolist()) == ids - unseen
    assert "test_mask" not in full.nodes["node"].data


def test_the_given_hypergraph_stays_as_it_is():
    graph, _ = random_hypergraph(0)
    before = {key: value.clone() for key, value in graph.nodes["node"].data.items()}
    inductive_split(graph)
    after = graph.nodes["node"].data
    assert before.keys() == after.keys()
    assert all(torch.equal(before[key], after[key]) for key in before)


def test_inductive_splits_repeat_with_their_seed_only():
    graph, _ = random_hypergraph(0)
    first, again, other = (inductive_split(graph, seed) for seed in (1, 1, 2))
    assert first.unseen.tolist() == again.unseen.tolist() != other.unseen.tolist()


@pytest.mark.parametrize("count", [1, 4])
def test_too_few_nodes_to_train_on_are_refused(count):
    with pytest.raises(ValueError, match=f"the hypergraph has {count} nodes.*5 or more"):
        inductive_split(hypergraph([list(range(count))]))
    assert len(inductive_split(hypergraph([list(range(5))])).train) == 1
