"""CSV edge lists: one line for each incidence, with its node and its hyperedge."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from .._utils import RANGE, PathLike, check_id_count, is_positive, write_text
from ..hypergraphs import HYPEREDGE, IN, NODE, hypergraph_from_incidence, incidences
from .dialect import read_rows
from .named import Attributes, Hypergraph, Named, as_named, refuse_nonpositive, refuse_weights
from .names import MOST_DIGITS, Name, Numbering, integer_names, require_distinct


class Row(NamedTuple):
    """One incidence, and where it ends in the file."""

    line: int
    node: str
    hyperedge: str
    weight: float | None
    rest: Mapping[str, str]


def read_csv(
    path: PathLike,
    *,
    node: str = "node",
    hyperedge: str = "hyperedge",
    weight: str = "weight",
    delimiter: str | None = None,
    heading: bool = True,
    ids: bool = False,
    node_names: Sequence[Name] | None = None,
    hyperedge_names: Sequence[Name] | None = None,
    max_bytes: int | None = None,
    id_factor: int | None = None,
) -> Named:
    r"""Read a hypergraph from a CSV file, plain or gzipped.

    Parameters
    ----------
    path
        The file. Every line after the heading is an incidence; repeated ones are merged, blank
        lines skipped. Blanks around a name are no part of it, unless a given name has them.
    node, hyperedge, weight
        What the columns are called. The column of incidence weights need not be there. Other
        columns become attributes of the incidences.
    delimiter
        What stands between columns; by default a comma, tab, semicolon or bar is found.
    heading
        Whether the first line names the columns. Without it the columns are node, hyperedge and,
        if there is a third, weight.
    ids
        Whether the file holds ids, counted from 0, instead of names. Names are numbered in the
        order in which they first occur; if all nodes are non-negative integers, by number.
    node_names, hyperedge_names
        All nodes and hyperedges in the order of their ids: the way to isolated nodes and empty
        hyperedges, which have no line, and to an error where the file has unknown ones. With
        ``ids``, ``range(n)`` says how many there are.
    max_bytes
        What a gzipped file may take in memory, 120 bytes for each that it unpacks to; by default
        1 GiB, and it may always unpack to 20 times its size. Of a pipe, how much is read.
    id_factor
        With ``ids``, how many nodes or hyperedges there may be for one incidence once there are
        more than 10 million; by default 1,000.

    Raises
    ------
    ValueError
        With path and line, if the file is damaged, lacks a column or has a bad line. Nothing is
        returned then.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "authors.csv"
    ...     _ = path.write_text("author,paper\nann,x\nbob,x\nbob,y\n")
    ...     named = read_csv(path, node="author", hyperedge="paper")
    >>> named.node_names, named.hyperedge_names
    (('ann', 'bob'), ('x', 'y'))
    """
    if len({node, hyperedge, weight}) < 3:
        raise ValueError(
            f"node={node!r}, hyperedge={hyperedge!r} and weight={weight!r} must be three columns; "
            "name each by its own heading"
        )
    rows = _rows(path, (node, hyperedge, weight), delimiter, heading, max_bytes)
    number = partial(_numbers, id_factor=id_factor) if ids else _number_names
    nodes, all_nodes = number(path, rows, NODE, node_names)
    edges, all_edges = number(path, rows, HYPEREDGE, hyperedge_names)
    weights = [row.weight for row in rows if row.weight is not None] or None
    if weights:
        _refuse_repeated(path, rows)
    try:
        graph = hypergraph_from_incidence(
            nodes,
            edges,
            len(all_nodes),
            len(all_edges),
            incidence_weight=weights,
            # Only names or ids that were given tell an empty hyperedge from a gap in the numbers.
            allow_empty=hyperedge_names is not None,
        )
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return Named(graph, all_nodes, all_edges, attributes=_attributes(rows, nodes, edges))


def write_csv(graph: Hypergraph, path: PathLike) -> None:
    """Write a hypergraph as CSV: ``node``, ``hyperedge`` and, if weighted, ``weight``.

    A :class:`Named` is written with its names, else ids. Isolated nodes and empty hyperedges have
    no line: give :func:`read_csv` all names to get them back. Hyperedge weights have no column
    and raise ``ValueError``; attributes and tensors stay behind.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hypersage_dgl import hypergraph
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "small.csv"
    ...     write_csv(hypergraph([[0, 1], [1]]), path)
    ...     path.read_text().splitlines()
    ['node,hyperedge', '0,0', '1,0', '1,1']
    """
    named = as_named(graph)
    refuse_weights(named.graph, HYPEREDGE, "CSV")
    refuse_nonpositive(named.graph, "CSV")
    columns = [_cells(named, NODE, 0), _cells(named, HYPEREDGE, 1)]
    heading = [NODE, HYPEREDGE]
    if "weight" in named.graph.edges[IN].data:
        columns.append([repr(w) for w in named.graph.edges[IN].data["weight"].tolist()])
        heading.append("weight")
    # Before Python 3.13 the csv module leaves a lone carriage return unquoted, then cannot read it.
    has_return = any("\r" in cell for column in columns for cell in column)
    text = io.StringIO()
    writer = csv.writer(
        text, lineterminator="\n", quoting=csv.QUOTE_ALL if has_return else csv.QUOTE_MINIMAL
    )
    writer.writerow(heading)
    writer.writerows(zip(*columns))
    write_text(path, text.getvalue())


def _rows(
    path: PathLike,
    columns: tuple[str, str, str],
    delimiter: str | None,
    heading: bool,
    max_bytes: int | None,
) -> list[Row]:
    found = read_rows(path, delimiter, columns[:2] if heading else (), max_bytes).rows
    if not found:
        raise ValueError(f"{path} is empty; its first line must name the columns: node,hyperedge")
    rows = []
    line = found[0].line
    try:
        if heading:
            named = _heading([cell.strip() for cell in found[0].cells], columns)
        else:
            named = _unnamed(len(found[0].cells), columns)
        for line, cells in found[1 if heading else 0 :]:
            rows.append(_row(line, dict(zip(named, cells)), columns))
    except ValueError as error:
        raise ValueError(f"{path}, line {line}: {error}") from None
    return rows


def _heading(cells: list[str], columns: tuple[str, str, str]) -> list[str]:
    for name, least in zip(columns, (1, 1, 0)):
        if not least <= cells.count(name) <= 1:
            raise ValueError(
                f"the columns are {cells!r:.80}, and {name!r} must be there once; say with node=, "
                "hyperedge= and weight= what the columns are called, or with heading=False that "
                "the first line names none"
            )
    repeated = next((name for name, times in Counter(cells).items() if times > 1), None)
    if repeated is not None:
        raise ValueError(f"two columns are called {repeated!r}; rename one")
    return cells


def _unnamed(count: int, columns: tuple[str, str, str]) -> list[str]:
    if not 2 <= count <= 3:
        raise ValueError(
            f"{count} columns; without a heading they must be node, hyperedge and, if there is a "
            "third, weight"
        )
    return list(columns[:count])


def _row(line: int, cells: dict[str, str], columns: tuple[str, str, str]) -> Row:
    node, hyperedge = (cells[name] for name in columns[:2])
    for name, cell in zip(columns, (node, hyperedge)):
        if not cell.strip():
            raise ValueError(f"column {name!r} is blank; every line needs a node and a hyperedge")
    rest = {k: v.strip() for k, v in cells.items() if k not in columns and v.strip()}
    if columns[2] not in cells:
        return Row(line, node, hyperedge, None, rest)
    try:
        weight = float(cells[columns[2]])
    except ValueError:
        weight = math.nan
    if not is_positive(weight):
        raise ValueError(
            f"column {columns[2]!r} is {cells[columns[2]]!r:.40}; weights must be positive "
            f"numbers, {RANGE}"
        )
    return Row(line, node, hyperedge, weight, rest)


def _attributes(rows: list[Row], nodes: list[int], edges: list[int]) -> Attributes:
    """The other columns by incidence, of which repeated ones are merged into the first."""
    if not any(row.rest for row in rows):
        return Attributes()
    found: dict[tuple[int, int], dict[str, Any]] = {}
    for row, pair in zip(rows, zip(nodes, edges)):
        known = found.setdefault(pair, {})
        known.update({key: value for key, value in row.rest.items() if key not in known})
    return Attributes(incidences={i: item for i, item in enumerate(found.values()) if item})


def _number_names(
    path: PathLike, rows: list[Row], what: str, known: Sequence[Name] | None
) -> tuple[list[int], Sequence[Name]]:
    cells = [getattr(row, what) for row in rows]
    if known is None:
        distinct = tuple({cell.strip(): None for cell in cells})
        if what == NODE and integer_names(distinct) is not None:
            known = [str(i) for i in sorted(map(int, distinct))]
    numbering = Numbering(what, known)
    numbers = []
    for row, cell in zip(rows, cells):
        try:
            # As it stands where it was given so.
            numbers.append(numbering[cell if cell in numbering else cell.strip()])
        except ValueError as error:
            raise ValueError(f"{path}, line {row.line}: {error}") from None
    return numbers, numbering.names


def _numbers(
    path: PathLike,
    rows: list[Row],
    what: str,
    known: Sequence[Name] | None,
    *,
    id_factor: int | None,
) -> tuple[list[int], Sequence[Name]]:
    numbers = []
    for row in rows:
        cell = getattr(row, what).strip()
        if not (cell.isascii() and cell.isdigit()):
            raise ValueError(
                f"{path}, line {row.line}: {what} {cell!r:.40} is not an id; ids are integers "
                "counted from 0 (for names leave ids=False)"
            )
        if len(cell.lstrip("0")) > MOST_DIGITS:
            raise ValueError(
                f"{path}, line {row.line}: {what} {cell:.40} is too large; ids have at most "
                f"{MOST_DIGITS} digits"
            )
        numbers.append(int(cell))
        if known is not None and numbers[-1] >= len(known):
            raise ValueError(
                f"{path}, line {row.line}: {what} {cell} is unknown; with {len(known)} {what}s the "
                f"ids go to {len(known) - 1}"
            )
    if known is not None:
        return numbers, known
    count = max(numbers, default=-1) + 1
    try:
        check_id_count(count, len(rows), what, id_factor)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return numbers, range(count)


def _refuse_repeated(path: PathLike, rows: list[Row]) -> None:
    seen: set[tuple[str, str]] = set()
    for row in rows:
        pair = (row.node, row.hyperedge)
        if pair in seen:
            raise ValueError(
                f"{path}, line {row.line}: node {row.node!r} is in hyperedge {row.hyperedge!r} "
                "before, so its weight is ambiguous; add the weights up and list it once"
            )
        seen.add(pair)


def _cells(named: Named, what: str, side: int) -> list[str]:
    names = [str(name) for name in getattr(named, f"{what}_names")]
    require_distinct(names, f"{what} names in CSV")
    cells = [names[i] for i in incidences(named.graph)[side].tolist()]
    if not all(cell.strip() for cell in cells):
        raise ValueError(f"a {what} has a blank name, which CSV cannot hold; rename it")
    return cells
