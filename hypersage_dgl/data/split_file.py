"""A split of one's own, from a table that says by name which node is for what."""

from __future__ import annotations

from typing import Any

import torch

from ..hypergraphs import NODE
from .columns import as_text, is_blank
from .labelled import LabelledHypergraph
from .splits import PARTS, Split
from .tables import Keyed, as_table

COLUMN = "split"
MEANT = {**{part: part for part in PARTS}, "valid": "val", "validation": "val"}


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
