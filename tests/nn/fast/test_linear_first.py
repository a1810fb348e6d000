"""W before the sums is the plain way: the same rows, the same gradient of W."""

from __future__ import annotations

import pytest
import torch
from products import product

from hypersage_dgl.nn import Attention, HyperSAGEConv, Max, Mean, PowerMean, Sum
from hypersage_dgl.nn import fast as fast_paths
from hypersage_dgl.nn.first_layer import LinearFirstLayer, keep_lean

from .cases import DTYPES, FORWARD, INTERS, NODES, PLACES, WEIGHTS, WIDTH, features, layer, place

LEVELS = {"p=1": None, "mean": (Mean(), Mean()), "sum": (Sum(), Sum()), "both": (Sum(), Mean())}
# So few entries that a sparse product pays, also where a block has fewer rows out than in.
FEW = torch.zeros(NODES, WIDTH)
FEW[3, 1] = 2.0


@product(
    {
        "levels": list(LEVELS),
        "inter": INTERS,
        "include_self": [True, False],
        "normalize": [True, False],
        "weights": WEIGHTS,
        "where": PLACES,
        "content": ["few", "many"],
        "layout": ["dense", "csr", "coo"],
        "dtype": DTYPES,
    }
)
def test_is_the_plain_way(
    levels, inter, include_self, normalize, weights, where, content, layout, dtype
):
    graph, nodes = place(weights, where, include_self)
    feat = (FEW.to(dtype) if content == "few" else features(dtype))[nodes]
    pair = LEVELS[levels] or (None, None)
    options = {"intra_aggr": pair[0], "inter_aggr": pair[1], "normalize": normalize}
    conv = layer(1.0, inter, include_self, dtype, activation=torch.tanh, **options)
    given = {"csr": torch.Tensor.to_sparse_csr, "coo": torch.Tensor.to_sparse}.get(layout)
    kept = keep_lean(conv, graph, feat if given is None else given(feat))
    # Blocks have more rows to project than come out.
    assert isinstance(kept, LinearFirstLayer) == (content == "few" or where == "graph")
    ours = kept.through(conv, graph)
    conv.fast = False
    plain = conv(graph, feat)
    slope = torch.linspace(0.5, 2, plain.numel(), dtype=dtype).view_as(plain)
    rtol = FORWARD[dtype]
    torch.testing.assert_close(ours, plain, rtol=rtol, atol=rtol)
    found, expected = (
        torch.autograd.grad((out * slope).sum(), list(conv.parameters())) for out in (ours, plain)
    )
    for one, other in zip(found, expected):
        scale = float(other.abs().max())
        torch.testing.assert_close(one, other, rtol=10 * rtol, atol=10 * rtol * scale)


@pytest.mark.parametrize("layout", ["dense", "csr"])
def test_derivatives_of_any_order_reach_w(layout):
    graph, _ = place("both", "graph", True)
    feat = FEW.double() if layout == "dense" else FEW.double().to_sparse_csr()
    conv = layer(1.0, "size", True, torch.float64)
    kept = fast_paths.keep_linear(feat, lambda x: conv.aggregate(graph, x), normalize=True)

    def sums(x):
        wide = torch.nn.functional.pad(x, (0, WIDTH - x.shape[1]))
        return conv.aggregate(graph, wide)[:, : x.shape[1]]

    weight = torch.rand(2, WIDTH, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda w: kept.project(w, sums).pow(2), weight)
    assert torch.autograd.gradgradcheck(lambda w: kept.project(w, sums).pow(2), weight)


def test_the_rows_come_back():
    kept = fast_paths.keep_linear(FEW, lambda x: x, normalize=False)
    assert torch.equal(kept.rows().to_dense(), FEW)
    assert kept.rows().layout == torch.sparse_csr
    many = features(torch.float32, zeros=False)
    assert fast_paths.keep_linear(many, lambda x: x, normalize=False).rows() is many


@pytest.mark.parametrize(
    "aggregator", [Max(), PowerMean(2), PowerMean(1.0, learn=True), Attention(WIDTH)]
)
def test_others_do_not_only_add(aggregator):
    assert not fast_paths.is_linear(Mean(), aggregator)
    assert fast_paths.is_linear(Mean(), Sum(), PowerMean(1.0))


@pytest.mark.parametrize("entry", [1e35, torch.inf, torch.nan])
def test_rows_that_could_overflow_are_left_to_the_other_order(entry):
    graph, _ = place("none", "graph", True)
    conv = HyperSAGEConv(WIDTH, 2)
    feat = torch.rand(NODES, WIDTH)
    feat[0, 0] = entry
    kept = keep_lean(conv, graph, feat)
    assert not isinstance(kept, LinearFirstLayer)
    torch.testing.assert_close(kept.through(conv, graph), conv(graph, feat), equal_nan=True)


def test_a_layer_with_dropout_or_the_plain_way_takes_the_rows():
    graph, _ = place("none", "graph", True)
    conv = HyperSAGEConv(WIDTH, 2)
    for feat in (FEW, features(torch.float32)):
        kept = keep_lean(conv, graph, feat)
        assert isinstance(kept, LinearFirstLayer)
        for options in ({"dropout": 0.5}, {"fast": False}):
            other = HyperSAGEConv(WIDTH, 2, **options)
            torch.manual_seed(3)
            through = kept.through(other, graph)
            torch.manual_seed(3)
            torch.testing.assert_close(through, other(graph, kept.linear.rows()))
