"""Grow a hypergraph. Every function returns a new graph; the given one stays as it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import dgl
import numpy as np
import torch
from torch import Tensor

from .._utils import shown
from .build import HYPEREDGE, IN, NODE, hypergraph, require_room
from .cut import DERIVED, carry, cpu_incidences, like
from .ids import Ids, as_ids, as_weights, first_occurrences
from .measure import require_types

Data = Mapping[str, Tensor]


def add_nodes(graph: dgl.DGLGraph, num: int, data: Data | None = None) -> dgl.DGLGraph:
    """Add isolated nodes after the existing ones.

    Parameters
    ----------
    graph
        A hypergraph.
    num
        How many nodes to add.
    data
        Their node data by name, one row for each new node. What the graph has and ``data`` has
        not is filled with zeros, as DGL does.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1]])
    >>> g.nodes["node"].data["feat"] = torch.ones(2, 3)
    >>> add_nodes(g, 1, {"feat": torch.full((1, 3), 5.0)}).nodes["node"].data["feat"][2]
    tensor([5., 5., 5.])
    """
    require_types(graph)
    if isinstance(num, bool) or not isinstance(num, (int, np.integer)) or not 0 <= num < 2**63:
        raise ValueError(f"num is {shown(num)}; it must be an integer from 0 to 2**63 - 1")
    nodes, edges = cpu_incidences(graph)
    n, m = graph.num_nodes(NODE), graph.num_nodes(HYPEREDGE)
    require_room(n + int(num), m)
    grown = like(graph, nodes, edges, n + int(num), m)
    carry(graph, grown, _with_new(n, int(num)), torch.arange(m), torch.arange(len(nodes)))
    _fill(grown.nodes[NODE].data, n, data, "node", DERIVED[NODE])
    return grown


def add_hyperedges(
    graph: dgl.DGLGraph, hyperedges: Iterable[Iterable[int]], data: Data | None = None
) -> dgl.DGLGraph:
    """Add hyperedges among existing nodes; for new nodes call :func:`add_nodes` first.

    ``data`` is as in :func:`add_nodes`, one row for each new hyperedge; a ``weight`` that is not
    given is 1.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> add_hyperedges(hypergraph([[0, 1]], num_nodes=3), [[1, 2]]).nodes["hyperedge"].data["size"]
    tensor([2, 2])
    """
    require_types(graph)
    n, m = graph.num_nodes(NODE), graph.num_nodes(HYPEREDGE)
    new = hypergraph(hyperedges, n)
    new_nodes, new_edges = cpu_incidences(new)
    nodes, edges = cpu_incidences(graph)
    num = new.num_nodes(HYPEREDGE)
    grown = like(
        graph, torch.cat((nodes, new_nodes)), torch.cat((edges, new_edges + m)), n, m + num
    )
    carry(graph, grown, torch.arange(n), _with_new(m, num), _with_new(len(nodes), len(new_nodes)))
    _fill(grown.nodes[HYPEREDGE].data, m, data, "hyperedge", DERIVED[HYPEREDGE])
    return grown


def add_incidences(
    graph: dgl.DGLGraph, node_ids: Ids, hyperedge_ids: Ids, data: Data | None = None
) -> dgl.DGLGraph:
    """Let existing nodes join existing hyperedges; an incidence that is there already is merged.

    ``data`` is data of the relation ``in``, a row for each given incidence; that of merged ones is
    not used. A ``weight`` that is not given is 1.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1], [1, 2]])
    >>> add_incidences(g, [0, 1], [1, 1]).nodes["hyperedge"].data["size"]
    tensor([2, 3])
    """
    require_types(graph)
    n, m = graph.num_nodes(NODE), graph.num_nodes(HYPEREDGE)
    new_nodes, new_edges = as_ids(node_ids, "node", n), as_ids(hyperedge_ids, "hyperedge", m)
    if len(new_nodes) != len(new_edges):
        raise ValueError(
            f"{len(new_nodes)} node ids and {len(new_edges)} hyperedge ids; an incidence is one of "
            "each, so the two must be equally long"
        )
    nodes, edges = cpu_incidences(graph)
    old = len(nodes)
    nodes, edges = torch.cat((nodes, new_nodes)), torch.cat((edges, new_edges))
    keep = first_occurrences(nodes, edges, n)
    grown = like(graph, nodes[keep], edges[keep], n, m)
    carry(graph, grown, torch.arange(n), torch.arange(m), _with_new(old, len(keep) - old))
    fresh = keep[keep >= old] - old
    rows = {key: torch.as_tensor(given) for key, given in (data or {}).items()}
    for key, given in rows.items():
        if given.shape[:1] != (len(new_nodes),):
            raise ValueError(
                f"incidence data {key!r} has shape {tuple(given.shape)}; it must have a row for "
                f"each of the {len(new_nodes)} given incidences"
            )
    kept = {key: given[fresh.to(given.device)] for key, given in rows.items()}
    _fill(grown.edges[IN].data, old, kept, "incidence", set())
    return grown


def _with_new(old: int, new: int) -> Tensor:
    """Rows of a grown frame in the old one; -1 marks the new."""
    return torch.cat((torch.arange(old), torch.full((new,), -1)))


def _fill(frame: Any, old: int, data: Data | None, what: str, derived: set[str]) -> None:
    for key, given in (data or {}).items():
        known = sorted(k for k in frame if k not in derived)
        if key not in known:
            raise ValueError(f"unknown {what} data {key!r}; the hypergraph has {known}")
        values, rows = frame[key].clone(), torch.as_tensor(given)
        expected = (len(values) - old, *values.shape[1:])
        if tuple(rows.shape) != expected:
            raise ValueError(
                f"{what} data {key!r} has shape {tuple(rows.shape)} for the new rows; it must be "
                f"{expected}"
            )
        if rows.is_floating_point() and not values.is_floating_point():
            raise TypeError(
                f"{what} data {key!r} is {rows.dtype}; the hypergraph has {values.dtype}"
            )
        if key == "weight":
            as_weights(rows, len(rows), key, what)
        values[old:] = rows.to(values)
        frame[key] = values
