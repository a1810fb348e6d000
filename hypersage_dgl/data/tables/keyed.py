"""Tables whose rows are found by name: of whatever form, their columns, and a split as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from ..._utils import shown
from ...convert import Table, read_table
from ...hypergraphs import HYPEREDGE, NODE
from ..labelled import LabelledHypergraph
from ..splits import PARTS, Split
from .columns import as_number, as_text, is_blank

# A path, columns by name, rows as dicts, or a frame of pandas or polars.
TableLike = Any
COLUMN = "split"
MEANT = {**{part: part for part in PARTS}, "valid": "val", "validation": "val"}


def as_table(table: TableLike, what: str, max_bytes: int | None = None) -> Table:
    """Columns by name of whatever is a table."""
    if isinstance(table, Table):
        return table
    if isinstance(table, (str, Path)):
        return read_table(table, max_bytes=max_bytes)
    if hasattr(table, "get_columns"):
        # polars
        return Table(table.to_dict(as_series=False), what)
    if hasattr(table, "columns") and hasattr(table, "iloc"):
        # pandas
        return Table({str(name): table[name].tolist() for name in table.columns}, what)
    if isinstance(table, Mapping):
        return Table(
            {k: np.asarray(v).tolist() if hasattr(v, "dtype") else v for k, v in table.items()},
            what,
        )
    rows = list(table)
    if not all(isinstance(row, Mapping) for row in rows):
        raise TypeError(
            f"{what} is a {type(table).__name__}; give a path, a dict of columns, a list of dicts "
            "or a frame of pandas or polars"
        )
    names = dict.fromkeys(str(key) for row in rows for key in row)
    return Table({name: [row.get(name) for row in rows] for name in names}, what)


class IncidenceColumns(NamedTuple):
    """Which columns hold nodes, hyperedges and, if any, weights."""

    node: str
    hyperedge: str
    weight: str | None

    def __str__(self) -> str:
        weighted = f", weights in {self.weight!r}" if self.weight else ""
        return f"nodes are in column {self.node!r}, hyperedges in {self.hyperedge!r}{weighted}"


def incidence_columns(
    table: Table, node: str | None = None, hyperedge: str | None = None, weight: str | None = None
) -> IncidenceColumns:
    """Tell the columns of a table of incidences: by the given names, the usual ones, the order.

    Examples
    --------
    >>> print(incidence_columns(Table({"person": ["ann"], "club": ["x"]})))
    nodes are in column 'person', hyperedges in 'club'
    """
    for given in (node, hyperedge, weight):
        if given is not None and given not in table:
            raise ValueError(f"{table.name} has no column {given!r}; its columns are {list(table)}")
    weighted = weight or ("weight" if "weight" in table else None)
    free = [name for name in table if name not in (node, hyperedge, weighted)]
    chosen = []
    for given, usual in ((node, NODE), (hyperedge, HYPEREDGE)):
        found = given or (usual if usual in free else None)
        if found is None:
            found = next((f for f in free if f not in (NODE, HYPEREDGE)), None)
            if found is None:
                raise ValueError(
                    f"{table.name} has the columns {list(table)}; a table of incidences needs two, "
                    "of nodes and of hyperedges"
                )
            if found in set(map(str, table[found])):
                raise ValueError(
                    f"{table.name}: {found!r} stands in the first line and again below it, so the "
                    "first line seems to name no columns; add a heading: node,hyperedge"
                )
        free = [name for name in free if name != found]
        chosen.append(found)
    return IncidenceColumns(chosen[0], chosen[1], weighted)


class Keyed(NamedTuple):
    """A table with one row for each name."""

    table: Table
    key: str
    row_of: Mapping[str, int]

    @classmethod
    def of(cls, table: Table, key: str | None, usual: str = HYPEREDGE) -> Keyed:
        """Find the column of names: the given one, the usual one, or else the first."""
        if not table:
            raise ValueError(f"{table.name} has no columns; it needs one of names at least")
        found = next((c for c in (key, usual) if c is not None and c in table), next(iter(table)))
        row_of: dict[str, int] = {}
        for row, name in enumerate(names_in(table, found)):
            if row_of.setdefault(name, row) != row:
                raise ValueError(
                    f"{table.place(row)}: {name!r} has a row before; give each name one row"
                )
        return cls(table, found, row_of)

    def rest(self, names: Sequence[str], without: Sequence[str]) -> dict[str, list[Any]]:
        """All other columns, in the order of the names."""
        order = [self.row_of[name] for name in names]
        return {
            column: [cells[row] for row in order]
            for column, cells in self.table.items()
            if column != self.key and column not in without
        }


def names_in(table: Table, column: str) -> list[str]:
    """The cells of a column of names; a blank one is an error."""
    for row, cell in enumerate(table[column]):
        if is_blank(cell):
            raise ValueError(f"{table.place(row)}: column {column!r} is blank; give a name")
    return [as_text(cell) for cell in table[column]]


def weights_in(table: Table, column: str) -> list[float]:
    """The cells of a column of weights, 1 where they are blank."""
    weights = []
    for row, cell in enumerate(table[column]):
        number = 1.0 if is_blank(cell) else as_number(cell)
        if number is None or not 0 < number < 3.4e38:
            raise ValueError(
                f"{table.place(row)}: column {column!r} is {shown(cell, 40)}; weights must be "
                "positive numbers"
            )
        weights.append(number)
    return weights


def read_split(table: Any, data: LabelledHypergraph) -> Split:
    """Read which nodes are for training, validation and test.

    Parameters
    ----------
    table
        A path or any other table of :func:`from_tables`: a column of names, called ``node`` or the
        first, and one of ``train``, ``val`` or ``test``, called ``split`` or the second. A node
        without a row, or with a blank, is in no part.
    data
        The hypergraph.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> data = LabelledHypergraph(hypergraph([[0, 1, 2]]), ("ann", "bob", "cy"))
    >>> read_split({"node": ["cy", "ann"], "split": ["test", "train"]}, data).test
    tensor([2])
    """
    keyed = Keyed.of(as_table(table, "split"), None, NODE)
    rest = [column for column in keyed.table if column != keyed.key]
    if not rest:
        raise ValueError(f"{keyed.table.name} has one column; a split needs names and parts")
    column = COLUMN if COLUMN in rest else rest[0]
    ids = {str(name): i for i, name in enumerate(data.node_names)}
    parts: dict[str, list[int]] = {part: [] for part in PARTS}
    for name, row in keyed.row_of.items():
        cell = keyed.table[column][row]
        if is_blank(cell):
            continue
        part = MEANT.get(as_text(cell).lower())
        if part is None or name not in ids:
            fault = (
                f"{cell!r:.40} is no part; write train, val or test"
                if part is None
                else f"{name!r} is no node of {data.name}"
            )
            raise ValueError(f"{keyed.table.place(row)}: {fault}")
        parts[part].append(ids[name])
    return Split(*(torch.tensor(sorted(each), dtype=torch.int64) for each in parts.values()))
