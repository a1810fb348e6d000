"""Nodes or hyperedges that are held out of the graph to train on."""

from __future__ import annotations

import dgl
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from hypersage_dgl import hypergraph
from hypersage_dgl.data import hold_out, inductive_split, member_sets, split_hyperedges
from hypersage_dgl.hypergraphs import validate

PARTS = ("train", "val", "test")


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
    assert {ids.dtype for ids in (parts.train, parts.seen, parts.unseen)} == {torch.int64}
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


def random_sets(count=60, nodes=25, seed=0):
    """Sets of 1 to 5 nodes, some of them twice, in another order."""
    numbers = np.random.default_rng(seed)
    sets = [numbers.permutation(nodes)[: 1 + i % 5].tolist() for i in range(count)]
    return sets + [members[::-1] for members in sets[::3]]


@pytest.mark.parametrize("seed", range(4))
def test_nothing_of_what_is_held_out_is_in_the_graph(seed):
    sets = random_sets(seed=seed)
    weights = torch.arange(1.0, len(sets) + 1)
    g = hypergraph(sets, 30, hyperedge_weight=weights)
    split = split_hyperedges(g, (0.5, 0.25, 0.25), seed)
    held_out = {*split.val, *split.test}
    kept = [frozenset(members) for members in sets if tuple(sorted(members)) not in held_out]
    assert list(map(frozenset, member_sets(split.graph))) == kept
    validate(split.graph)
    # The very graph that someone builds who never saw them.
    fresh = hypergraph(kept, 30)
    for kind, key in (("node", "degree"), ("hyperedge", "size")):
        assert torch.equal(split.graph.nodes[kind].data[key], fresh.nodes[kind].data[key])
    stays = [i for i, m in enumerate(sets) if tuple(sorted(m)) not in held_out]
    assert torch.equal(split.graph.nodes["hyperedge"].data["weight"], weights[stays])


def test_parts_are_shares_of_the_distinct_sets():
    sets = random_sets()
    g = hypergraph(sets, 30)
    split = split_hyperedges(g)
    distinct = {tuple(sorted(members)) for members in sets if len(members) > 1}
    parts = [getattr(split, part) for part in PARTS]
    assert sorted(s for part in parts for s in part) == sorted(distinct)
    assert [len(p) for p in parts[1:]] == [round(0.2 * len(distinct))] * 2
    assert split.real == {tuple(sorted(members)) for members in sets}
    assert {s for s in member_sets(split.graph) if len(s) == 1} == {
        tuple(s) for s in sets if len(s) == 1
    }


def test_the_seed_decides():
    g = hypergraph(random_sets(), 30)
    one, same, other = (split_hyperedges(g, seed=seed) for seed in (1, 1, 2))
    assert one.test == same.test
    assert one.test != other.test


def test_a_share_without_validation_and_wrong_ones():
    g = hypergraph([[0, 1], [1, 2], [2, 3]])
    split = split_hyperedges(g, (0.6, 0, 0.4))
    assert [len(getattr(split, part)) for part in PARTS] == [2, 0, 1]
    wrong = (10**400, 0, 0), (10**5000, 0, 0), ("x", 0, 0), 0.6
    for fractions in ((0.6, 0.2), (0.5, 0.2, 0.2), (1.2, -0.1, -0.1), (1, 0, 0), *wrong):
        with pytest.raises(ValueError, match="three shares"):
            split_hyperedges(g, fractions)
    with pytest.raises(ValueError, match="1 different sets of two or more members"):
        split_hyperedges(hypergraph([[0, 1], [1, 0], [2]]))


def test_members_of_hypergraphs_with_empty_ones():
    assert member_sets(hypergraph([[], [3, 1], []], 4, allow_empty=True)) == [(), (1, 3), ()]
    assert member_sets(hypergraph([], 4)) == []


def test_given_sets_are_held_out():
    sets = random_sets()
    g = hypergraph(sets, 30)
    split = split_hyperedges(g, seed=3)
    same = hold_out(g, [members[::-1] for members in split.val], split.test)
    assert (same.train, same.val, same.test, same.real) == split[1:]
    assert member_sets(same.graph) == member_sets(split.graph)
    for val, test in (((0, 29), ()), (split.val[0], split.val[0])):
        with pytest.raises(ValueError, match="each once"):
            hold_out(g, [val], [test] if test else [])
    with pytest.raises(ValueError, match=r"\(\) is no hyperedge"):
        hold_out(g, [()], [])
