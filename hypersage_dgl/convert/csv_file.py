"""CSV edge lists: one line for each incidence, with its node and its hyperedge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from .._utils import PathLike, check_id_count
from ..hypergraphs import HYPEREDGE, IN, NODE, hypergraph_from_incidence, incidences
from .csv_rows import Incidence, read_incidences, write_columns
from .named import Attributes, Hypergraph, Named, as_named, refuse_nonpositive, refuse_weights
from .names import MOST_DIGITS, Name, Numbering, integer_names, require_distinct


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
    max_bytes, id_factor
        As in :func:`hypersage_dgl.data.load`; the latter with ``ids``.

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
    rows = read_incidences(path, (node, hyperedge, weight), delimiter, heading, max_bytes)
    number = partial(_number_ids, id_factor=id_factor) if ids else _number_names
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
    heading, columns = [NODE, HYPEREDGE], [_cells(named, NODE, 0), _cells(named, HYPEREDGE, 1)]
    if "weight" in named.graph.edges[IN].data:
        heading.append("weight")
        columns.append([repr(w) for w in named.graph.edges[IN].data["weight"].tolist()])
    write_columns(path, heading, columns)


def _attributes(rows: list[Incidence], nodes: list[int], edges: list[int]) -> Attributes:
    """The other columns by incidence, of which repeated ones are merged into the first."""
    if not any(row.rest for row in rows):
        return Attributes()
    found: dict[tuple[int, int], dict[str, Any]] = {}
    for row, pair in zip(rows, zip(nodes, edges)):
        known = found.setdefault(pair, {})
        known.update({key: value for key, value in row.rest.items() if key not in known})
    return Attributes(incidences={i: item for i, item in enumerate(found.values()) if item})


def _number_names(
    path: PathLike, rows: list[Incidence], what: str, known: Sequence[Name] | None
) -> tuple[list[int], Sequence[Name]]:
    if known is None:
        distinct = tuple({getattr(row, what).strip(): None for row in rows})
        if what == NODE and integer_names(distinct) is not None:
            known = [str(i) for i in sorted(map(int, distinct))]
    numbering = Numbering(what, known)
    # As it stands where it was given so.
    numbers = _each(
        path, rows, what, lambda cell: numbering[cell if cell in numbering else cell.strip()]
    )
    return numbers, numbering.names


def _number_ids(
    path: PathLike,
    rows: list[Incidence],
    what: str,
    known: Sequence[Name] | None,
    *,
    id_factor: int | None,
) -> tuple[list[int], Sequence[Name]]:
    numbers = _each(path, rows, what, lambda cell: _id_of(cell.strip(), what, known))
    if known is not None:
        return numbers, known
    count = max(numbers, default=-1) + 1
    try:
        check_id_count(count, len(rows), what, id_factor)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return numbers, range(count)


def _each(
    path: PathLike, rows: list[Incidence], what: str, number: Callable[[str], int]
) -> list[int]:
    """The numbers of the cells of a column; errors name the line."""
    numbers = []
    for row in rows:
        try:
            numbers.append(number(getattr(row, what)))
        except ValueError as error:
            raise ValueError(f"{path}, line {row.line}: {error}") from None
    return numbers


def _id_of(cell: str, what: str, known: Sequence[Name] | None) -> int:
    if not (cell.isascii() and cell.isdigit()):
        raise ValueError(
            f"{what} {cell!r:.40} is not an id; ids are integers counted from 0 (for names leave "
            "ids=False)"
        )
    if len(cell.lstrip("0")) > MOST_DIGITS:
        raise ValueError(f"{what} {cell:.40} is too large; ids have at most {MOST_DIGITS} digits")
    if known is not None and int(cell) >= len(known):
        raise ValueError(
            f"{what} {cell} is unknown; with {len(known)} {what}s the ids go to {len(known) - 1}"
        )
    return int(cell)


def _refuse_repeated(path: PathLike, rows: list[Incidence]) -> None:
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
