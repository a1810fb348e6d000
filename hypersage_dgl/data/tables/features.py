"""Features of the nodes: from a file, stored with the hypergraph, or its nodes' attributes."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from ..._utils import (
    JSON_TYPES,
    PathLike,
    csr_from_scipy,
)
from ...convert import Named, Table, integer_names, is_numbered, read_table
from ...hypergraphs import HYPEREDGE, IN, NODE, hypergraph_from_incidence, incidences
from ..feature_files import read_features
from ..labelled import LabelledHypergraph
from ..splits import Split
from .columns import column_features, few, name_features
from .keyed import Keyed

TABLES = (".csv", ".tsv", ".parquet", ".pq")


def with_features(
    data: LabelledHypergraph,
    file: PathLike | None = None,
    names: Sequence[str] | None = None,
    *,
    label: str = "label",
    max_bytes: int | None = None,
) -> LabelledHypergraph:
    """Give a hypergraph features: those of a file, the stored ones, or its nodes' attributes.

    Parameters
    ----------
    data
        The hypergraph.
    file
        A file of features, which goes before all others: a table of the nodes (CSV or Parquet)
        with a column of names, the one called ``node`` or else the first; or a matrix, see
        :func:`read_features`. A matrix has no names, so its row ``i`` is for the node that is
        called or numbered ``i``, and nodes with other names are refused.
    names
        Attributes to take as features where none are stored: those that a model was trained on, or
        by default, to train one, all whose values are numbers.
    label
        An attribute that is not a feature.
    max_bytes
        As in :func:`load`, for the file of features.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> from hypersage_dgl.convert import Attributes
    >>> attributes = Attributes(nodes={0: {"age": 40}, 1: {"age": 20, "name": "bob"}})
    >>> data = LabelledHypergraph(hypergraph([[0, 1]]), attributes=attributes)
    >>> with_features(data).feature_names
    ('age',)
    """
    if file is not None and is_table(file):
        return _from_table(data, read_table(file, max_bytes=max_bytes), names)
    if file is not None:
        feat = read_features(file, max_bytes)
        data = numbered_for(data, len(feat), Path(file).name)
        return replace(data, feat=feat, feature_names=())
    if data.feat is not None:
        return data
    chosen = numeric_attributes(data, label) if names is None else tuple(names)
    if not chosen:
        lacking = (
            "its nodes have no numeric attributes"
            if names is None
            else "the model does not name the attributes that it was trained on"
        )
        raise ValueError(
            f"{data.name} has no features stored in it, and {lacking}; give the features with "
            "features=FILE.npz"
        )
    return replace(data, feat=attribute_features(data, chosen), feature_names=chosen)


def is_table(path: PathLike) -> bool:
    """Whether a file is a table by its suffix.

    Examples
    --------
    >>> is_table("words.csv.gz"), is_table("words.npz")
    (True, False)
    """
    return Path(Path(path).name.lower().removesuffix(".gz")).suffix in TABLES


def _from_table(
    data: LabelledHypergraph, table: Table, names: Sequence[str] | None
) -> LabelledHypergraph:
    keyed = Keyed.of(table, None, NODE)
    missing = [str(n) for n in data.node_names if str(n) not in keyed.row_of]
    if missing:
        raise ValueError(
            f"{len(missing)} nodes of {data.name} have no row in {table.name}: {few(missing)}; "
            f"add a row for each (names are in column {keyed.key!r})"
        )
    unused = len(keyed.row_of) - data.num_nodes
    if unused:
        warnings.warn(
            f"{unused} rows of {table.name} are of no node of {data.name} and not used",
            stacklevel=3,
        )
    columns = keyed.rest([str(name) for name in data.node_names], ())
    chosen = name_features(columns) if names is None else tuple(names)
    if not chosen:
        # Of a model that does not name its features: then there are as many as columns.
        chosen = tuple(columns)
    feat = csr_from_scipy(column_features(columns, chosen, table.name))
    return replace(data, feat=feat, feature_names=chosen)


def numeric_attributes(named: Named, label: str = "label") -> tuple[str, ...]:
    """Names of the node attributes whose values are all numbers, sorted, but the label's.

    Of vectors, which must have one length, every entry has a name, such as ``code[2]``.
    """
    cells: dict[str, list[Any]] = {}
    for attributes in named.attributes.nodes.values():
        for name, value in attributes.items():
            cells.setdefault(name, []).append(value)
    found: list[str] = []
    for name in sorted(cells.keys() - {label}):
        vectors = [value if isinstance(value, list) else None for value in cells[name]]
        if all(vector is None for vector in vectors):
            entries, names = cells[name], [name]
        elif None not in vectors and len(set(map(len, cells[name]))) == 1:
            entries = [entry for vector in cells[name] for entry in vector]
            names = [f"{name}[{i}]" for i in range(len(cells[name][0]))]
        else:
            continue
        if all(JSON_TYPES["number"](entry) for entry in entries):
            found += names
    return tuple(found)


def attribute_features(named: Named, names: Sequence[str]) -> Tensor:
    """Attributes of the nodes as sparse features; one that a node lacks is 0 there."""
    wanted, columns = set(names), dict[str, list[Any]]()
    for i, given in named.attributes.nodes.items():
        for name, value in _entries(given).items():
            if name not in wanted:
                continue
            if not JSON_TYPES["number"](value):
                raise ValueError(
                    f"attribute {name!r} of node {named.node_names[i]!r} is {value!r:.40}; a "
                    "feature must be a number"
                )
            cells = columns.setdefault(name, [None] * named.graph.num_nodes(NODE))
            cells[i] = value
    if not columns:
        raise ValueError(
            f"no node has one of the attributes that are the features: {few(names)}; add them to "
            "the nodes, or give the features with features=FILE.npz"
        )
    return csr_from_scipy(column_features(columns, names, "the attributes of the nodes"))


def _entries(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes with the entries of vectors one by one."""
    found: dict[str, Any] = {}
    for name, value in attributes.items():
        if isinstance(value, list):
            found.update({f"{name}[{i}]": entry for i, entry in enumerate(value)})
        else:
            found[name] = value
    return found


def numbered_for(data: LabelledHypergraph, rows: int, file: str) -> LabelledHypergraph:
    """The hypergraph whose node ``i`` has row ``i`` of a matrix without names.

    Nodes that are only numbered stay as they are. Nodes whose names are non-negative integers get
    the rows of their numbers, and rows that no name has are those of isolated nodes. Other names
    are refused: nothing says which row is theirs.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> data = LabelledHypergraph(hypergraph([[0, 1]]), ("3", "1"))
    >>> made = numbered_for(data, 4, "x.npy")
    >>> list(made.node_names), made.graph.edges(etype="in")[0]
    (['0', '1', '2', '3'], tensor([3, 1]))
    """
    if is_numbered(data.node_names):
        return data
    numbers = integer_names(data.node_names)
    if numbers is None:
        raise ValueError(
            f"{file} has {rows} rows without names, and the nodes of {data.name} have names, such "
            f"as {data.node_names[0]!r}: nothing says which row is whose; give a table of the "
            "nodes, with a column of names and one for each feature: features=FILE.csv"
        )
    highest = max(numbers, default=-1)
    if highest >= rows:
        raise ValueError(
            f"{data.name} has a node {highest}, and {file} has the rows 0 to {rows - 1}; the row "
            "of a node is its number: give one for each number, or a table of the nodes with a "
            "column of names: features=FILE.csv"
        )
    if numbers == list(range(rows)):
        return data
    return _renumbered(data, torch.tensor(numbers, dtype=torch.int64), rows)


def _renumbered(data: LabelledHypergraph, numbers: Tensor, count: int) -> LabelledHypergraph:
    """The same hypergraph with node ``i`` as ``numbers[i]``, and isolated nodes between."""
    nodes, edges = incidences(data.graph)
    graph = hypergraph_from_incidence(
        numbers[nodes.long()], edges, count, data.num_hyperedges, allow_empty=True
    )
    for frame, before in (
        (graph.edges[IN].data, data.graph.edges[IN].data),
        (graph.nodes[HYPEREDGE].data, data.graph.nodes[HYPEREDGE].data),
    ):
        frame.update({key: value for key, value in before.items() if key not in frame})
    of_nodes = {int(numbers[i]): item for i, item in data.attributes.nodes.items()}
    kind = type(data.node_names[0]) if len(data.node_names) else str
    labels = data.labels
    if labels is not None:
        shape = (count, *labels.shape[1:])
        labels = torch.full(shape, -1 if labels.dim() == 1 else 0, dtype=labels.dtype)
        assert data.labels is not None
        labels[numbers] = data.labels
    learned = data.numbers
    if learned is not None:
        learned = torch.full((count,), torch.nan)
        learned[numbers] = data.require_numbers()
    return replace(
        data,
        graph=graph,
        node_names=tuple(str(i) if kind is str else i for i in range(count)),
        attributes=replace(data.attributes, nodes=of_nodes),
        labels=labels,
        numbers=learned,
        feat=None,
        feature_names=(),
        splits=tuple(Split(*(numbers[ids] for ids in split)) for split in data.splits),
    )
