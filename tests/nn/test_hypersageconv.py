"""The layer: its options, errors and warnings, its copies, its state and its one line of text."""

from __future__ import annotations

import copy
import inspect
import math
import pickle
import warnings

import dgl
import pytest
import torch
import torch.nn.functional as F

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import LSTM, HyperSAGEConv, Max, PowerMean

HYPEREDGES = [[0, 1, 2], [2, 3], [3, 1, 4, 0]]


def graph():
    return hypergraph(HYPEREDGES, 6)


def features(least: float = 0.1) -> torch.Tensor:
    return torch.rand(6, 3, generator=torch.Generator().manual_seed(5)) + least


def with_identity(**options) -> HyperSAGEConv:
    """A layer whose W is the identity, so that its output shows what goes into W."""
    conv = HyperSAGEConv(3, 3, bias=False, normalize=False, **options)
    with torch.no_grad():
        conv.linear.weight.copy_(torch.eye(3))
    return conv


def test_signature_is_the_one_of_the_family():
    parameters = inspect.signature(HyperSAGEConv).parameters
    assert list(parameters)[:3] == ["in_feats", "out_feats", "p"]
    defaults = {
        "p": 1.0,
        "inter": "size",
        "include_self": True,
        "eps": 1e-2,
        "intra_aggr": None,
        "inter_aggr": None,
        "feat_drop": 0.0,
        "dropout": 0.0,
        "normalize": True,
        "bias": True,
        "norm": None,
        "activation": None,
    }
    assert {name: parameters[name].default for name in defaults} == defaults
    assert all(parameters[n].kind is inspect.Parameter.KEYWORD_ONLY for n in list(defaults)[1:])


def test_update_is_self_term_plus_aggregate_once():
    conv, x = with_identity(p=2), features()
    torch.testing.assert_close(conv(graph(), x), x + conv.aggregate(graph(), x))


def test_normalize_scales_what_goes_into_w_to_unit_length():
    conv = with_identity()
    conv.normalize = True
    lengths = conv(graph(), features()).norm(dim=1)
    torch.testing.assert_close(lengths, torch.ones(6))


def test_no_bias():
    assert HyperSAGEConv(3, 2, bias=False).linear.bias is None
    assert HyperSAGEConv(3, 2).linear.bias.tolist() == [0, 0]


def test_norm_and_activation_come_after_w_in_the_order_of_dgl():
    options = {"norm": lambda h: h - 1, "activation": F.relu}
    conv = HyperSAGEConv(3, 4, **options)
    linear = conv.linear(F.normalize(features() + conv.aggregate(graph(), features()), dim=1))
    sage = dgl.nn.SAGEConv(3, 4, "mean", **options)
    own = torch.rand(2, 3)
    # SAGEConv on a graph without edges shows DGL's order.
    dgl_order = sage(dgl.graph(([], []), num_nodes=2), own)
    activation_first = torch.equal(dgl_order, F.relu(sage.fc_self(own)) - 1)
    expected = F.relu(linear) - 1 if activation_first else F.relu(linear - 1)
    torch.testing.assert_close(conv(graph(), features()), expected)


def test_a_module_as_norm_is_trained_with_the_layer():
    conv = HyperSAGEConv(3, 4, norm=torch.nn.LayerNorm(4))
    assert {"norm.weight", "norm.bias"} <= set(dict(conv.named_parameters()))


def test_dropout_acts_after_the_aggregation_and_before_w():
    torch.manual_seed(0)
    conv, x = with_identity(dropout=0.5), features()
    hidden = x + conv.aggregate(graph(), x)
    ratios = torch.cat([(conv(graph(), x) / hidden).flatten() for _ in range(50)]).detach()
    is_zero = ratios == 0
    torch.testing.assert_close(ratios[~is_zero], torch.full_like(ratios[~is_zero], 2.0))
    assert 0.4 < float(is_zero.float().mean()) < 0.6
    torch.testing.assert_close(conv.eval()(graph(), x), hidden)


def test_feat_drop_acts_on_the_input():
    torch.manual_seed(0)
    conv, x = with_identity(feat_drop=0.5), features()
    # Node 5 is isolated, so its row shows the input alone.
    ratios = torch.cat([conv(graph(), x)[5] / x[5] for _ in range(100)]).detach()
    assert set(ratios.round(decimals=4).tolist()) == {0.0, 2.0}
    torch.testing.assert_close(conv.eval()(graph(), x), x + conv.aggregate(graph(), x))


@pytest.mark.parametrize("layout", ["dense", "sparse"])
@pytest.mark.parametrize("p", [1, 2])
def test_gradients_with_dropout_belong_to_the_mask_that_was_drawn(p, layout):
    conv = HyperSAGEConv(3, 2, p, dropout=0.4).double()
    x = features(least=0.0).double() * (features() > 0.5)
    x = x.to_sparse_csr() if layout == "sparse" else x

    def forward(*_):
        torch.manual_seed(7)
        return conv(graph(), x)

    assert torch.autograd.gradcheck(forward, (conv.linear.weight, conv.linear.bias))


@pytest.mark.parametrize("inter", ["paper", "invariant"])
@pytest.mark.parametrize("p", [0, 0.0, (1, 0)])
def test_p_zero_needs_weights_that_sum_to_one(inter, p):
    with pytest.raises(ValueError, match="size"):
        HyperSAGEConv(3, 2, p, inter=inter)


@pytest.mark.parametrize("inter", ["paper", "invariant"])
@pytest.mark.parametrize("p", [0.01, -0.05, 0.099, (1, 0.01)])
def test_a_small_p_with_weights_that_do_not_sum_to_one_warns_once(inter, p):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        conv = HyperSAGEConv(3, 2, p, inter=inter)
        conv(graph(), features())
        conv(graph(), features())
    assert [w.category for w in caught] == [UserWarning]
    assert "size" in str(caught[0].message)


@pytest.mark.parametrize("p", [0.1, -0.1, 0.5, (0, 1), (0.01, 2)])
def test_other_powers_do_not_warn(p):
    HyperSAGEConv(3, 2, p, inter="paper")(graph(), features())


@pytest.mark.parametrize("include_self", [True, False])
@pytest.mark.parametrize("p", [-1, 0, 2, 20, math.inf, (1, 2), (2, 3)])
def test_negative_inputs_are_floored_with_one_warning(p, include_self):
    x = features()
    x[1:3] *= -1
    conv = HyperSAGEConv(3, 2, p, include_self=include_self)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        first = conv.aggregate(graph(), x)
        conv.aggregate(graph(), x)
    assert [w.category for w in caught] == [UserWarning]
    assert torch.isfinite(first).all()
    if not isinstance(p, tuple):
        torch.testing.assert_close(first, conv.aggregate(graph(), x.clamp_min(0.01)))


def test_negative_inputs_at_p_one_are_fine():
    conv = HyperSAGEConv(3, 2)
    torch.testing.assert_close(
        conv.aggregate(graph(), -features()), -conv.aggregate(graph(), features())
    )


BAD_LAYERS = {
    "inter": ({"inter": "sum"}, ValueError, "sum"),
    "p, text": ({"p": "max"}, (TypeError, ValueError), "max"),
    "p, NaN": ({"p": math.nan}, ValueError, "nan"),
    "p, three": ({"p": (1, 2, 3)}, ValueError, "pair"),
    "p, None": ({"p": None}, (TypeError, ValueError), "None"),
    "eps": ({"p": 2, "eps": 0.0}, ValueError, "eps"),
    "dropout": ({"dropout": 1.5}, ValueError, "1.5"),
    "feat_drop": ({"feat_drop": -0.1}, ValueError, "-0.1"),
}


@pytest.mark.parametrize("name", BAD_LAYERS)
def test_bad_options_are_named(name):
    options, error, words = BAD_LAYERS[name]
    with pytest.raises(error, match=words):
        HyperSAGEConv(3, 2, **options)


BAD_INPUTS = {
    "too few rows": (lambda: (graph(), torch.rand(5, 3)), ValueError, r"\(5, 3\)"),
    "too wide": (lambda: (graph(), torch.rand(6, 4)), ValueError, r"\(6, 4\)"),
    "integers": (lambda: (graph(), torch.ones(6, 3).long()), (TypeError, ValueError), "int64"),
    "other graph": (
        lambda: (dgl.graph(([0], [1]), num_nodes=6), features()),
        ValueError,
        "relations",
    ),
    "no graph": (lambda: (HYPEREDGES, features()), TypeError, "hypergraph"),
    "short weights": (lambda: (graph(), features(), torch.ones(3)), ValueError, r"\(3,\)"),
    "zero weight": (lambda: (graph(), features(), torch.zeros(9)), ValueError, "positive"),
    "NaN weight": (lambda: (graph(), features(), torch.full((9,), math.nan)), ValueError, "posit"),
}


@pytest.mark.parametrize("name", BAD_INPUTS)
def test_bad_inputs_are_named(name):
    arguments, error, words = BAD_INPUTS[name]
    with pytest.raises(error, match=words):
        HyperSAGEConv(3, 2)(*arguments())


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


def test_reset_parameters_draws_again_and_sets_p_back():
    conv = HyperSAGEConv(3, 2, PowerMean(2.0, learn=True))
    before = conv.linear.weight.clone()
    with torch.no_grad():
        conv.intra_aggr.p.fill_(9.0)
    conv.reset_parameters()
    assert float(conv.intra_aggr.p.detach()) == 2
    assert not torch.equal(before, conv.linear.weight)


def test_a_given_aggregator_keeps_its_parameters():
    lstm, power = LSTM(3), PowerMean(1.0, learn=True)
    before = lstm.lstm.weight_ih_l0.detach().clone()
    power.p.data.fill_(3.0)
    HyperSAGEConv(3, 2, power, intra_aggr=lstm)
    assert torch.equal(lstm.lstm.weight_ih_l0, before)
    assert power.p.item() == 3.0


@pytest.mark.parametrize("feat", [{"node": 1}, [[1.0]]], ids=["dict", "list"])
def test_features_that_are_no_tensor(feat):
    with pytest.raises(TypeError, match="torch tensor"):
        HyperSAGEConv(3, 2)(hypergraph(HYPEREDGES), feat)


def test_bfloat16_with_a_learned_large_power():
    conv = HyperSAGEConv(3, 2, PowerMean(20.0, learn=True, channels=3)).bfloat16()
    assert conv(graph(), features().bfloat16()).dtype == torch.bfloat16
