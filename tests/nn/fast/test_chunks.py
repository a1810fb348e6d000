"""Inference in chunks whose rows are summed where they lie is that of the plain blocks."""

from __future__ import annotations

import pytest
import torch
from products import product
from small_hypergraph import NODES, WIDTH, model_for, small

from hypersage_dgl import hypergraph
from hypersage_dgl._utils import mapped_tensor
from hypersage_dgl.hypergraphs import CONTAINS, IN
from hypersage_dgl.nn import Max, Mean, PowerMean, Sum
from hypersage_dgl.nn.fast import aggregate_chunks
from hypersage_dgl.nn.stage import Stage

PRIME = 5
MEANS = (Mean(), Mean())


def both_ways(graph, feat, *sizes, dtype=torch.float64, **options):
    fast, plain = (model_for(1.0, 2, fast=fast, dtype=dtype, **options) for fast in (True, False))
    plain.load_state_dict(fast.state_dict())
    for size in sizes:
        yield fast.inference(graph, feat, size), plain.inference(graph, feat, size)


@product(
    {
        "inter": ["size", "mean"],
        "weighted": [True, False],
        "intra_aggr": [None, Mean(), PowerMean(1.0)],
        "idtype": [torch.int64, torch.int32],
        "dtype": [torch.float64, torch.float32],
        "is_half": [False, True],
    },
    lambda dtype, is_half, **_: dtype == torch.float32 or not is_half,
)
def test_they_are_those_of_messages(inter, weighted, intra_aggr, idtype, dtype, is_half):
    case = small(weighted, idtype, dtype)
    feat = mapped_tensor(case.feat.half()) if is_half else case.feat
    options = {"inter": inter, "intra_aggr": intra_aggr, "dtype": dtype}
    for found, expected in both_ways(case.graph, feat, 1, PRIME, 1000, **options):
        assert float(expected.abs().max()) > 0
        torch.testing.assert_close(found, expected)


def test_a_graph_without_hyperedges():
    for found, expected in both_ways(hypergraph([], NODES), small().feat, 1, PRIME):
        torch.testing.assert_close(found, expected)


def stages():
    return Stage(small().graph, IN), Stage(small().graph, CONTAINS)


def test_weights_of_edges_and_of_sources_multiply():
    graph = hypergraph([[0, 1]])
    weights = torch.tensor([2.0, 1.0]), torch.tensor([1.0, 3.0])
    intra = Stage(graph, IN, weight=weights[0], edge_weight=weights[1])
    feat = torch.tensor([[5.0], [10.0]])
    [(start, stop, found)] = aggregate_chunks(intra, Stage(graph, CONTAINS), feat, MEANS, 2)
    assert (start, stop) == (0, 2)
    assert found.tolist() == [[8.0], [8.0]]


@pytest.mark.parametrize("levels", [(Mean(), Max()), (Sum(), Mean()), (PowerMean(2), Mean())])
def test_other_means_are_left_to_messages(levels):
    assert aggregate_chunks(*stages(), torch.rand(NODES, WIDTH), levels, PRIME) is None


def test_features_that_the_kernel_does_not_sum_are_left_to_messages():
    feat = torch.rand(NODES, WIDTH)
    for other in (feat.bfloat16(), feat.to_sparse_csr()):
        assert aggregate_chunks(*stages(), other, MEANS, PRIME) is None
    assert aggregate_chunks(*stages(), feat, MEANS, PRIME) is not None
