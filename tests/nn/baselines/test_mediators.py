"""HyperGCN's graph against its definition by loops over hyperedges."""

from __future__ import annotations

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st
from random_hypergraphs import hypergraphs

from hypersage_dgl import hypergraph, remove_nodes
from hypersage_dgl.convert import clique_expansion
from hypersage_dgl.nn.baselines.mediators import adjacent, ends_along, spread

from .cases import NODES, features, mediator_matrix, normalised, small


@given(hypergraphs(), st.integers(1, 4))
def test_edges_are_those_of_the_definition(drawn, levels):
    # Few levels make ties, in the end of whole hyperedges.
    position = torch.randint(levels, (drawn.num_nodes,), generator=drawn.numbers(3)).double()
    weight = None if not drawn.weighted else drawn.hyperedge_weight.tolist()
    expected = mediator_matrix(drawn.hyperedges, drawn.num_nodes, position.tolist(), weight)
    graph, eye = drawn.graph(), torch.eye(drawn.num_nodes, dtype=torch.float64)
    ends = ends_along(graph, position)
    np.testing.assert_allclose(adjacent(graph, ends, eye).numpy(), expected, rtol=1e-6, atol=1e-9)
    operator = spread(graph, ends, eye).numpy()
    np.testing.assert_allclose(operator, normalised(expected), rtol=1e-5, atol=1e-9)


def test_small_hyperedges_give_the_clique_expansion():
    graph = hypergraph([[0, 1, 2], [2, 3], [1, 2, 4], [5], [3, 4]], 7)
    clique = torch.zeros(7, 7, dtype=torch.bool)
    clique[clique_expansion(graph).edges()] = True
    for seed in range(3):
        position = torch.rand(7, generator=torch.Generator().manual_seed(seed))
        ours = adjacent(graph, ends_along(graph, position), torch.eye(7))
        assert torch.equal(ours > 1e-6, clique)


def test_large_hyperedges_do_not():
    graph = hypergraph([[0, 1, 2, 3]])
    ours = adjacent(graph, ends_along(graph, torch.arange(4.0)), torch.eye(4))
    assert int((ours > 1e-6).sum()) == 10
    assert clique_expansion(graph).num_edges() == 12


def test_gradient_flows_through_the_ends():
    graph, position = small(), features()[:, 0]
    ends = ends_along(graph, position)
    signal = torch.rand(NODES, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: spread(graph, ends, x), signal)


def test_edges_of_a_hyperedge_weigh_one_together():
    # 2|e| - 3 edges of weight 1/(2|e| - 3), each in both directions.
    for size in range(2, 8):
        graph = hypergraph([list(range(size))])
        matrix = adjacent(graph, ends_along(graph, torch.arange(float(size))), torch.eye(size))
        assert int((matrix > 1e-6).sum()) == 2 * (2 * size - 3)
        torch.testing.assert_close(matrix.sum(), torch.tensor(2.0))
        torch.testing.assert_close(matrix, matrix.T)


def test_single_and_empty_hyperedges_give_no_edge():
    graph = remove_nodes(hypergraph([[0, 1], [2], [3]]), [0, 3])
    assert graph.in_degrees(etype="in").tolist() == [1, 1, 0]
    ends = ends_along(graph, torch.rand(2))
    assert float(adjacent(graph, ends, torch.eye(2)).abs().max()) == 0
    assert torch.equal(spread(graph, ends, torch.eye(2)), torch.eye(2))
