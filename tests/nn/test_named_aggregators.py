"""Every built-in aggregator has its name, which recipes and checkpoints give back."""

from __future__ import annotations

import pytest
import torch

from hypersage_dgl import hypergraph, nn
from hypersage_dgl.nn import AGGREGATORS, MADE_BY_WIDTH, Aggregator, ByRole, PowerMean, as_option
from hypersage_dgl.training import Recipe, decode_config, encode_config

NAMES = pytest.mark.parametrize("name", [name for name in AGGREGATORS if name != "power"])


def test_all_that_need_no_options_are_there():
    offered = (getattr(nn, name) for name in nn.__all__)
    kinds = {kind for kind in offered if isinstance(kind, type) and issubclass(kind, Aggregator)}
    # The power mean is chosen by p, and roles have aggregators of their own.
    assert kinds - {Aggregator, PowerMean, ByRole} == set(AGGREGATORS.values()) - {None}
    assert AGGREGATORS["power"] is None


@NAMES
@pytest.mark.parametrize("field", ["intra", "inter_aggr"])
def test_recipes_and_checkpoints_know_each(name, field):
    kind, level = AGGREGATORS[name], {"intra": "intra_aggr"}.get(field, field)
    model = Recipe(**{field: name}, hidden_feats=4).build(3, 2)
    assert type(getattr(model.first, level)) is kind
    config = decode_config(encode_config(model.config))
    held = getattr(config, level)
    assert held is kind if kind in MADE_BY_WIDTH else type(held) is kind


@NAMES
def test_an_option_makes_a_layer_of_every_width(name):
    model = nn.HyperSAGE(3, 5, 2, intra_aggr=as_option(AGGREGATORS[name]))
    assert model(hypergraph([[0, 1, 2]]), torch.rand(3, 3)).shape == (3, 2)
