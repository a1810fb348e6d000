"""Take the data of a hypergraph along into one that was cut or grown from it."""

from __future__ import annotations

import dgl
import torch
from torch import Tensor

from .agree import contains_ids
from .build import CONTAINS, HYPEREDGE, IN, NODE, assemble
from .measure import incidences

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
