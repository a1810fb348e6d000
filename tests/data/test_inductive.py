"""Laws of the split of the inductive experiment."""

import dgl
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from hypersage_dgl import hypergraph, validate
from hypersage_dgl.data import inductive_split


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
