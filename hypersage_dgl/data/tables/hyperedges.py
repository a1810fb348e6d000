"""Hyperedges as nodes: the dual, where they are learned, and columns that are their features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from scipy import sparse
from torch import Tensor

from ..._utils import csr_from_scipy, csr_to_scipy, is_sparse
from ...convert import Attributes
from ...hypergraphs import HYPEREDGE, NODE, hypergraph, hypergraph_from_incidence, incidences
from ..labelled import LabelledHypergraph
from .columns import as_number, column_features, is_blank


def dual(data: LabelledHypergraph) -> LabelledHypergraph:
    """Turn a hypergraph around: hyperedges become nodes, nodes the hyperedges of what they are in.

    What is said of nodes is then said of hyperedges: :func:`with_targets` makes their labels of
    the attributes of the hyperedges, and a split is one of hyperedges. The features of a hyperedge
    are the mean of its members', 0 without any. Weights, and features that hyperedges have of
    their own, are left out.

    Examples
    --------
    >>> from hypersage_dgl.data import from_tables, with_targets
    >>> data = from_tables(
    ...     {"node": ["ann", "bob", "bob"], "hyperedge": ["x", "x", "y"]},
    ...     hyperedges={"hyperedge": ["y", "x"], "topic": ["art", "maths"]},
    ... )
    >>> edges = with_targets(dual(data), "topic")
    >>> edges.node_names, edges.class_names, edges.labels
    (('x', 'y'), ('art', 'maths'), tensor([1, 0]))
    """
    nodes, edges = incidences(data.graph)
    counts = (data.graph.num_nodes(HYPEREDGE), data.graph.num_nodes(NODE))
    return LabelledHypergraph(
        hypergraph_from_incidence(edges, nodes, *counts, allow_empty=True),
        data.hyperedge_names,
        data.node_names,
        attributes=Attributes(nodes=data.attributes.hyperedges, hyperedges=data.attributes.nodes),
        name=data.name,
        feat=None if data.feat is None else _mean_of_members(data.feat, nodes, edges, counts),
        feature_names=data.feature_names,
    )


def _mean_of_members(feat: Tensor, nodes: Tensor, edges: Tensor, shape: tuple[int, int]) -> Any:
    sizes = torch.bincount(edges.cpu().long(), minlength=shape[0]).double().numpy()
    places = (edges.cpu().numpy(), nodes.cpu().numpy())
    means = sparse.csr_matrix((1 / sizes[places[0]], places), shape=shape)
    of_nodes = csr_to_scipy(feat.cpu()) if is_sparse(feat) else feat.cpu().double().numpy()
    return (means @ of_nodes).astype(np.float32)


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
