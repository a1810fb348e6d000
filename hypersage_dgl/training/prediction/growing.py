"""What grows at its end and costs nothing to append to: arrays, lists by key, rows of features."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ..._utils import IntArray, is_sparse, select_rows, take_rows

Rows = dict[str, np.ndarray[Any, Any]]


class GrowingArray:
    """A numpy array, of numbers or rows, with room at its end.

    Examples
    --------
    >>> array = GrowingArray(np.array([1, 2]))
    >>> array.append(np.array([3, 4, 5]))
    >>> array.values
    array([1, 2, 3, 4, 5])
    """

    def __init__(self, values: np.ndarray[Any, Any]) -> None:
        self._room, self._count = values, len(values)

    def __len__(self) -> int:
        return self._count

    @property
    def values(self) -> np.ndarray[Any, Any]:
        """All values; a view, which an append may leave behind."""
        return self._room[: self._count]

    def append(self, values: np.ndarray[Any, Any]) -> None:
        """Add values; the room doubles where there is none left."""
        count = self._count + len(values)
        if count > len(self._room):
            shape = (max(count, 2 * len(self._room)), *self._room.shape[1:])
            room = np.empty(shape, dtype=self._room.dtype)
            room[: self._count] = self.values
            self._room = room
        self._room[self._count : count] = values
        self._count = count


class GrowingColumns:
    """Columns of data that grow together; rows of which nothing is told have a usual value.

    Examples
    --------
    >>> columns = GrowingColumns({"weight": torch.tensor([2.0, 3.0])}, {"weight": 1.0})
    >>> columns.append(columns.rows(1))
    >>> columns.take(np.array([1, 2, 3]), columns.rows(1))
    {'weight': array([3., 1., 1.], dtype=float32)}
    """

    def __init__(self, frame: Mapping[str, Tensor], usual: Mapping[str, float]) -> None:
        self._usual = usual
        self._columns = {
            key: GrowingArray(frame[key].detach().cpu().numpy()) for key in usual if key in frame
        }

    def __contains__(self, key: str) -> bool:
        return key in self._columns

    def rows(self, count: int, given: Mapping[str, Any] = MappingProxyType({})) -> Rows:
        """So many rows, those of ``given`` columns or the usual ones."""
        found: Rows = {}
        for key, column in self._columns.items():
            shape, told = (count, *column.values.shape[1:]), given.get(key)
            if told is not None and tuple(told.shape) != shape:
                raise ValueError(f"new rows of {key} have shape {tuple(told.shape)}; give {shape}")
            found[key] = np.full(shape, self._usual[key]) if told is None else _array(told)
        for key, told in given.items():
            is_usual = told is None or bool((_array(told) == self._usual[key]).all())
            if key not in self and not is_usual:
                raise ValueError(f"new rows have {key}, which the rows before do not have")
        return found

    def append(self, rows: Rows) -> None:
        """Add what :meth:`rows` made."""
        for key, column in self._columns.items():
            column.append(rows[key])

    def take(self, places: IntArray, new: Rows) -> Rows:
        """The rows at some places; those beyond the end are rows of ``new``."""
        found: Rows = {}
        for key, column in self._columns.items():
            values = np.empty((len(places), *column.values.shape[1:]), column.values.dtype)
            is_new = places >= len(column)
            values[~is_new] = column.values[places[~is_new]]
            values[is_new] = new[key][places[is_new] - len(column)]
            found[key] = values
        return found

    def keep(self, places: IntArray) -> None:
        """Forget all rows but these, in their order."""
        self._columns = {key: GrowingArray(c.values[places]) for key, c in self._columns.items()}


def _array(values: Any) -> np.ndarray[Any, Any]:
    found: np.ndarray[Any, Any] = (
        values.detach().cpu().numpy() if isinstance(values, Tensor) else values
    )
    return found


class GrowingLists:
    """For each key the positions that hold it: an index made once, and a list for what came later.

    Examples
    --------
    >>> lists = GrowingLists(np.array([0, 1, 0]), 2)
    >>> lists.append(np.array([1, 5]), first=3)
    >>> lists.positions(np.array([0, 1])), lists.positions(np.array([5]))
    (array([0, 2, 1, 3]), array([4]))
    """

    def __init__(self, keys: IntArray, count: int) -> None:
        self.indexed, self._count = len(keys), count
        self._order: IntArray = np.argsort(keys, kind="stable")
        self._starts = np.concatenate(([0], np.cumsum(np.bincount(keys, minlength=count))))
        self._later: dict[int, list[int]] = {}

    def append(self, keys: IntArray, first: int) -> None:
        """Note keys that stand at the positions from ``first`` on."""
        listed: list[int] = list(map(int, keys))
        for position, key in enumerate(listed, start=first):
            self._later.setdefault(key, []).append(position)

    def positions(self, keys: IntArray) -> IntArray:
        """Positions of some keys, those of the index first."""
        known = keys[keys < self._count]
        starts = self._starts[known]
        lengths = self._starts[known + 1] - starts
        within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        found = self._order[np.repeat(starts, lengths) + within]
        if not self._later:
            return found
        later = [p for key in map(int, keys) for p in self._later.get(key, ())]
        return np.concatenate((found, np.array(later, dtype=np.int64)))


class GrowingRows:
    """Rows of features: those that were given, which stay where they are, and dense ones after."""

    def __init__(self, feat: Tensor) -> None:
        self.given = feat
        self._room = torch.empty(0, feat.shape[1], dtype=feat.dtype, device=feat.device)
        self._count = 0

    def __len__(self) -> int:
        return len(self.given) + self._count

    def append(self, rows: Tensor) -> None:
        """Add dense rows."""
        count = self._count + len(rows)
        if count > len(self._room):
            room = self._room.new_empty(max(count, 2 * len(self._room)), self._room.shape[1])
            room[: self._count] = self._room[: self._count]
            self._room = room
        self._room[self._count : count] = rows.to(self._room)
        self._count = count

    def take(self, rows: IntArray) -> Tensor:
        """Some rows, dense."""
        is_given = rows < len(self.given)
        given = take_rows(self.given, self._ids(rows[is_given]))
        if len(given) == len(rows):
            return given
        found = self._room.new_empty(len(rows), self._room.shape[1])
        found[self._ids(is_given)] = given
        found[self._ids(~is_given)] = self._room[self._ids(rows[~is_given] - len(self.given))]
        return found

    def select(self, rows: IntArray) -> Tensor:
        """As :meth:`take`, but sparse (CSR) where the given ones are, and these come first."""
        if not is_sparse(self.given):
            return self.take(rows)
        split = int(np.count_nonzero(rows < len(self.given)))
        first = select_rows(self.given, self._ids(rows[:split]))
        if split == len(rows):
            return first
        later = self._room[self._ids(rows[split:] - len(self.given))].to_sparse_csr()
        ends = later.crow_indices()[1:] + first.crow_indices()[-1]
        return torch.sparse_csr_tensor(
            torch.cat((first.crow_indices(), ends)),
            torch.cat((first.col_indices(), later.col_indices())),
            torch.cat((first.values(), later.values())),
            (len(rows), self.given.shape[1]),
            check_invariants=False,
        )

    def keep(self, rows: IntArray) -> IntArray:
        """Forget later rows but those among ``rows``; give the new numbers of these."""
        later = rows >= len(self.given)
        self._room = self._room[self._ids(rows[later] - len(self.given))]
        self._count = len(self._room)
        renumbered = rows.copy()
        renumbered[later] = len(self.given) + np.arange(self._count)
        return renumbered

    def _ids(self, rows: np.ndarray[Any, Any]) -> Tensor:
        return torch.from_numpy(rows).to(self.given.device)
