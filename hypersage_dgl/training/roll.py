"""Nodes or hyperedges of a hypergraph that changes: who is still there, and what they are called.

Outside, ids close ranks after a removal; inside, a place is kept for good, so that nothing that
refers to it has to be renumbered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._utils import IntArray
from ..convert import is_numbered
from ..hypergraphs import as_ids
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
