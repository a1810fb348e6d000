"""What arrives at a hypergraph, by name or id, and the roll of who is there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, NamedTuple

import dgl
import numpy as np
from torch import Tensor

from ..._utils import IntArray
from ...convert import is_numbered
from ...hypergraphs import Weights, as_ids, as_weights
from .growing import GrowingArray


class Roll:
    """The places of nodes or hyperedges, with their ids and names.

    Parameters
    ----------
    what
        What they are called in errors.
    count
        How many there are.
    names
        Their names; without any, or where names are but the ids, they go by ids alone.

    Examples
    --------
    >>> roll = Roll("node", 3, ("ann", "bob", "cy"))
    >>> roll.remove(roll.places(["bob"]))
    >>> roll.names, roll.places(["cy"]), roll.places([1])
    (['ann', 'cy'], array([2]), array([2]))
    """

    def __init__(self, what: str, count: int, names: Sequence[Any] = ()) -> None:
        self.what = what
        self._is_there = GrowingArray(np.ones(count, dtype=bool))
        self.has_names = len(names) > 0 and not is_numbered(names)
        self._names: list[Any] = list(names) if self.has_names else []
        self._place_of = {n: i for i, n in enumerate(self._names) if isinstance(n, str)}
        # Integers that are names could be taken for ids.
        self._is_ambiguous = len(self._place_of) < len(self._names)
        self.count = count
        self._there: IntArray | None = None

    @property
    def total(self) -> int:
        """How many places there are, those of removed ones too."""
        return len(self._is_there)

    @property
    def there(self) -> IntArray:
        """Places of those that are there, in the order of their ids."""
        if self._there is None:
            self._there = np.flatnonzero(self._is_there.values)
        return self._there

    @property
    def names(self) -> list[Any]:
        """Names of those that are there, in the order of their ids; empty without any."""
        return [self._names[i] for i in map(int, self.there)] if self.has_names else []

    def places(
        self, values: Sequence[Any], more: int = 0, named: Mapping[str, int] | None = None
    ) -> IntArray:
        """Places of names and ids; ``more`` that arrive follow, and ``named`` numbers them."""
        numbers = [value for value in values if not isinstance(value, str)]
        if numbers and self._is_ambiguous:
            raise ValueError(
                f"{self.what} {numbers[0]!r} may be a name or an id: names of this hypergraph are "
                "no texts; attach it without names, or with names that are"
            )
        ids = as_ids(numbers, self.what, self.count + more).numpy()
        if self.total > self.count:
            known = ids < self.count
            ids = np.where(known, ids, ids - self.count + self.total)
            ids[known] = self.there[ids[known]]
        if len(numbers) == len(values):
            return ids
        rest = iter(ids.tolist())
        found = [self._find(v, named or {}) if isinstance(v, str) else next(rest) for v in values]
        return np.array(found, dtype=np.int64)

    def check_new(
        self, names: Sequence[Any], count: int, argument: str, is_kept: bool = True
    ) -> None:
        """Raise ``ValueError`` unless so many can be added under these names.

        Of some that are not kept, names may be left out, or given where the others have none.
        """
        if not is_kept and len(names) == 0:
            return
        if not self.has_names and is_kept:
            if len(names):
                raise ValueError(
                    f"{argument} are given, but the {self.what}s of the attached hypergraph have "
                    "no names; leave them out, or attach it with names"
                )
            return
        if len(names) != count:
            why = "those of the attached hypergraph have names, so " if is_kept else ""
            raise ValueError(
                f"{len(names)} {argument} for {count} new {self.what}s; {why}give one for each"
            )
        wrong = next((n for n in names if not isinstance(n, str)), None)
        if wrong is not None:
            raise TypeError(f"{argument} has {wrong!r:.60}; a name must be a str")
        seen: set[str] = set()
        for name in names:
            if name in self._place_of or name in seen:
                raise ValueError(f"{argument}: there is a {self.what} {name!r} already")
            seen.add(name)

    def add(self, count: int, names: Sequence[str] = ()) -> range:
        """Add some at the end, and give their ids."""
        first = self.total
        self._is_there.append(np.ones(count, dtype=bool))
        self._names.extend(names)
        self._place_of.update({name: first + i for i, name in enumerate(names)})
        self.count, self._there = self.count + count, None
        return range(self.count - count, self.count)

    def remove(self, places: IntArray) -> None:
        """Remove some; the ids of the others close ranks."""
        is_there = self._is_there.values
        for place in np.unique(places).tolist() if self.has_names else ():
            self._place_of.pop(self._names[place], None)
        is_there[places] = False
        self.count, self._there = int(np.count_nonzero(is_there)), None

    def _find(self, name: str, named: Mapping[str, int]) -> int:
        place = self._place_of.get(name)
        if place is None and name in named:
            place = self.total + named[name]
        if place is None:
            cure = "" if self.has_names else ", whose names are not known: attach it with names"
            raise ValueError(f"{self.what} {name!r} is not in the attached hypergraph{cure}")
        return place


LISTS = "lists of names or ids, such as [[0, 3]]"


class Arrivals(NamedTuple):
    """What arrives: nodes with their hyperedges, new hyperedges, and members of old ones."""

    features: Tensor
    memberships: Sequence[Iterable[Any]]
    hyperedges: Sequence[Iterable[Any]] = ()
    incidences: Iterable[tuple[Any, Any]] = ()
    names: Sequence[str] = ()
    hyperedge_names: Sequence[str] = ()
    hyperedge_weight: Weights | None = None
    incidence_weight: Weights | None = None
    # A row for each new hyperedge, where hyperedges have features; None for rows of zeros.
    hyperedge_features: Tensor | None = None


class Attached(NamedTuple):
    """A hypergraph as it is now: its weights, features and, if it has any, names."""

    graph: dgl.DGLGraph
    feat: Tensor
    node_names: list[Any]
    hyperedge_names: list[Any]


class Committed(NamedTuple):
    """Ids of the nodes and hyperedges that were taken in."""

    nodes: range
    hyperedges: range


def incidences_of(
    new: Arrivals, nodes: Roll, hyperedges: Roll
) -> tuple[IntArray, IntArray, np.ndarray[Any, Any]]:
    """Places of the nodes and hyperedges of all incidences that arrive, each once, in their order.

    Those of new nodes and hyperedges follow those of the rolls, whether removed or not. The third
    array has the incidences' weights; of a repeated one the first counts.
    """
    count = len(new.features)
    memberships = listed(new.memberships, "memberships", LISTS)
    members = listed(new.hyperedges, "hyperedges", LISTS)
    if len(memberships) != count:
        raise ValueError(
            f"{len(memberships)} lists of memberships for {count} new nodes; give one for each, "
            "empty where a node joins no hyperedge"
        )
    named = {name: i for i, name in enumerate(new.names)}
    edges_named = {name: i for i, name in enumerate(new.hyperedge_names)}
    found_nodes, found_edges = [], []
    for i, joined in enumerate(memberships):
        places = hyperedges.places(names_or_ids(joined, f"memberships[{i}]"))
        found_nodes.append(np.full(len(places), nodes.total + i, dtype=np.int64))
        found_edges.append(places)
    for i, given in enumerate(members):
        places = nodes.places(names_or_ids(given, f"hyperedges[{i}]"), count, named)
        if len(places) == 0:
            raise ValueError(f"new hyperedge {i} is empty; leave it out")
        found_nodes.append(places)
        found_edges.append(np.full(len(places), hyperedges.total + i, dtype=np.int64))
    pairs = pairs_of(new.incidences)
    found_nodes.append(nodes.places([node for node, _ in pairs], count, named))
    found_edges.append(hyperedges.places([e for _, e in pairs], len(members), edges_named))
    all_nodes, all_edges = np.concatenate(found_nodes), np.concatenate(found_edges)
    # By numpy, which is quicker than torch with as few as there are.
    keys = all_edges * (nodes.total + count) + all_nodes
    keep = np.sort(np.unique(keys, return_index=True)[1])
    weights = weights_of(new.incidence_weight, len(keys), "incidence_weight", "incidence")
    return all_nodes[keep], all_edges[keep], weights[keep]


def weights_of(given: Weights | None, count: int, name: str, what: str) -> np.ndarray[Any, Any]:
    """Weights of what arrives, 1 where none are given."""
    weights = as_weights(given, count, name, f"new {what}")
    return np.ones(count) if weights is None else weights.numpy()


def pairs_of(values: Any) -> list[tuple[Any, Any]]:
    """Pairs of a node and a hyperedge."""
    pairs = listed(values, "incidences", "pairs of a node and a hyperedge, such as [(0, 3)]")
    for i, pair in enumerate(pairs):
        if isinstance(pair, (str, bytes)) or not isinstance(pair, Sequence) or len(pair) != 2:
            raise TypeError(
                f"incidences[{i}] is {pair!r:.60}; it must be a node and a hyperedge, such as "
                "(0, 3)"
            )
    return [(node, hyperedge) for node, hyperedge in pairs]


def listed(values: Any, name: str, what: str) -> list[Any]:
    """A list of anything that has an order; a set of lists would give a node another's."""
    is_scalar = isinstance(values, (Tensor, np.ndarray)) and values.ndim == 0
    has_no_order = isinstance(values, (Mapping, Set, str, bytes)) or is_scalar
    if has_no_order or not isinstance(values, Iterable):
        raise TypeError(f"{name} is {values!r:.60}; it must be a list of {what}")
    return list(values)


def names_or_ids(values: Any, name: str) -> list[Any]:
    """A list of names or ids, of any collection."""
    what = "names or ids, such as [0, 3]"
    return listed(list(values) if isinstance(values, Set) else values, name, what)
