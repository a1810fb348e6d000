"""A stage: sums, maxima and masses at its destinations against loops over its edges."""

from __future__ import annotations

import dgl
import pytest
import torch
from hypothesis import given
from random_hypergraphs import WIDTH, hypergraphs

from hypersage_dgl import hypergraph
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.nn import HyperSAGEConv
from hypersage_dgl.nn.stage import Stage, split_stages

IN, CONTAINS = ("node", "in", "hyperedge"), ("hyperedge", "contains", "node")


def by_loop(edges, rows, count, width=WIDTH):
    """For each destination the sum of the rows of its edges, each times its factor."""
    sums = [[0.0] * width for _ in range(count)]
    for (_, destination), row in zip(edges, rows):
        for c in range(width):
            sums[destination][c] += row[c]
    return torch.tensor(sums, dtype=torch.float64).reshape(count, width)


@given(h=hypergraphs())
def test_counts_edges_and_degrees(h):
    graph = h.graph()
    pairs = [(v, e) for e, members in enumerate(h.hyperedges) for v in members]
    intra, inter = split_stages(graph)
    assert list(zip(*(ids.tolist() for ids in intra.edges))) == pairs
    assert list(zip(*(ids.tolist() for ids in inter.edges))) == [(e, v) for v, e in pairs]
    assert intra.edges[0].dtype == torch.int64
    assert (intra.num_sources, intra.num_destinations) == (h.num_nodes, len(h.hyperedges))
    assert (inter.num_sources, inter.num_destinations) == (len(h.hyperedges), h.num_nodes)
    assert intra.num_edges == inter.num_edges == len(pairs)
    assert intra.in_degrees.tolist() == [len(members) for members in h.hyperedges]
    degrees = [sum(v in members for members in h.hyperedges) for v in range(h.num_nodes)]
    assert inter.in_degrees.tolist() == degrees


@given(h=hypergraphs())
def test_sums_and_masses(h):
    graph, x = h.graph(), h.features(signed=True)
    pairs = [(v, e) for e, members in enumerate(h.hyperedges) for v in members]
    by_edge, by_source = h.positive(len(pairs), 5).double(), h.positive(h.num_nodes, 6).double()
    count = len(h.hyperedges)
    for edge_weight in (None, by_edge):
        factor = torch.ones(len(pairs)) if edge_weight is None else edge_weight
        stage = Stage(graph, IN, edge_weight=edge_weight)
        rows = [[float(f) * value for value in x[v].tolist()] for f, (v, _) in zip(factor, pairs)]
        torch.testing.assert_close(stage.sum(x), by_loop(pairs, rows, count))
        for weight in (None, by_source):
            masses = [
                [float(f) * (1.0 if weight is None else float(weight[v]))]
                for f, (v, _) in zip(factor, pairs)
            ]
            stage = Stage(graph, IN, weight, edge_weight)
            torch.testing.assert_close(stage.mass(x), by_loop(pairs, masses, count, 1))


@given(h=hypergraphs())
def test_rows_of_edges(h):
    stage = Stage(h.graph(), CONTAINS)
    rows = torch.randn(stage.num_edges, WIDTH, generator=h.numbers(4), dtype=torch.float64)
    pairs = [(e, v) for e, members in enumerate(h.hyperedges) for v in members]
    torch.testing.assert_close(stage.sum_edges(rows), by_loop(pairs, rows.tolist(), h.num_nodes))
    largest = stage.max_edges(rows).tolist()
    for v in range(h.num_nodes):
        mine = [row for (_, u), row in zip(pairs, rows.tolist()) if u == v]
        expected = [max(column) for column in zip(*mine)] if mine else [0.0] * WIDTH
        assert largest[v] == expected


@pytest.mark.parametrize("etype", [IN, CONTAINS])
def test_without_edges_all_is_zero(etype):
    stage = Stage(hypergraph([], 4), etype)
    count = stage.num_destinations
    x = torch.rand(stage.num_sources, 2)
    assert torch.equal(stage.sum(x), torch.zeros(count, 2))
    assert torch.equal(stage.sum_edges(torch.rand(0, 2)), torch.zeros(count, 2))
    assert torch.equal(stage.max_edges(torch.rand(0, 2)), torch.zeros(count, 2))
    assert torch.equal(stage.mass(x), torch.zeros(count, 1))


@pytest.mark.parametrize("kind", ["graph", "block"])
def test_the_relation_is_alone_and_without_data(kind):
    graph = hypergraph([[0, 1, 2], [2, 3]], incidence_weight=[1.0, 2, 3, 4, 5])
    graph.nodes["node"].data["feat"] = torch.rand(4, 3)
    if kind == "block":
        [(graph, _)] = HyperSAGESampler(1).sample(graph, [2, 0])[2]
    relation = Stage(graph, IN).relation
    assert relation.canonical_etypes == [IN]
    assert relation.num_edges() == graph.num_edges("in")
    assert not relation.srcdata
    assert not relation.dstdata
    assert not relation.edata
    relation.srcdata["x"] = torch.rand(relation.num_src_nodes(), 1)
    assert "x" not in graph.srcnodes["node"].data


def test_split_gives_the_two_relations_of_a_pair_of_blocks():
    graph = hypergraph([[0, 1, 2], [2, 3]])
    [(first, second)] = HyperSAGESampler(1).sample(graph, [3])[2]
    intra, inter = split_stages((first, second))
    assert (intra.graph, intra.etype) == (first, IN)
    assert (inter.graph, inter.etype) == (second, CONTAINS)
    assert intra.weight is intra.edge_weight is inter.weight is inter.edge_weight is None


@pytest.mark.parametrize("bad", [None, [[0, 1]], (1, 2), "graph", ()])
def test_what_is_no_graph_is_refused(bad):
    with pytest.raises(TypeError, match="expected a hypergraph or the pair of blocks"):
        split_stages(bad)


def test_one_block_alone_is_refused():
    [(first, second)] = HyperSAGESampler(1).sample(hypergraph([[0, 1]]), [0])[2]
    for block in (first, second, (first, second, first)):
        with pytest.raises(TypeError, match="pair of blocks"):
            split_stages(block)
    with pytest.raises(ValueError, match="do not fit"):
        split_stages((second, first))


def test_a_graph_of_other_relations_is_refused():
    with pytest.raises(ValueError, match=r"but not \('node', 'in', 'hyperedge'\)"):
        split_stages(dgl.graph(([0], [1])))


def test_blocks_of_two_samplings_are_refused():
    graph = hypergraph([[0, 1], [2, 3]])
    one, other = (
        HyperSAGESampler(1).sample(graph, {"node": torch.tensor([seed])})[2][0] for seed in (0, 2)
    )
    with pytest.raises(ValueError, match="blocks do not fit"):
        HyperSAGEConv(3, 2)((one[0], other[1]), torch.rand(2, 3))
