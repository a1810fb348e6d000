"""Which aggregators the two levels get, and which are refused."""

from __future__ import annotations

import math
import warnings

import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import (
    LSTM,
    Aggregator,
    ByRole,
    HyperSAGE,
    HyperSAGEConv,
    Max,
    Mean,
    PowerMean,
)
from hypersage_dgl.nn.layer_arguments import check_mass, check_width, describe, two_aggregators


@pytest.mark.parametrize("p", [-20, 0, 0.5, 1, 2, math.inf])
def test_one_number_is_one_power_mean_for_both_levels(p):
    intra, inter = two_aggregators(p, 0.1, None, None)
    assert intra is inter
    assert (intra.p, intra.eps) == (p, 0.1)


@pytest.mark.parametrize("p", [(1, 2), [1, 2]])
def test_a_pair_is_inside_and_across(p):
    intra, inter = two_aggregators(p, 0.1, None, None)
    assert (intra.p, inter.p) == (1, 2)
    assert intra.eps == inter.eps == 0.1


def test_a_power_mean_is_shared_with_its_own_floor():
    given = PowerMean(3.0, learn=True, eps=0.5)
    assert two_aggregators(given, 0.1, None, None) == (given, given)


def test_a_levels_own_aggregator_goes_before_p():
    largest, mean = Max(), Mean()
    assert two_aggregators(2, 0.1, largest, None)[0] is largest
    assert two_aggregators(2, 0.1, largest, None)[1].p == 2
    assert two_aggregators((1, 2), 0.1, None, mean)[1] is mean
    assert two_aggregators((1, 2), 0.1, None, mean)[0].p == 1


@pytest.mark.parametrize("p", [(1,), (1, 2, 3), ()])
def test_a_pair_has_two(p):
    with pytest.raises(ValueError, match=r"a pair is \(p_intra, p_inter\)"):
        two_aggregators(p, 0.1, None, None)


@pytest.mark.parametrize("level", [2, 3])
@pytest.mark.parametrize("bad", ["max", Max, 3.0])
def test_what_is_no_aggregator_is_named(bad, level):
    arguments = [1, 0.1, None, None]
    arguments[level] = bad
    with pytest.raises(TypeError, match=["intra_aggr", "inter_aggr"][level - 2]):
        two_aggregators(*arguments)


WITH_MASS = pytest.mark.parametrize("weighting", ["paper", "invariant"])


@WITH_MASS
def test_a_mass_refuses_zero_and_learned_powers(weighting):
    with pytest.raises(ValueError, match="p=0 does not exist"):
        check_mass(weighting, PowerMean(0))
    for p in (1.0, 5.0):
        with pytest.raises(ValueError, match="learned p may pass through 0"):
            check_mass(weighting, PowerMean(p, learn=True))


@WITH_MASS
@pytest.mark.parametrize("p", [0.01, -0.099])
def test_a_mass_warns_of_small_powers(weighting, p):
    # s^(1/p): weights that sum to 1.2 would count (1.2)^100 at p=0.01.
    with pytest.warns(UserWarning, match=rf"to the power {1 / p:g}; use inter='size'"):
        check_mass(weighting, PowerMean(p))


@pytest.mark.parametrize("weighting", ["size", "mean"])
def test_weights_that_sum_to_one_take_every_power(weighting):
    for aggregator in (PowerMean(0), PowerMean(0.01), PowerMean(1.0, learn=True)):
        check_mass(weighting, aggregator)


@WITH_MASS
def test_a_mass_takes_other_powers_and_aggregators(weighting):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for aggregator in (PowerMean(0.1), PowerMean(-20), PowerMean(math.inf), Mean(), Max()):
            check_mass(weighting, aggregator)


def test_widths():
    check_width(5, PowerMean(2), Max(), LSTM(5), PowerMean(1.0, learn=True, channels=5))
    with pytest.raises(ValueError, match="is made for 4 channels, the layer has in_feats=5"):
        check_width(5, Max(), LSTM(4))


def test_description_makes_the_same_levels_again():
    shared, learned = PowerMean(0.5), PowerMean(2.0, learn=True)
    assert describe(shared, shared) == ["p=0.5"]
    assert describe(PowerMean(1), PowerMean(math.inf)) == ["p=(1, inf)"]
    assert describe(learned, learned) == ["p=PowerMean(p=2, learn=True)"]
    assert describe(PowerMean(2, eps=0.1), Max()) == [
        "intra_aggr=PowerMean(p=2, eps=0.1)",
        "inter_aggr=Max()",
    ]
    for p in (0.5, (1, 2), learned):
        conv = HyperSAGEConv(3, 2, p)
        names = {"HyperSAGEConv": HyperSAGEConv, "PowerMean": PowerMean}
        again = eval(repr(conv), names)
        assert repr(again) == repr(conv)
        assert (again.intra_aggr is again.inter_aggr) == (conv.intra_aggr is conv.inter_aggr)


def test_unknown_reduce_is_refused():
    class Product(Aggregator):
        reduce = "prod"

    with pytest.raises(ValueError, match=r"prod.*mean, sum, max, min"):
        HyperSAGEConv(3, 2, intra_aggr=Product())


def test_aggregators_of_another_width_are_refused():
    for aggregator in (PowerMean(1.0, learn=True, channels=5), LSTM(5)):
        with pytest.raises(ValueError, match="5 channels"):
            HyperSAGEConv(3, 2, intra_aggr=aggregator)


class Smoothed(Mean):
    """A user's own, with attributes of names that ours have too."""

    def __init__(self, width):
        super().__init__()
        self.width = width

    def for_width(self):
        """Something of the user's, that takes no width."""


@pytest.mark.parametrize(
    "options",
    [
        {"intra_aggr": Smoothed(0.25)},
        {"inter_aggr": Smoothed(0.25)},
        {"intra_aggr": ByRole([Smoothed(0.25), Mean()])},
    ],
    ids=["inside", "across", "by role"],
)
def test_a_width_of_ones_own_is_not_read(options):
    g = hypergraph([[0, 1], [1, 2]])
    g.edges["in"].data["role"] = torch.tensor([0, 1, 1, 0])
    x = torch.rand(3, 3)
    ours = {
        name: ByRole([Mean(), Mean()]) if isinstance(a, ByRole) else Mean()
        for name, a in options.items()
    }
    conv, same = HyperSAGEConv(3, 2, **options), HyperSAGEConv(3, 2, **ours)
    assert torch.equal(conv.aggregate(g, x), same.aggregate(g, x))
    assert HyperSAGE(3, 7, 2, **options)(g, x).shape == (3, 2)
