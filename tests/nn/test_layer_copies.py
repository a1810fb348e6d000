"""Copies of a layer, its state and its one line of text."""

from __future__ import annotations

import copy
import pickle

import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import LSTM, HyperSAGEConv, Max, PowerMean


def graph():
    return hypergraph([[0, 1, 2], [2, 3], [3, 1, 4, 0]], 6)


def features() -> torch.Tensor:
    return torch.rand(6, 3, generator=torch.Generator().manual_seed(5)) + 0.1


LAYERS = {
    "plain": lambda: HyperSAGEConv(3, 2),
    "pair": lambda: HyperSAGEConv(3, 2, (1, 2), include_self=False),
    "paper": lambda: HyperSAGEConv(3, 2, 2, inter="paper"),
    "learned": lambda: HyperSAGEConv(3, 2, PowerMean(0.5, learn=True, channels=3)),
    "lstm": lambda: HyperSAGEConv(3, 2, inter_aggr=LSTM(3)),
    "max": lambda: HyperSAGEConv(3, 2, intra_aggr=Max(), norm=torch.nn.LayerNorm(2)),
}


@pytest.mark.parametrize("name", LAYERS)
@pytest.mark.parametrize(
    "copied",
    [copy.deepcopy, lambda conv: pickle.loads(pickle.dumps(conv))],
    ids=["deepcopy", "pickle"],
)
def test_a_copy_gives_the_same_and_goes_its_own_way(copied, name):
    conv = LAYERS[name]()
    out = conv(graph(), features())
    other = copied(conv)
    assert torch.equal(other(graph(), features()), out)
    with torch.no_grad():
        other.linear.weight.zero_()
    assert torch.equal(conv(graph(), features()), out)


@pytest.mark.parametrize("name", LAYERS)
def test_state_dict_round_trip(name):
    conv, other = LAYERS[name](), LAYERS[name]()
    with torch.no_grad():
        for parameter in conv.parameters():
            parameter.add_(0.1 * torch.rand_like(parameter))
    assert not torch.equal(conv(graph(), features()), other(graph(), features()))
    other.load_state_dict(conv.state_dict())
    assert torch.equal(conv(graph(), features()), other(graph(), features()))


@pytest.mark.parametrize("name", LAYERS)
def test_repr_is_one_line(name):
    text = repr(LAYERS[name]())
    assert "\n" not in text
    assert text.startswith("HyperSAGEConv(3, 2")


def test_repr_tells_what_was_asked_for():
    assert repr(HyperSAGEConv(4, 2, 0.5)) == "HyperSAGEConv(4, 2, p=0.5)"
    text = repr(HyperSAGEConv(4, 2, (1, 2), inter="mean", include_self=False))
    assert all(part in text for part in ("p=(1, 2)", "inter='mean'", "include_self=False"))
    assert "learn=True" in repr(HyperSAGEConv(4, 2, PowerMean(2.0, learn=True)))
    assert "Max()" in repr(HyperSAGEConv(4, 2, intra_aggr=Max()))


def test_reset_parameters_draws_anew_and_sets_p_back():
    conv = HyperSAGEConv(3, 2, PowerMean(2.0, learn=True))
    before = conv.linear.weight.clone()
    with torch.no_grad():
        conv.intra_aggr.p.fill_(9.0)
    conv.reset_parameters()
    assert float(conv.intra_aggr.p.detach()) == 2
    assert not torch.equal(before, conv.linear.weight)
