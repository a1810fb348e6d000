"""Ids close ranks, places stay, and names lead to them; what cannot be meant is named."""

from __future__ import annotations

import numpy as np
import pytest

from hypersage_dgl.training.roll import Roll


def test_ids_close_ranks_and_places_stay():
    roll = Roll("node", 5)
    roll.remove(np.array([1, 1, 3]))
    assert roll.places([0, 1, 2]).tolist() == [0, 2, 4]
    # Two that arrive have the next ids and the next places.
    assert roll.places([3, 4], more=2).tolist() == [5, 6]
    assert roll.add(2) == range(3, 5)
    assert roll.places([3, 4, 0]).tolist() == [5, 6, 0]
    assert (roll.count, roll.total) == (5, 7)


def test_names_and_ids_may_be_mixed():
    roll = Roll("node", 2, ("a", "b"))
    assert roll.places(["b", 0, "new", 2], 1, {"new": 0}).tolist() == [1, 0, 2, 2]
    roll.add(1, ("new",))
    roll.remove(roll.places(["a"]))
    assert roll.names == ["b", "new"]
    assert roll.places(["new", 1]).tolist() == [2, 2]
    roll.check_new(("a",), 1, "names")


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        (["zoe"], ValueError, "node 'zoe' is not in the attached hypergraph$"),
        ([3], ValueError, "node id 3 is too large"),
        ([-1], ValueError, "negative"),
        ([0.5], TypeError, "integers"),
    ],
)
def test_what_is_not_there_is_named(values, error, message):
    with pytest.raises(error, match=message):
        Roll("node", 2, ("a", "b")).places(values)


def test_names_that_are_not_known_and_integers_that_are_names():
    with pytest.raises(ValueError, match="whose names are not known: attach it with names"):
        Roll("node", 2).places(["a"])
    assert Roll("node", 2, range(2)).places([1]).tolist() == [1]
    with pytest.raises(ValueError, match="node 7 may be a name or an id"):
        Roll("node", 2, (7, "b")).places([7])


@pytest.mark.parametrize(
    ("names", "count", "error", "message"),
    [
        ((), 1, ValueError, "0 names for 1 new nodes; those of the attached hypergraph have names"),
        (("a",), 1, ValueError, "names: there is a node 'a' already"),
        (("c", "c"), 2, ValueError, "names: there is a node 'c' already"),
        ((3,), 1, TypeError, "names has 3; a name must be a str"),
    ],
)
def test_names_that_cannot_be_added(names, count, error, message):
    with pytest.raises(error, match=message):
        Roll("node", 2, ("a", "b")).check_new(names, count, "names")


def test_names_where_there_are_none():
    with pytest.raises(ValueError, match="of the attached hypergraph have no names"):
        Roll("node", 2).check_new(("a",), 1, "names")


def test_names_of_some_that_do_not_stay():
    named, unnamed = Roll("node", 2, ("a", "b")), Roll("node", 2)
    for roll in (named, unnamed):
        roll.check_new((), 1, "names", is_kept=False)
        roll.check_new(("c",), 1, "names", is_kept=False)
        with pytest.raises(ValueError, match="2 names for 1 new nodes; give one for each"):
            roll.check_new(("c", "d"), 1, "names", is_kept=False)
        with pytest.raises(ValueError, match="there is a node 'c' already"):
            roll.check_new(("c", "c"), 2, "names", is_kept=False)
    with pytest.raises(ValueError, match="there is a node 'a' already"):
        named.check_new(("a",), 1, "names", is_kept=False)
