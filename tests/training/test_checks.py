"""Nodes, features and labels that cannot work are named where they enter training."""

from __future__ import annotations

import pytest
import torch
from small_hypergraph import INF, NODES, WIDTH, model_for

from hypersage_dgl.training import fit

from .cases import assert_weights, full, sampled, small

TRAIN = torch.tensor([7, 2, 12, 4, 0])


@pytest.mark.parametrize("make", [full, sampled])
@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"nodes": []}, ValueError, "no node to train on"),
        ({"nodes": torch.zeros(NODES, dtype=torch.bool)}, ValueError, "no node to train on"),
        ({"nodes": torch.tensor([True, False])}, ValueError, r"mask .* has shape \(2,\)"),
        ({"nodes": torch.ones(NODES, dtype=torch.uint8)}, TypeError, "mask as torch.bool"),
        ({"nodes": torch.ones(NODES)}, TypeError, "integers"),
        ({"nodes": [1, 1, 2]}, ValueError, "repeated"),
        ({"nodes": [NODES]}, ValueError, "too large"),
        ({"nodes": [-1]}, ValueError, "negative"),
        ({"feat": torch.rand(NODES, WIDTH)}, TypeError, "torch.float32.*torch.float64"),
        ({"feat": torch.ones(NODES, WIDTH).long()}, TypeError, "torch.int64"),
        ({"feat": torch.rand(NODES - 1, WIDTH).double()}, ValueError, "12 rows .* 13 nodes"),
        ({"feat": torch.rand(NODES, 2).double()}, ValueError, "takes 5 columns"),
        ({"feat": [[1.0]]}, TypeError, "torch tensor"),
        ({"labels": torch.zeros(3).long()}, ValueError, r"shape \(3,\)"),
        ({"labels": torch.zeros(NODES)}, TypeError, "classes are non-negative integers"),
        ({"labels": torch.zeros(NODES).cfloat()}, TypeError, "labels are torch.complex64; give"),
    ],
)
def test_what_cannot_work_is_named_at_once(make, change, error, message):
    case = small()
    given = {"graph": case.graph, "feat": case.feat, "labels": case.labels, "nodes": TRAIN}
    model = model_for()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    with pytest.raises(error, match=message):
        fit(model, make(model, **{**given, **change}), epochs=1)
    assert_weights(model, before)


@pytest.mark.parametrize("make", [full, sampled])
@pytest.mark.parametrize("layout", ["dense", "sparse"])
@pytest.mark.parametrize("value", [float("nan"), INF])
def test_nan_and_infinite_features_are_named_at_once(make, layout, value):
    case = small()
    case.feat[12, 3] = value
    feat = case.feat if layout == "dense" else case.feat.to_sparse()
    with pytest.raises(ValueError, match="NaN or infinite"):
        make(model_for(), case.graph, feat, case.labels, TRAIN)


@pytest.mark.parametrize("batch_size", [0, -1, 2.0, True])
def test_bad_batch_sizes_are_named(batch_size):
    with pytest.raises(ValueError, match="batch_size is"):
        sampled(model_for(), *small(), TRAIN, batch_size=batch_size)
