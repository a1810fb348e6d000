"""Rows of a feature matrix, which has no names, and the nodes that they belong to."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from ..convert import integer_names, is_numbered
from ..hypergraphs import HYPEREDGE, IN, hypergraph_from_incidence, incidences
from .labelled import LabelledHypergraph
from .splits import Split


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
