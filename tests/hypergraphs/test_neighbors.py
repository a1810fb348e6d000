"""|N(v)| by sparse products equals Python sets; by sketch it stays within its stated error."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from random_hypergraphs import hypergraphs

from hypersage_dgl import hypergraph, num_neighbors
from hypersage_dgl.hypergraphs import neighbors


def by_sets(hyperedges, num_nodes, include_self):
    union = [set() for _ in range(num_nodes)]
    for members in hyperedges:
        for v in members:
            union[v] |= set(members)
    return [len(u if include_self else u - {v}) for v, u in enumerate(union)]


@pytest.mark.parametrize("include_self", [True, False])
@given(h=hypergraphs())
def test_exact_equals_sets(h, include_self):
    counts = num_neighbors(h.graph(), include_self)
    assert counts.dtype == torch.int64
    assert counts.tolist() == by_sets(h.hyperedges, h.num_nodes, include_self)


@pytest.mark.parametrize("chunk", [1, 7, 100])
def test_exact_does_not_depend_on_the_chunk(chunk, monkeypatch):
    hyperedges = [[(7 * i + k * k) % 40 for k in range(i % 6 + 1)] for i in range(30)]
    monkeypatch.setattr(neighbors, "EXACT_CHUNK", chunk)
    assert num_neighbors(hypergraph(hyperedges, 50)).tolist() == by_sets(hyperedges, 50, True)


@pytest.mark.parametrize("common", [255, 256, 257, 512])
def test_a_pair_in_many_hyperedges_counts_once(common):
    # A counter of one byte would wrap around at 256.
    assert num_neighbors(hypergraph([[0, 1]] * common)).tolist() == [2, 2]


def disjoint_unions(size: int, count: int):
    """Make ``count`` sets of ``size`` nodes, each covered by two overlapping hyperedges.

    The sets share no node, so that their estimates are independent. Returned are the hypergraph
    and for each set one node that is in both of its hyperedges.
    """
    numbers = torch.Generator().manual_seed(size)
    sets = torch.randperm(size * count + 5, generator=numbers)[: size * count].view(count, size)
    third = size // 3
    hyperedges = [part for s in sets for part in (s[: size - third], s[third:])]
    return hypergraph(hyperedges, size * count + 5), sets[:, size // 2]


@pytest.mark.parametrize("size", [3, 30, 150, 600, 1000])
def test_sketch_stays_within_its_stated_error(size):
    graph, in_both = disjoint_unions(size, count=150)
    assert num_neighbors(graph)[in_both].tolist() == [size] * 150
    sketch = num_neighbors(graph, method="sketch").double()
    error = sketch[in_both] / size - 1
    # 256 registers: 1.04/16 = 6.5 % standard error of a HyperLogLog, 7.4 % of counting the empty
    # registers just before it hands over; 15 % above that covers the chance in 150 sets.
    assert math.sqrt(float((error**2).mean())) < 0.074 * 1.15
    assert abs(float(error.mean())) < 0.03
    assert torch.equal(sketch == 0, graph.nodes["node"].data["degree"] == 0)


@pytest.mark.parametrize(
    ("name", "value"),
    [("NODE_CHUNK", 7), ("SKETCH_CHUNK", 5), ("LARGE_CHUNK", 3), ("FEW", 0), ("FEW", 10**6)],
)
def test_sketch_does_not_depend_on_its_chunks(name, value, monkeypatch):
    hyperedges = [[(7 * i + k * k) % 90 for k in range(i * i % 60 + 1)] for i in range(40)]
    graph = hypergraph(hyperedges, 100)
    expected = num_neighbors(graph, method="sketch")
    monkeypatch.setattr(neighbors, name, value)
    assert torch.equal(num_neighbors(graph, method="sketch"), expected)


def test_sketch_takes_small_ids():
    hyperedges = [[0, 1, 2], [2, 3], list(range(40))]
    expected = num_neighbors(hypergraph(hyperedges), method="sketch")
    small = hypergraph(hyperedges, idtype=torch.int32)
    assert torch.equal(num_neighbors(small, method="sketch"), expected)


def test_sketch_without_self_counts_one_less_but_not_for_isolated_nodes():
    graph, _ = disjoint_unions(50, count=20)
    difference = num_neighbors(graph, method="sketch") - num_neighbors(
        graph, include_self=False, method="sketch"
    )
    torch.testing.assert_close(difference, (graph.nodes["node"].data["degree"] > 0).float())


def test_leaves_the_graph_as_it_was():
    graph = hypergraph([[0, 1], [1, 2]])
    before = set(graph.nodes["node"].data), set(graph.nodes["hyperedge"].data)
    for method in ("exact", "sketch"):
        num_neighbors(graph, method=method)
    assert (set(graph.nodes["node"].data), set(graph.nodes["hyperedge"].data)) == before


def test_unknown_method_is_named():
    with pytest.raises(ValueError, match="guess"):
        num_neighbors(hypergraph([[0, 1]]), method="guess")
