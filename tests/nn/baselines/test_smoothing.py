"""The smoothing operator against its dense matrix, and its scales against sums by hand."""

from __future__ import annotations

import dgl
import numpy as np
import pytest
import torch
from hypothesis import given
from random_hypergraphs import hypergraphs

from hypersage_dgl import hypergraph
from hypersage_dgl.nn.baselines.smoothing import scales, smoothed, weighted_stages

from .cases import HYPEREDGES, NODES, features, incidence_matrix, small, theta


@given(hypergraphs())
def test_operator_is_the_formula(drawn):
    matrix = incidence_matrix(drawn.hyperedges, drawn.num_nodes, drawn.incidence_weight)
    weight = (
        np.ones(len(drawn.hyperedges)) if not drawn.weighted else drawn.hyperedge_weight.numpy()
    )
    graph = drawn.graph()
    ours = smoothed(graph, scales(graph), torch.eye(drawn.num_nodes, dtype=torch.float64))
    np.testing.assert_allclose(ours.numpy(), theta(matrix, weight.astype(float)), atol=1e-6)


def test_scales_are_degrees_by_hand():
    # d = (2·1, 2·3 + 5·7, 5·11), δ = (1 + 3, 7 + 11)
    graph = hypergraph(
        [[0, 1], [1, 2]], 4, hyperedge_weight=[2.0, 5.0], incidence_weight=[1.0, 3.0, 7.0, 11.0]
    )
    found = scales(graph)
    expected = torch.tensor([2, 41, 55]).double() ** -0.5
    torch.testing.assert_close(found.node.flatten()[:3], expected)
    assert float(found.node[3]) == 0
    torch.testing.assert_close(
        found.hyperedge.flatten(), torch.tensor([2 / 4, 5 / 18], dtype=torch.float64)
    )


def test_a_loop_is_a_further_hyperedge_of_each_node():
    looped = np.hstack([incidence_matrix(HYPEREDGES, NODES), np.eye(NODES)])
    weight = np.array([1.0] * len(HYPEREDGES) + [3.0] * NODES)
    graph = small()
    ours = smoothed(graph, scales(graph, 3.0), torch.eye(NODES, dtype=torch.float64), 3.0)
    np.testing.assert_allclose(ours.numpy(), theta(looped, weight), atol=1e-12)


def test_operator_is_symmetric_and_never_stretches():
    graph = small()
    matrix = smoothed(graph, scales(graph), torch.eye(NODES, dtype=torch.float64))
    torch.testing.assert_close(matrix, matrix.T)
    values = torch.linalg.eigvalsh(matrix)
    assert float(values.min()) > -1e-12
    assert float(values.max()) < 1 + 1e-12


def test_both_stages_carry_the_weights():
    graph = hypergraph([[0, 1], [1]], hyperedge_weight=[2.0, 3.0], incidence_weight=[1.0, 4.0, 5.0])
    intra, inter = weighted_stages(graph)
    x = torch.eye(2, dtype=torch.float64)
    assert intra.sum(x).tolist() == [[1, 4], [0, 5]]
    assert inter.sum(x).tolist() == [[1, 0], [4, 5]]
    assert inter.mass(x).flatten().tolist() == [2, 23]


@pytest.mark.parametrize("loop", [0.0, 1.0])
@pytest.mark.parametrize("has_empty", [False, True], ids=["full", "an empty hyperedge"])
def test_gradient_of_the_signal_and_of_learned_weights(has_empty, loop):
    graph, x = small(), features()[:, :2].clone().requires_grad_()
    if has_empty:
        graph = dgl.add_nodes(graph, 1, ntype="hyperedge")
    count = graph.num_nodes("hyperedge")
    weight = torch.linspace(0.5, 2, count, dtype=torch.float64, requires_grad=True)

    def operate(signal, weight):
        graph.nodes["hyperedge"].data["weight"] = weight
        return smoothed(graph, scales(graph, loop), signal, loop)

    assert torch.autograd.gradcheck(operate, (x, weight), fast_mode=True)
