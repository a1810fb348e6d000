"""Ids and weights where they enter: what is taken, and how the first wrong one is named."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from hypersage_dgl import hypergraph
from hypersage_dgl.hypergraphs.ids import as_ids, as_weights, first_occurrences

GOOD_IDS = {
    "list": [3, 0, 3],
    "tuple": (3, 0, 3),
    "numpy": np.array([3, 0, 3], dtype=np.uint8),
    "int32": torch.tensor([3, 0, 3], dtype=torch.int32),
    "numbers of numpy": [np.int64(3), 0, np.int16(3)],
}


@pytest.mark.parametrize("name", GOOD_IDS)
def test_ids_of_every_kind(name):
    ids = as_ids(GOOD_IDS[name], "node", 4)
    assert ids.tolist() == [3, 0, 3]
    assert ids.dtype == torch.int64


@pytest.mark.parametrize("empty", [[], (), np.array([]), torch.empty(0)])
def test_no_id_is_fine(empty):
    assert as_ids(empty, "node").shape == (0,)


@pytest.mark.parametrize("make", [np.array, torch.tensor])
def test_ids_are_a_copy(make):
    given_ids = make([1, 2])
    ids = as_ids(given_ids, "node")
    given_ids[0] = 7
    assert ids.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("values", "upper", "error", "words"),
    [
        ([0, -3], None, ValueError, "hyperedge id -3 is negative; ids count from 0"),
        ([0, 5], 5, ValueError, "hyperedge id 5 is too large: with 5 hyperedges .* from 0 to 4"),
        ([2**63], None, ValueError, "too large; ids go up to"),
        ([0.5], None, TypeError, "0.5"),
        ([1.0], None, TypeError, "1.0"),
        ([True, 1], None, TypeError, "True"),
        (np.array([True]), None, TypeError, "True"),
        (["a"], None, TypeError, "'a'"),
        ([[1, 2]], None, TypeError, "one flat list"),
        ([[1], [1, 2]], None, TypeError, "one flat list"),
        (3, None, TypeError, "one flat list"),
        ([0], -1, ValueError, "num_hyperedges is -1"),
        ([0], 2.0, ValueError, "num_hyperedges is 2.0"),
        ([0], True, ValueError, "num_hyperedges is True"),
    ],
)
def test_bad_ids_are_named(values, upper, error, words):
    with pytest.raises(error, match=words):
        as_ids(values, "hyperedge", upper)


def test_weights_of_every_kind():
    assert as_weights(None, 3, "w", "node") is None
    assert as_weights([1, 2], 2, "w", "node").dtype == torch.float32
    assert as_weights(np.array([1.5]), 1, "w", "node").dtype == torch.float64
    kept = torch.tensor([1.0, 2.0], requires_grad=True)
    weights = as_weights(kept, 2, "w", "node")
    assert not weights.requires_grad
    weights[0] = 9
    assert kept.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        ([1.0], ValueError, r"w has shape \(1,\); it needs one number for each node: \(2,\)"),
        ([[1.0, 2]], ValueError, r"w has shape \(1, 2\)"),
        ([1.0, 0], ValueError, r"w\[1\] is 0.0; weights must be positive and finite"),
        ([-1.0, 1], ValueError, r"w\[0\] is -1.0"),
        ([1.0, math.nan], ValueError, r"w\[1\] is nan"),
        ([math.inf, 1], ValueError, r"w\[0\] is inf"),
        (["a", "b"], TypeError, "it must be a list of numbers"),
        ([1j, 1], TypeError, "real numbers"),
    ],
)
def test_bad_weights_are_named(values, error, words):
    with pytest.raises(error, match=words):
        as_weights(values, 2, "w", "node")


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), max_size=15))
def test_first_occurrences(pairs):
    nodes = torch.tensor([v for v, _ in pairs], dtype=torch.int64)
    edges = torch.tensor([e for _, e in pairs], dtype=torch.int64)
    expected = [i for i, pair in enumerate(pairs) if pair not in pairs[:i]]
    assert first_occurrences(nodes, edges, 5).tolist() == expected


@pytest.mark.parametrize(
    ("members", "named"), [([0, None], "None"), ([0, "a"], "'a'"), ([0, True], "True")]
)
def test_errors_name_the_wrong_id(members, named):
    with pytest.raises(TypeError, match=named):
        hypergraph([members])


@pytest.mark.parametrize("weights", [[{}], [None], [10**400], "abc", {"a": 1}])
def test_weights_that_are_no_numbers_are_named(weights):
    with pytest.raises(TypeError, match="it must be a list of numbers"):
        as_weights(weights, 1, "hyperedge_weight", "hyperedge")
