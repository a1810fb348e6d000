"""Columns of numbers of hyperedges, which become their features, by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch

from .._utils import csr_from_scipy
from ..convert import Attributes
from ..hypergraphs import HYPEREDGE, hypergraph
from .columns import as_number, column_features, is_blank
from .labelled import LabelledHypergraph


def hyperedge_columns(
    data: LabelledHypergraph, names: Sequence[str] | None = None, what: str = ""
) -> LabelledHypergraph:
    """The hyperedges as nodes whose features are columns, so that what is made for nodes serves.

    Parameters
    ----------
    data
        A hypergraph whose hyperedges have attributes.
    names
        The columns, those of a trained model; by default all of numbers, sorted, so that the order
        of columns in a table does not count.
    what
        The table, as messages call it; by default the name of ``data``.

    Examples
    --------
    >>> from hypersage_dgl.data import from_tables, measure_ranges, scale_features
    >>> members = {"node": ["a", "b", "b"], "hyperedge": ["x", "x", "y"]}
    >>> of_edges = {"hyperedge": ["y", "x"], "year": [1950, 1990], "kind": ["old", "new"]}
    >>> data = from_tables(members, hyperedges=of_edges)
    >>> columns = hyperedge_columns(data)
    >>> columns.node_names, columns.feature_names
    (('x', 'y'), ('year',))
    >>> scaled = scale_features(columns, measure_ranges(columns, torch.arange(2)))
    >>> with_hyperedge_features(data, scaled).graph.nodes["hyperedge"].data["feat"]
    tensor([[1.],
            [0.]])
    """
    cells = data.attributes.hyperedges
    columns = {
        name: [cells.get(i, {}).get(name) for i in range(data.num_hyperedges)]
        for name in sorted({name for item in cells.values() for name in item})
    }
    if names is None:
        numbers = ((n, [as_number(c) for c in cs if not is_blank(c)]) for n, cs in columns.items())
        names = [name for name, found in numbers if found and None not in found]
    made = LabelledHypergraph(
        hypergraph([], num_nodes=data.num_hyperedges),
        data.hyperedge_names,
        name=what or data.name,
        attributes=Attributes(nodes=cells),
    )
    if not names:
        return made
    feat = csr_from_scipy(column_features(columns, names, made.name))
    return replace(made, feat=feat, feature_names=tuple(names))


def with_hyperedge_features(
    data: LabelledHypergraph, columns: LabelledHypergraph
) -> LabelledHypergraph:
    """The same, with the features of :func:`hyperedge_columns` as data ``feat`` of hyperedges."""
    graph = data.graph.local_var()
    graph.nodes[HYPEREDGE].data["feat"] = columns.require_feat().to_dense().to(torch.float32)
    return replace(data, graph=graph)
