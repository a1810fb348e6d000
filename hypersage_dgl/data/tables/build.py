"""A labelled hypergraph from tables, everything keyed by name and never by order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..._utils import csr_from_scipy
from ...convert import Attributes, Table
from ...hypergraphs import HYPEREDGE, NODE, hypergraph_from_incidence
from ..labelled import LabelledHypergraph
from .columns import as_text, column_features, is_blank, name_features, natural
from .hyperedges import hyperedge_columns, with_hyperedge_features
from .keyed import Keyed, TableLike, as_table, incidence_columns, names_in, weights_in
from .targets import CLASSIFICATION, SEPARATOR, classes_in, with_targets


def from_tables(
    incidences: TableLike,
    nodes: TableLike | None = None,
    hyperedges: TableLike | None = None,
    *,
    label: str | None = None,
    task: str = CLASSIFICATION,
    separator: str = SEPARATOR,
    text: Sequence[str] = (),
    categories: Sequence[str] = (),
    ignore: Sequence[str] = (),
    node: str | None = None,
    hyperedge: str | None = None,
    weight: str | None = None,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
    name: str = "tables",
    max_bytes: int | None = None,
) -> LabelledHypergraph:
    """Make a labelled hypergraph of tables: who is in what, and what is known of each.

    A table is a path (CSV, TSV, Parquet), a frame of pandas or polars, a dict of columns, or a
    list of dicts. The order of its rows does not count: nodes and hyperedges are sorted by name.

    Parameters
    ----------
    incidences
        A row for each member of each hyperedge.
    nodes
        A row for each node, isolated ones too: its name, class and features. Without it the nodes
        are those that occur, and there are neither classes nor features.
    hyperedges
        A row for each hyperedge. The column ``weight`` is its weight; others are kept as
        attributes and, where they are numbers, as data ``feat`` of the hyperedges, sorted by the
        names of the columns.
    label
        Column of ``nodes`` that names the class. A blank is no class: the node can be predicted.
    task, separator
        With ``"multilabel"`` a cell of that column holds several labels, a list or a text with the
        separator between them, and with ``"regression"`` a number; see :func:`with_targets`.
    text, categories, ignore
        Columns of ``nodes`` to take as bags of words, to take as categories although they are
        numbers, and to leave out. By default columns of numbers are numbers, others categories.
    node, hyperedge, weight
        Columns of nodes, hyperedges and incidence weights. By default they are called so; else the
        first column holds nodes, the second hyperedges, and there are no weights.
    feature_names
        The features to make, those of a trained model; by default all that the columns give.
    class_names
        All classes, in the order of their numbers; by default those that occur, sorted.
    name
        What the hypergraph is called.
    max_bytes
        What each file may take in memory, see :func:`hypersage_dgl.convert.read_table`.

    Examples
    --------
    >>> data = from_tables(
    ...     {"node": ["ann", "bob", "bob", "cy"], "hyperedge": ["x", "x", "y", "y"]},
    ...     {"node": ["cy", "bob", "ann"], "age": [20, 30, 40], "field": ["art", None, "maths"]},
    ...     label="field",
    ... )
    >>> data.node_names, data.feature_names, data.labels
    (('ann', 'bob', 'cy'), ('age',), tensor([ 1, -1,  0]))
    """
    members = as_table(incidences, "incidences", max_bytes)
    columns = incidence_columns(members, node, hyperedge, weight)
    pairs = [names_in(members, column) for column in columns[:2]]
    table = None if nodes is None else Keyed.of(as_table(nodes, "nodes", max_bytes), node, NODE)
    about = None
    if hyperedges is not None:
        about = Keyed.of(as_table(hyperedges, "hyperedges", max_bytes), hyperedge)
    node_names = _all_names(pairs[0], members, table, NODE)
    edge_names = _all_names(pairs[1], members, about, HYPEREDGE)
    data = LabelledHypergraph(
        _graph(members, columns.weight, pairs, (node_names, edge_names), about),
        node_names,
        edge_names,
        name=name,
    )
    if about is not None:
        of_edges = _attributes(about.rest(edge_names, ("weight",)))
        data = replace(data, attributes=Attributes(hyperedges=of_edges))
        # What makes no feature is an attribute all the same.
        features = hyperedge_columns(data, what=about.table.name)
        if features.feature_names:
            data = with_hyperedge_features(data, features)
    if table is None:
        if label is not None:
            raise ValueError(f"label is {label!r}, but there is no table of nodes; give nodes=")
        return data
    rest = table.rest(node_names, ())
    if label is not None and label not in rest:
        raise ValueError(
            f"{table.table.name} has no column {label!r} for the classes; give label=KEY, "
            f"one of its columns {list(rest)}"
        )
    unknown = sorted(set(ignore) - set(rest))
    if unknown:
        raise ValueError(f"{table.table.name} has no column {unknown[0]!r} to ignore")
    usable = {k: v for k, v in rest.items() if k != label and k not in ignore}
    named = name_features(usable, text, categories) if feature_names is None else feature_names
    if named:
        matrix = column_features(usable, named, table.table.name)
        data = replace(data, feat=csr_from_scipy(matrix), feature_names=tuple(named))
    data = replace(data, attributes=replace(data.attributes, nodes=_attributes(rest)))
    if label is None:
        return data
    known = class_names or ()
    if task == CLASSIFICATION and not known:
        known = classes_in(label, rest[label])
    return with_targets(data, label, task, known, separator=separator)


def from_lists(
    hyperedges: Mapping[Any, Iterable[Any]] | Iterable[Iterable[Any]],
    features: Mapping[Any, Any] | None = None,
    labels: Mapping[Any, Any] | None = None,
    *,
    name: str = "lists",
) -> LabelledHypergraph:
    """Make a labelled hypergraph of lists of members, and features and classes by name.

    Parameters
    ----------
    hyperedges
        The names of each hyperedge's members: a mapping from the hyperedge's name, or a list.
    features
        For each node a dict of its features, or a vector of numbers. Nodes that are in no
        hyperedge are isolated ones.
    labels
        The class of each node that has one.
    name
        What the hypergraph is called.

    Examples
    --------
    >>> data = from_lists(
    ...     [["ann", "bob"], ["bob", "cy"]],
    ...     {"ann": [1, 0], "bob": [1, 1], "cy": [0, 1]},
    ...     {"ann": "red", "cy": "blue"},
    ... )
    >>> data.labels, data.feat.to_dense()[0]
    (tensor([ 1, -1,  0]), tensor([1., 0.]))
    """
    listed = hyperedges if isinstance(hyperedges, Mapping) else dict(enumerate(hyperedges))
    pairs = [(member, edge) for edge, members in listed.items() for member in members]
    known: dict[str, dict[str, Any]] = {as_text(member): {} for member, _ in pairs}
    for member, row in (features or {}).items():
        given = row if isinstance(row, Mapping) else {"feat": np.asarray(row).tolist()}
        known.setdefault(as_text(member), {}).update(given)
    for member, label in (labels or {}).items():
        known.setdefault(as_text(member), {})["label"] = label
    return from_tables(
        {NODE: [member for member, _ in pairs], HYPEREDGE: [edge for _, edge in pairs]},
        [{NODE: member, **row} for member, row in known.items()],
        label="label" if labels else None,
        name=name,
    )


def _all_names(used: list[str], table: Table, known: Keyed | None, what: str) -> tuple[str, ...]:
    if known is None:
        return tuple(sorted(set(used), key=natural))
    missing = sorted(set(used) - known.row_of.keys(), key=natural)
    if missing:
        said = ", ".join(map(repr, missing[:3])) + (", ..." if len(missing) > 3 else "")
        raise ValueError(
            f"{len(missing)} {what}s of {table.name} have no row in {known.table.name}: {said}; "
            f"add a row for each, or, if their names are not in its column {known.key!r}, name the "
            f"column by {what}= (--{what}) or put it first"
        )
    return tuple(sorted(known.row_of, key=natural))


def _graph(
    members: Table,
    weight: str | None,
    pairs: list[list[str]],
    names: tuple[tuple[str, ...], tuple[str, ...]],
    about: Keyed | None,
) -> Any:
    ids = [{name: i for i, name in enumerate(each)} for each in names]
    found = np.array([[of[name] for name in column] for of, column in zip(ids, pairs)], np.int64)
    # Sorted, so that the order of the rows decides nothing.
    order = np.lexsort((found[0], found[1]))
    if weight is not None:
        _check_once(members, weight, pairs, found[:, order], order)
    weights = None if weight is None else np.array(weights_in(members, weight))[order]
    edge_weight = None
    if about is not None and "weight" in about.table:
        given = weights_in(about.table, "weight")
        edge_weight = np.array([given[about.row_of[name]] for name in names[1]], np.float32)
    try:
        return hypergraph_from_incidence(
            *found[:, order],
            *map(len, names),
            incidence_weight=None if weights is None else weights.astype(np.float32),
            hyperedge_weight=edge_weight,
            allow_empty=True,
        )
    except ValueError as error:
        raise ValueError(f"{members.name}: {error}") from None


def _check_once(
    members: Table, weight: str, pairs: list[list[str]], ordered: Any, order: Any
) -> None:
    """Refuse an incidence that is listed twice: it is not known which weight is its own."""
    again = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).all(axis=0))
    if len(again):
        row = int(order[again[0] + 1])
        raise ValueError(
            f"{members.place(row)}: {pairs[0][row]!r} is in {pairs[1][row]!r} before; add the "
            f"weights in column {weight!r} up and list it once"
        )


def _attributes(columns: Mapping[str, Sequence[Any]]) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    for name, cells in columns.items():
        for i, cell in enumerate(cells):
            if not is_blank(cell):
                found.setdefault(i, {})[name] = cell.item() if hasattr(cell, "item") else cell
    return found
