"""Streamed inference is the full-graph forward, in chunks of any size."""

from __future__ import annotations

import pytest
import torch
from products import product
from small_hypergraph import INTERS, NODES, POWERS, WIDTH, model_for, small, weightings
from torch import nn

from hypersage_dgl import hypergraph
from hypersage_dgl._utils import mapped_tensor
from hypersage_dgl.nn import LSTM, Attention, HyperSAGE, Max, PowerMean, Sum

SELF = pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])
PRIME = 5


@torch.no_grad()
def assert_streamed(model, case, *sizes, rtol=1e-9):
    expected = model.eval()(case.graph, case.feat)
    for size in sizes:
        streamed = model.inference(case.graph, case.feat, size)
        torch.testing.assert_close(streamed, expected, rtol=rtol, atol=rtol)


@product(
    {"p": POWERS, "inter": INTERS, "include_self": [True, False]},
    lambda p, inter, **_: (p, inter) in weightings(),
)
@pytest.mark.many
def test_every_power_and_weighting(p, inter, include_self):
    case = small()
    model = model_for(p, 1, inter=inter, include_self=include_self)
    assert_streamed(model, case, 1, PRIME)
    # Hidden layers see values of another scale, and more layers more of the graph.
    assert_streamed(model_for(p, 3, inter=inter, include_self=include_self), case, PRIME)


@SELF
@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize(("weighted", "idtype"), [(True, torch.int64), (False, torch.int32)])
def test_every_size_of_chunks(layers, include_self, weighted, idtype):
    case = small(weighted, idtype)
    model = model_for(2, layers, include_self=include_self)
    assert_streamed(model, case, 1, 2, PRIME, NODES - 1, 1000)


@SELF
@pytest.mark.parametrize(
    "options",
    [
        {"intra_aggr": LSTM, "inter_aggr": LSTM},
        {"intra_aggr": Max(), "inter_aggr": Sum()},
        {"p": PowerMean(0.5, learn=True, channels=WIDTH)},
        {"norm": nn.BatchNorm1d, "normalize": False, "bias": False},
        {"dropout": 0.5, "feat_drop": 0.3},
        {"node_weight": "hypermsg"},
        {"intra_aggr": Attention, "inter_aggr": Attention},
    ],
    ids=["lstm", "max and sum", "learned", "norm", "dropout", "node weight", "attention"],
)
def test_other_options(options, include_self):
    assert_streamed(model_for(include_self=include_self, **options), small(), PRIME)


@SELF
@pytest.mark.parametrize("inter", INTERS)
@pytest.mark.parametrize("layout", [torch.sparse_csr, torch.sparse_coo])
def test_sparse_features(layout, inter, include_self):
    case = small()
    model = model_for(2, inter=inter, include_self=include_self)
    with torch.no_grad():
        expected = model(case.graph, case.feat)
        feat = case.feat.to_sparse(layout=layout)
        for result in (model(case.graph, feat), model.inference(case.graph, feat, PRIME)):
            torch.testing.assert_close(result, expected, rtol=1e-9, atol=1e-9)


def test_single_precision_to_rounding():
    assert_streamed(
        model_for(0.01, 3, dtype=torch.float32), small(dtype=torch.float32), 1, PRIME, rtol=1e-5
    )


@SELF
@pytest.mark.parametrize("p", [1.0, 2.0])
def test_mapped_float16_is_computed_as_float32(p, include_self):
    case = small(dtype=torch.float32)
    model = model_for(p, include_self=include_self, dtype=torch.float32).eval()
    half = mapped_tensor(case.feat.half())
    with torch.no_grad():
        expected = model(case.graph, half.float())
    streamed = model.inference(case.graph, half, PRIME)
    assert streamed.dtype == torch.float32
    torch.testing.assert_close(streamed, expected, rtol=1e-5, atol=1e-6)
    with pytest.raises(ValueError, match=f"{NODES - 1} rows of features for {NODES} nodes"):
        model.inference(case.graph, mapped_tensor(half[1:]), PRIME)


@pytest.mark.parametrize("layout", [torch.strided, torch.sparse_csr])
def test_a_model_of_float16_is_refused(layout):
    case, model = small(dtype=torch.float32), model_for(dtype=torch.float32).half()
    feat = case.feat.half() if layout == torch.strided else case.feat.half().to_sparse_csr()
    with pytest.raises(TypeError, match=r"the model is of type torch\.float16"):
        model.inference(case.graph, feat, PRIME)


def test_a_graph_without_hyperedges():
    case = small()._replace(graph=hypergraph([], NODES))
    for include_self in (True, False):
        assert_streamed(model_for(2, include_self=include_self), case, 1, PRIME)


def test_training_mode_comes_back_and_nothing_is_learned():
    case = small()
    model = model_for(dropout=0.5).train()
    first, second = (model.inference(case.graph, case.feat, 5) for _ in range(2))
    assert model.training
    assert torch.equal(first, second)
    assert not first.requires_grad


@pytest.mark.parametrize("batch_size", [0, -3, 1.5, True, None])
def test_bad_sizes_are_named(batch_size):
    case = small()
    with pytest.raises(ValueError, match="batch_size is"):
        model_for().inference(case.graph, case.feat, batch_size)


def test_features_that_do_not_fit_are_named():
    case = small()
    with pytest.raises(ValueError, match="columns"):
        HyperSAGE(WIDTH + 1, 4, 2).double().inference(case.graph, case.feat)
