"""Cut a hypergraph, and take its data along. The given graph stays as it is."""

from __future__ import annotations

import dgl
import torch
from torch import Tensor

from .build import CONTAINS, HYPEREDGE, IN, NODE, assemble
from .ids import Ids, as_ids
from .measure import contains_ids, incidences, require_types

# Derived from the incidences, so never carried over but counted again.
DERIVED = {NODE: {"degree"}, HYPEREDGE: {"size"}}


def cpu_incidences(graph: dgl.DGLGraph) -> tuple[Tensor, Tensor]:
    """Node and hyperedge ids of the incidences, on the CPU."""
    nodes, edges = incidences(graph)
    return nodes.cpu(), edges.cpu()


def like(graph: dgl.DGLGraph, nodes: Tensor, edges: Tensor, n: int, m: int) -> dgl.DGLGraph:
    """Hypergraph of these incidences, with the id type and device of ``graph``."""
    return assemble(nodes, edges, n, m, graph.idtype).to(graph.device)


def contains_rows(graph: dgl.DGLGraph, rows: Tensor) -> Tensor:
    """Edge ids in ``contains`` of incidences by their ids in ``in``; -1 stays."""
    ids = contains_ids(graph)
    return rows if ids is None else torch.where(rows < 0, rows, ids.cpu()[rows])


def carry(
    old: dgl.DGLGraph, new: dgl.DGLGraph, nodes: Tensor, hyperedges: Tensor, rows: Tensor
) -> None:
    """Copy all data: row i of the new frames is the old row that the index names, -1 for none."""
    back_rows = contains_rows(old, rows)
    frames = [
        (old.nodes[NODE].data, new.nodes[NODE].data, nodes, DERIVED[NODE]),
        (old.nodes[HYPEREDGE].data, new.nodes[HYPEREDGE].data, hyperedges, DERIVED[HYPEREDGE]),
        (old.edges[IN].data, new.edges[IN].data, rows, set()),
        (old.edges[CONTAINS].data, new.edges[CONTAINS].data, back_rows, set()),
    ]
    for source, target, index, derived in frames:
        for key, values in source.items():
            if key in derived or key in (dgl.NID, dgl.EID):
                continue
            index = index.to(values.device)
            carried = values.new_zeros((len(index), *values.shape[1:]))
            # A new hyperedge or member of a weighted hypergraph counts like an unweighted one.
            if key == "weight":
                carried += 1
            is_old = index >= 0
            carried[is_old] = values[index[is_old]]
            target[key] = carried


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
        With all data of what was kept, ``size`` and ``degree`` counted again, and the maps back to
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


def _cut(graph: dgl.DGLGraph, kept: Tensor, hyperedges: Tensor, drop_empty: bool) -> dgl.DGLGraph:
    nodes, edges = cpu_incidences(graph)
    new_node = _positions(kept, graph.num_nodes(NODE))
    stays = (new_node[nodes] >= 0) & (
        _positions(hyperedges, graph.num_nodes(HYPEREDGE))[edges] >= 0
    )
    if drop_empty:
        hyperedges = hyperedges[torch.isin(hyperedges, edges[stays])]
    new_edge = _positions(hyperedges, graph.num_nodes(HYPEREDGE))
    rows = stays.nonzero().flatten()
    cut = like(graph, new_node[nodes[rows]], new_edge[edges[rows]], len(kept), len(hyperedges))
    carry(graph, cut, kept, hyperedges, rows)
    for ids, frame in ((kept, cut.nodes[NODE]), (hyperedges, cut.nodes[HYPEREDGE])):
        frame.data[dgl.NID] = ids.to(graph.idtype).to(graph.device)
    for etype, found in ((IN, rows), (CONTAINS, contains_rows(graph, rows))):
        cut.edges[etype].data[dgl.EID] = found.to(graph.idtype).to(graph.device)
    return cut


def _others(ids: Tensor, count: int) -> Tensor:
    keep = torch.ones(count, dtype=torch.bool)
    keep[ids] = False
    return keep.nonzero().flatten()


def _positions(ids: Tensor, count: int) -> Tensor:
    positions = torch.full((count,), -1, dtype=torch.int64)
    positions[ids] = torch.arange(len(ids))
    return positions
