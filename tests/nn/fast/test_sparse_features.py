"""Sparse features give what the same features give when written out."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace

import dgl
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from products import product
from random_hypergraphs import WIDTH, hypergraphs

from hypersage_dgl import hypergraph
from hypersage_dgl.hypergraphs import attach_counts
from hypersage_dgl.nn import HyperSAGE, HyperSAGEConv, Max, Mean, PowerMean
from hypersage_dgl.nn import fast as fast_paths
from hypersage_dgl.nn.fast.sparse_features import applies
from hypersage_dgl.nn.stage import split_stages

from .cases import DTYPES, PLACES, WEIGHTS, assert_alike, exists, features, layer, place

INF = math.inf
INTERS = ["size", "mean", "paper", "invariant"]
PAIRS = [(1, 2), (2, 1), (INF, 1), (0.5, -20), (-1, 3)]
SELF = pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])
TOLERANCE = {torch.float32: 1e-4, torch.float64: 1e-7}


def powers(inter: str):
    small = [0, 0.01] if inter in ("size", "mean") else []
    return [-20, -1, 0.5, 1, 2, 3, 20, 60, INF, -INF, *small, *PAIRS]


@pytest.fixture(autouse=True)
def _quiet():
    # Making the sparse tensors of these tests themselves.
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sparse (CSR|invariant)")
        yield


@SELF
@pytest.mark.parametrize("inter", INTERS)
@settings(max_examples=3 * settings.default.max_examples)
@given(h=hypergraphs(), data=st.data())
def test_aggregate_and_forward(h, data, inter, include_self):
    p = data.draw(st.sampled_from(powers(inter)), label="p")
    layout = data.draw(st.sampled_from(["coo", "csr"]), label="layout")
    graph, x = h.graph(), h.features(signed=p == 1)
    for dtype, rtol in TOLERANCE.items():
        dense = x.to(dtype)
        sparse = dense.to_sparse() if layout == "coo" else dense.to_sparse_csr()
        conv = HyperSAGEConv(WIDTH, 2, p, inter=inter, include_self=include_self).to(dtype)
        atol = rtol if p == 1 else 0
        actual, expected = conv.aggregate(graph, sparse), conv.aggregate(graph, dense)
        assert actual.layout == torch.strided
        assert actual.dtype == dtype
        torch.testing.assert_close(actual, expected, rtol=rtol, atol=atol)
        torch.testing.assert_close(
            conv(graph, sparse), conv(graph, dense), rtol=rtol, atol=10 * rtol
        )


@SELF
@pytest.mark.parametrize("p", [-20, -10, -5, -1, 0.01, 1, 2, 20])
def test_weights_of_full_precision(p, include_self):
    # Where every entry is stored nothing is left for the zeros, whose power eps^-20 is 1e40: not
    # even the rounding of a sum of weights.
    numbers = torch.Generator().manual_seed(0)
    hyperedges = [torch.randperm(40, generator=numbers)[:20].tolist() for _ in range(6)]
    graph = hypergraph(
        hyperedges,
        40,
        incidence_weight=torch.rand(120, generator=numbers, dtype=torch.float64) + 0.1,
        hyperedge_weight=torch.rand(6, generator=numbers, dtype=torch.float64) + 0.1,
    )
    x = torch.rand(40, WIDTH, generator=numbers, dtype=torch.float64) + 1
    conv = HyperSAGEConv(WIDTH, 2, p, include_self=include_self).double()
    torch.testing.assert_close(
        conv.aggregate(graph, x.to_sparse_csr()), conv.aggregate(graph, x), rtol=1e-7, atol=0
    )


@SELF
@pytest.mark.parametrize("p", [-1, 0.5, 1, 2, INF])
def test_stored_zeros_and_values_below_the_floor(p, include_self):
    indices = torch.tensor([[0, 0, 1, 2, 2, 3], [0, 2, 1, 0, 1, 2]])
    values = torch.tensor([0.0, 1e-5, 0.3, 0.0, 2.0, 0.005])
    sparse = torch.sparse_coo_tensor(indices, values, (5, WIDTH))
    graph = hypergraph([[0, 1, 2], [2, 3], [3, 4]])
    conv = HyperSAGEConv(WIDTH, 2, p, include_self=include_self)
    torch.testing.assert_close(
        conv.aggregate(graph, sparse), conv.aggregate(graph, sparse.to_dense())
    )


def test_repeated_entries_add_up():
    indices = torch.tensor([[0, 0, 1, 2], [1, 1, 0, 2]])
    sparse = torch.sparse_coo_tensor(indices, torch.tensor([1.0, 2.0, 3.0, 4.0]), (3, WIDTH))
    graph = hypergraph([[0, 1], [1, 2]])
    for p in (1, 2):
        conv = HyperSAGEConv(WIDTH, 2, p)
        torch.testing.assert_close(conv(graph, sparse), conv(graph, sparse.to_dense()))


@SELF
@pytest.mark.parametrize("p", [1, 2, 0.01, PowerMean(1.0, learn=True)], ids=str)
def test_gradients_of_the_parameters(p, include_self):
    torch.manual_seed(0)
    graph = hypergraph([[0, 1, 2], [2, 3], [3, 4, 0]], 6)
    x = torch.rand(6, 8) * (torch.rand(6, 8) > 0.6)
    model = HyperSAGE(8, 4, 2, p=p, dropout=0.0, include_self=include_self)
    gradients = []
    for feat in (x, x.to_sparse_csr()):
        out = model(graph, feat).square().sum()
        gradients.append(torch.autograd.grad(out, list(model.parameters())))
    torch.testing.assert_close(gradients[0], gradients[1], rtol=1e-4, atol=1e-6)


def test_gradients_of_the_incidence_weights():
    graph = hypergraph([[0, 1, 2], [2, 3]])
    x = torch.rand(4, WIDTH, dtype=torch.float64)
    conv = HyperSAGEConv(WIDTH, 2).double()
    gradients = []
    for feat in (x, x.to_sparse_csr()):
        weight = torch.arange(1.0, 6.0, dtype=torch.float64).requires_grad_()
        conv(graph, feat, weight).square().sum().backward()
        gradients.append(weight.grad)
    torch.testing.assert_close(*gradients)


@SELF
@pytest.mark.parametrize("inter", INTERS)
@pytest.mark.parametrize("batch_size", [1, 7])
def test_inference(inter, batch_size, include_self):
    graph = hypergraph([[0, 1, 2, 3], [2, 3, 4], [5], [4, 6, 0]], 9)
    x = torch.rand(9, WIDTH) * (torch.rand(9, WIDTH) > 0.5)
    for p in (-1, 1, 2):
        model = HyperSAGE(WIDTH, 4, 2, p=p, inter=inter, include_self=include_self).eval()
        streamed = model.inference(graph, x.to_sparse_csr(), batch_size)
        torch.testing.assert_close(streamed, model(graph, x), rtol=1e-5, atol=1e-6)
        torch.testing.assert_close(model(graph, x.to_sparse()), model(graph, x))


@SELF
def test_block_pairs(include_self):
    graph = hypergraph([[0, 1, 2, 3], [2, 3, 4], [5], [4, 6, 0]], 9)
    x = torch.rand(9, WIDTH) * (torch.rand(9, WIDTH) > 0.5)
    sampler = dgl.dataloading.MultiLayerNeighborSampler(
        [{"in": 2, "contains": 0}, {"in": 0, "contains": 1}] * 2, fused=False
    )
    found, _, blocks = sampler.sample(graph, {"node": torch.tensor([2, 7, 0])})
    for block in blocks[1::2]:
        attach_counts(graph, block)
    pairs = list(zip(blocks[::2], blocks[1::2]))
    feat = x[found["node"]]
    for p in (-1, 1, 2):
        model = HyperSAGE(WIDTH, 4, 2, p=p, include_self=include_self).eval()
        torch.testing.assert_close(model(pairs, feat.to_sparse_csr()), model(pairs, feat))


def test_the_sparse_tensor_is_left_untouched():
    sparse = torch.eye(4).to_sparse_csr()
    before = [t.clone() for t in (sparse.crow_indices(), sparse.col_indices(), sparse.values())]
    model = HyperSAGE(4, 4, 2, p=2, feat_drop=0.5)
    model(hypergraph([[0, 1], [1, 2, 3]]), sparse).sum().backward()
    after = (sparse.crow_indices(), sparse.col_indices(), sparse.values())
    assert all(torch.equal(a, b) for a, b in zip(before, after))


@pytest.mark.parametrize(
    ("p", "eps", "scale"), [(-100, 1e-4, 1), (-50, 1e-7, 1), (100, 1e-2, 1.5e4)]
)
def test_sparse_features_at_extreme_powers(p, eps, scale):
    numbers = torch.Generator().manual_seed(0)
    features = torch.rand(6, 3, dtype=torch.float64, generator=numbers)[:4] + 0.1
    graph, x = hypergraph([[0, 1, 2], [2, 3], [1, 3]]), scale * (features - 0.3).clamp_min(0)
    conv = HyperSAGEConv(3, 2, p, eps=eps).double()
    dense = conv.aggregate(graph, x)
    assert torch.isfinite(dense).all()
    torch.testing.assert_close(conv.aggregate(graph, x.to_sparse_csr()), dense, rtol=1e-7, atol=0)


@product(
    {
        "p": [-20, -1, 0, 0.01, 0.5, 1, 2, 20, (1, 2), (2, 1), (0.5, -20), (-1, 3)],
        "inter": INTERS,
        "weights": WEIGHTS,
        "layout": ["csr", "coo"],
        "where": PLACES,
        "dtype": DTYPES,
    },
    exists,
)
def test_is_the_plain_way(p, inter, weights, layout, where, dtype, monkeypatch):
    taken = []

    def counted(theirs):
        def call(*args):
            found = theirs(*args)
            taken.extend([] if found is None else [1])
            return found

        return call

    for module, name in (
        (fast_paths.sparse_features, "aggregate_sparse"),
        (fast_paths, "sum_sparse"),
    ):
        monkeypatch.setattr(module, name, counted(getattr(module, name)))
    graph, nodes = place(weights, where, True)
    feat = features(dtype)[nodes]
    feat = feat.to_sparse_csr() if layout == "csr" else feat.to_sparse_coo()
    assert_alike(layer(p, inter, True, dtype), graph, feat)
    assert len(taken) == 2


@pytest.mark.parametrize("rows", [1, 3, 256])
@pytest.mark.parametrize("normalize", [True, False])
@pytest.mark.parametrize("p", [0.01, 2.0, -1.0])
def test_rows_written_in_parts_are_those_of_the_whole_to_the_bit(p, normalize, rows, monkeypatch):
    graph, nodes = place("none", "blocks", True)
    feat = features(torch.float32)[nodes].to_sparse_csr()
    conv = layer(p, "size", True, torch.float32, normalize=normalize)
    aggregate = conv.aggregate(graph, feat)
    monkeypatch.setattr(fast_paths.sparse_features, "ROWS", rows)
    assert torch.equal(conv.aggregate(graph, feat), aggregate)
    own = feat.to_dense()[: len(aggregate)]
    assert torch.equal(conv.hidden(graph, feat), conv.unit(own, aggregate))


def test_when_it_applies():
    graph = hypergraph([[0, 1, 2], [2, 3]], hyperedge_weight=[1.0, 2.0])
    stages, sparse = split_stages(graph), torch.eye(4).to_sparse_csr()
    fixed = (PowerMean(2), Mean())
    assert applies(*stages, sparse, *fixed)
    assert applies(*stages, torch.eye(4).to_sparse_coo(), *fixed)
    assert not applies(*stages, torch.eye(4), *fixed)
    for other in (PowerMean(2.0, learn=True), PowerMean(INF), Max(), PowerMean(1000)):
        assert not applies(*stages, sparse, PowerMean(2), other)
        assert not applies(*stages, sparse, other, PowerMean(2))
    learned = torch.eye(4).to_sparse_coo().requires_grad_()
    assert not applies(*stages, learned, *fixed)
    for part in (0, 1):
        weight = torch.ones(5 if part == 0 else 2, requires_grad=True)
        name = "edge_weight" if part == 0 else "weight"
        changed = [replace(s, **{name: weight}) if i == part else s for i, s in enumerate(stages)]
        assert not applies(*changed, sparse, *fixed)


@pytest.mark.parametrize("scale", [1.0, 1e200], ids=["usual", "squares overflow"])
@pytest.mark.parametrize("normalize", [True, False])
@pytest.mark.parametrize("where", PLACES)
@pytest.mark.parametrize("weights", WEIGHTS)
def test_the_sum_is_dense_arithmetic(weights, where, normalize, scale):
    graph, nodes = place(weights, where, True)
    # Both signs, so that a sum cancels; some rows are empty, and so is a column.
    feat = features(torch.float64)[nodes] - 0.5
    feat = scale * feat * (torch.arange(feat.numel()).reshape(feat.shape) % 3 == 0)
    conv = HyperSAGEConv(feat.shape[1], 2, normalize=normalize).double()
    actual = conv.hidden(graph, feat.to_sparse_csr())
    total = feat[: len(actual)] + conv.aggregate(graph, feat, fast=False)
    # Of rows whose squares overflow the oracle cannot take the length either.
    expected = total / scale
    if normalize:
        expected, scale = torch.nn.functional.normalize(expected, dim=1), 1.0
    assert actual.layout == torch.sparse_csr
    torch.testing.assert_close(actual.to_dense() / scale, expected)


def test_plain_means_stay_sparse_up_to_w():
    graph, x = hypergraph([[0, 1], [2, 3]], 5), torch.eye(5).to_sparse_csr()
    assert HyperSAGEConv(5, 2).hidden(graph, x).layout == torch.sparse_csr
    assert HyperSAGEConv(5, 2, 2).hidden(graph, x).layout == torch.strided
    assert HyperSAGEConv(5, 2, fast=False).hidden(graph, x).layout == torch.strided
