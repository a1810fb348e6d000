"""Cut and grow a hypergraph. Every function returns a new graph; the given one stays as it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import dgl
import torch
from torch import Tensor

from .build import CONTAINS, HYPEREDGE, IN, NODE, Ids, as_ids, assemble, first_occurrences
from .build import hypergraph as build_hypergraph
from .measure import incidences, require_types

Data = Mapping[str, Tensor]
# Derived from the incidences, so never carried over but counted anew.
COUNTED = {"size", "degree"}


def induced(graph: dgl.DGLGraph, nodes: Ids, drop_empty: bool = False) -> dgl.DGLGraph:
    """Cut the hypergraph to some nodes: every hyperedge keeps those of its members.

    Parameters
    ----------
    graph
        A hypergraph.
    nodes
        Ids of the nodes to keep, each once; node ``i`` of the result is ``nodes[i]``.
    drop_empty
        Leave out the hyperedges that lose all members. By default they stay, empty, so that
        hyperedge ids do not change.

    Returns
    -------
    dgl.DGLGraph
        With all data of what was kept, ``size`` and ``degree`` counted anew, and the maps back to
        the ids in ``graph`` as DGL's subgraphs have them: ``dgl.NID`` on both node types and
        ``dgl.EID`` on both relations.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1, 2], [2, 3], [3]])
    >>> cut = induced(g, [2, 1])
    >>> cut.nodes["node"].data[dgl.NID], cut.nodes["hyperedge"].data["size"]
    (tensor([2, 1]), tensor([2, 1, 0]))
    """
    require_types(graph)
    kept = as_ids(nodes, "node", graph.num_nodes(NODE))
    if len(torch.unique(kept)) < len(kept):
        raise ValueError("nodes has repeated ids; a node can be kept only once")
    return _cut(graph, kept, torch.arange(graph.num_nodes(HYPEREDGE)), drop_empty)


def remove_nodes(graph: dgl.DGLGraph, nodes: Ids, drop_empty: bool = False) -> dgl.DGLGraph:
    """Remove nodes; the others close ranks in order. The maps back are those of :func:`induced`.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> remove_nodes(hypergraph([[0, 1, 2], [2, 3]]), [1]).nodes["node"].data[dgl.NID]
    tensor([0, 2, 3])
    """
    require_types(graph)
    rest = _others(as_ids(nodes, "node", graph.num_nodes(NODE)), graph.num_nodes(NODE))
    return _cut(graph, rest, torch.arange(graph.num_nodes(HYPEREDGE)), drop_empty)


def remove_hyperedges(graph: dgl.DGLGraph, hyperedges: Ids) -> dgl.DGLGraph:
    """Remove hyperedges; all nodes stay. The maps back are those of :func:`induced`.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> remove_hyperedges(hypergraph([[0, 1, 2], [2, 3]]), [0]).nodes["node"].data["degree"]
    tensor([0, 0, 1, 1])
    """
    require_types(graph)
    count = graph.num_nodes(HYPEREDGE)
    rest = _others(as_ids(hyperedges, "hyperedge", count), count)
    return _cut(graph, torch.arange(graph.num_nodes(NODE)), rest, drop_empty=False)


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
    if isinstance(num, bool) or not isinstance(num, int) or num < 0:
        raise ValueError(f"num is {num!r}; it must be a whole number from 0 on")
    nodes, edges = _incidences(graph)
    n, m = graph.num_nodes(NODE), graph.num_nodes(HYPEREDGE)
    grown = _like(graph, nodes, edges, n + num, m)
    _carry(graph, grown, _with_new(n, num), torch.arange(m), torch.arange(len(nodes)))
    _fill(grown.nodes[NODE].data, n, data, "node")
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
    new = build_hypergraph(hyperedges, n)
    new_nodes, new_edges = _incidences(new)
    nodes, edges = _incidences(graph)
    num = new.num_nodes(HYPEREDGE)
    grown = _like(
        graph, torch.cat((nodes, new_nodes)), torch.cat((edges, new_edges + m)), n, m + num
    )
    _carry(graph, grown, torch.arange(n), _with_new(m, num), _with_new(len(nodes), len(new_nodes)))
    _fill(grown.nodes[HYPEREDGE].data, m, data, "hyperedge")
    return grown


def add_incidences(
    graph: dgl.DGLGraph, node_ids: Ids, hyperedge_ids: Ids, data: Data | None = None
) -> dgl.DGLGraph:
    """Let existing nodes join existing hyperedges; an incidence that is there already is merged.

    ``data`` is data of the relation ``in`` for the new incidences; a ``weight`` that is not given
    is 1.

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
    nodes, edges = _incidences(graph)
    old = len(nodes)
    nodes, edges = torch.cat((nodes, new_nodes)), torch.cat((edges, new_edges))
    keep = first_occurrences(nodes, edges, n)
    grown = _like(graph, nodes[keep], edges[keep], n, m)
    _carry(graph, grown, torch.arange(n), torch.arange(m), _with_new(old, len(keep) - old))
    fresh = keep[keep >= old] - old
    rows = {k: v[fresh.to(v.device)] for k, v in (data or {}).items()}
    _fill(grown.edges[IN].data, old, rows, "incidence")
    return grown


def _cut(graph: dgl.DGLGraph, kept: Tensor, hyperedges: Tensor, drop_empty: bool) -> dgl.DGLGraph:
    nodes, edges = _incidences(graph)
    new_node = _positions(kept, graph.num_nodes(NODE))
    stays = (new_node[nodes] >= 0) & (
        _positions(hyperedges, graph.num_nodes(HYPEREDGE))[edges] >= 0
    )
    if drop_empty:
        hyperedges = hyperedges[torch.isin(hyperedges, edges[stays])]
    new_edge = _positions(hyperedges, graph.num_nodes(HYPEREDGE))
    rows = stays.nonzero().flatten()
    cut = _like(graph, new_node[nodes[rows]], new_edge[edges[rows]], len(kept), len(hyperedges))
    _carry(graph, cut, kept, hyperedges, rows)
    for ids, frame in ((kept, cut.nodes[NODE]), (hyperedges, cut.nodes[HYPEREDGE])):
        frame.data[dgl.NID] = ids.to(graph.idtype).to(graph.device)
    for etype in (IN, CONTAINS):
        cut.edges[etype].data[dgl.EID] = rows.to(graph.idtype).to(graph.device)
    return cut


def _incidences(graph: dgl.DGLGraph) -> tuple[Tensor, Tensor]:
    nodes, edges = incidences(graph)
    return nodes.cpu(), edges.cpu()


def _others(ids: Tensor, count: int) -> Tensor:
    keep = torch.ones(count, dtype=torch.bool)
    keep[ids] = False
    return keep.nonzero().flatten()


def _positions(ids: Tensor, count: int) -> Tensor:
    positions = torch.full((count,), -1, dtype=torch.int64)
    positions[ids] = torch.arange(len(ids))
    return positions


def _with_new(old: int, new: int) -> Tensor:
    """Rows of a grown frame in the old one; -1 marks the new."""
    return torch.cat((torch.arange(old), torch.full((new,), -1)))


def _like(graph: dgl.DGLGraph, nodes: Tensor, edges: Tensor, n: int, m: int) -> dgl.DGLGraph:
    return assemble(nodes, edges, n, m, graph.idtype).to(graph.device)


def _carry(
    old: dgl.DGLGraph, new: dgl.DGLGraph, nodes: Tensor, hyperedges: Tensor, rows: Tensor
) -> None:
    frames = [
        (old.nodes[NODE].data, new.nodes[NODE].data, nodes),
        (old.nodes[HYPEREDGE].data, new.nodes[HYPEREDGE].data, hyperedges),
        (old.edges[IN].data, new.edges[IN].data, rows),
        (old.edges[CONTAINS].data, new.edges[CONTAINS].data, rows),
    ]
    for source, target, index in frames:
        for key, values in source.items():
            if key in COUNTED or key in (dgl.NID, dgl.EID):
                continue
            index = index.to(values.device)
            carried = values.new_zeros((len(index), *values.shape[1:]))
            # A new hyperedge or member of a weighted hypergraph counts like an unweighted one.
            if key == "weight":
                carried += 1
            is_old = index >= 0
            carried[is_old] = values[index[is_old]]
            target[key] = carried


def _fill(frame: Any, old: int, data: Data | None, what: str) -> None:
    for key, rows in (data or {}).items():
        known = sorted(k for k in frame if k not in COUNTED)
        if key not in known:
            raise ValueError(f"unknown {what} data {key!r}; the hypergraph has {known}")
        values = frame[key]
        expected = (len(values) - old, *values.shape[1:])
        if tuple(rows.shape) != expected:
            raise ValueError(
                f"{what} data {key!r} has shape {tuple(rows.shape)} for the new rows; it must be "
                f"{expected}"
            )
        values = values.clone()
        values[old:] = rows.to(values)
        frame[key] = values
