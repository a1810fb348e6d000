"""Rows that are summed where they lie: the same bits as of rows that were brought together."""

from __future__ import annotations

import warnings

import pytest
import torch
from products import product

from hypersage_dgl.nn import HyperSAGE, Max, Mean
from hypersage_dgl.nn.fast import picked
from hypersage_dgl.nn.prepare import stages_of

from .cases import NODES, WEIGHTS, WIDTH, features, layer, place

LEVELS = {"p=1": None, "mean": (Mean(), Mean())}


@product(
    {
        "levels": list(LEVELS),
        "inter": ["size", "mean"],
        "normalize": [True, False],
        "weights": WEIGHTS,
        "chunk": [1, 2, 256],
    }
)
def test_is_the_layer_on_taken_rows_to_the_bit(
    levels, inter, normalize, weights, chunk, monkeypatch
):
    monkeypatch.setattr(picked, "ROWS", chunk)
    pair, nodes = place(weights, "blocks", include_self=True)
    given = LEVELS[levels] or (None, None)
    options = {"intra_aggr": given[0], "inter_aggr": given[1], "normalize": normalize}
    conv = layer(1.0, inter, True, torch.float32, **options)
    feat = features(torch.float32)
    found = _picked(conv, pair, feat, nodes)
    assert found is not None
    assert torch.equal(found, conv.hidden(pair, feat[nodes]))
    conv.fast = False
    torch.testing.assert_close(found, conv.hidden(pair, feat[nodes]))


def _picked(conv, pair, feat, nodes):
    levels = (conv.intra_aggr, conv.inter_aggr)
    return picked.sum_picked(*stages_of(conv, pair), feat, nodes, levels, conv.normalize)


@pytest.mark.parametrize(
    ("p", "dtype", "layout"),
    [
        (2.0, torch.float32, "dense"),
        (1.0, torch.float64, "dense"),
        (1.0, torch.float32, "csr"),
        (1.0, torch.float16, "dense"),
    ],
)
def test_other_means_types_and_layouts_are_not_taken(p, dtype, layout):
    pair, nodes = place("none", "blocks", include_self=True)
    feat = features(torch.float32).to(dtype)
    feat = feat.to_sparse_csr() if layout == "csr" else feat
    assert _picked(layer(p, "size", True, torch.float32), pair, feat, nodes) is None


def test_max_is_not_taken():
    pair, nodes = place("none", "blocks", include_self=True)
    conv = layer(1.0, "size", True, torch.float32, intra_aggr=Max())
    assert _picked(conv, pair, features(torch.float32), nodes) is None


@product(
    {
        "p": [1.0, 2.0, 0.01],
        "include_self": [True, False],
        "inter": ["size", "paper"],
        "layout": ["dense", "csr", "half"],
        "fast": [True, False],
    }
)
def test_a_model_keeps_the_first_layer_of_rows_of_all_nodes(p, include_self, inter, layout, fast):
    pair, nodes = place("none", "blocks", include_self)
    options = {"inter": inter, "include_self": include_self, "fast": fast}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="inter='paper' has weights")
        model = HyperSAGE(WIDTH, 4, 2, num_layers=1, p=p, **options)
    feat = features(torch.float32)
    table = {"dense": feat, "csr": feat.to_sparse_csr(), "half": feat.half()}[layout]
    taken = feat[nodes] if layout != "half" else feat.half()[nodes].float()
    expected = model.first_layer([pair], taken.to_sparse_csr() if layout == "csr" else taken)
    found = model.first_layer([pair], table, rows=nodes)
    assert found.hidden.layout == expected.hidden.layout
    dense = [each.hidden.to_dense() for each in (found, expected)]
    assert torch.equal(*dense)


def test_as_many_rows_as_input_nodes_are_asked_for():
    pair, nodes = place("none", "blocks", include_self=True)
    model = HyperSAGE(WIDTH, 4, 2, num_layers=1)
    with pytest.raises(ValueError, match="input nodes of the blocks; give one for each"):
        model.first_layer([pair], torch.rand(NODES, WIDTH), rows=nodes[1:])
