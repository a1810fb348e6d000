"""Options are checked where they enter."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hypersage_dgl._utils import per_layer, require_count, require_layers, require_rate, shown
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.nn.baselines import MLP


@pytest.mark.parametrize("value", [1, 7, np.int64(3), np.int32(3), np.uint8(3), 10**30])
def test_counts(value):
    found = require_count(value, "n")
    assert found == value
    assert type(found) is int


@pytest.mark.parametrize(
    "value", [0, -1, True, False, 1.0, 2.5, "3", None, [1], math.nan, np.float64(2), np.bool_(1)]
)
def test_what_is_no_count(value):
    with pytest.raises(ValueError, match=r"n is .*; it must be a positive integer"):
        require_count(value, "n")


@pytest.mark.parametrize("value", [10_001, 10**30, 10**400, 10**5000], ids=shown)
def test_layers_beyond_any_memory(value):
    for make in (
        lambda: require_layers(value),
        lambda: per_layer(5, value, "alpha"),
        lambda: HyperSAGE(3, 4, 2, value),
        lambda: HyperSAGESampler(value, 5),
        lambda: MLP(3, 4, 2, value),
    ):
        with pytest.raises(ValueError, match=r"num_layers is .{1,60}; at most 10,000 are made"):
            make()


@pytest.mark.parametrize("value", [0, 0.0, 0.5, 0.999, np.float32(0.5), np.float64(0.25)])
def test_rates(value):
    found = require_rate(value, "dropout")
    assert found == value
    assert type(found) is float


@pytest.mark.parametrize("value", [1, 1.5, -0.1, math.nan, math.inf, "0.5", None, [0.5], 10**400])
def test_what_is_no_rate(value):
    with pytest.raises(
        ValueError, match=r"dropout is .*; a dropout rate is at least 0 and below 1"
    ):
        require_rate(value, "dropout")


@pytest.mark.parametrize(
    ("value", "expected"),
    [(5, [5, 5, 5]), (None, [None] * 3), ("abc", ["abc"] * 3), ((1, 2, 3), [1, 2, 3])],
)
def test_one_value_or_one_for_each_layer(value, expected):
    assert per_layer(value, 3, "alpha") == expected


def test_a_list_is_copied():
    given = [1, 2]
    found = per_layer(given, 2, "alpha")
    found[0] = 9
    assert given == [1, 2]


@pytest.mark.parametrize("value", [[], [1], [1, 2, 3], (1,)])
def test_lists_of_another_length_are_named(value):
    with pytest.raises(ValueError, match=r"alpha is .* one for each of the 2 layers"):
        per_layer(value, 2, "alpha")


@pytest.mark.parametrize("layers", [0, -1, True, 1.5, "2"])
def test_numbers_of_layers_are_checked(layers):
    with pytest.raises(ValueError, match="num_layers is"):
        per_layer(1, layers, "alpha")
