"""Both relations must hold the same incidences, each once, which DGL's own functions can break."""

from __future__ import annotations

import threading

import dgl
import torch
from torch import Tensor

from .._utils import GraphCache
from .build import CONTAINS, IN, NODE
from .measure import incidences, require_distinct, require_formats, require_types

# DGL makes the sparse forms of a graph when they are first needed, and takes no lock for it.
_MAKING_FORMATS = threading.Lock()


def contains_ids(graph: dgl.DGLGraph) -> Tensor | None:
    """Edge id in ``contains`` of each incidence, by its id in ``in``; None where they are the same.

    They differ after such as ``dgl.node_subgraph``, which sorts each relation by its sources.

    Raises
    ------
    ValueError
        If the relations hold different incidences.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1], [1, 2]])
    >>> contains_ids(g) is None
    True
    >>> cut = dgl.node_subgraph(g, {"node": [2, 1, 0], "hyperedge": [0, 1]})
    >>> contains_ids(cut).sort().values  # an incidence has another id in either relation
    tensor([0, 1, 2, 3])
    """
    require_formats(graph)
    nodes, edges = (ids.long() for ids in graph.edges(etype=IN, order="eid"))
    back_edges, back_nodes = (ids.long() for ids in graph.edges(etype=CONTAINS, order="eid"))
    if torch.equal(nodes, back_nodes) and torch.equal(edges, back_edges):
        return None
    # Refuses others.
    incidences(graph)
    count = max(graph.num_nodes(NODE), 1)
    order = torch.argsort(edges * count + nodes, stable=True)
    back_order = torch.argsort(back_edges * count + back_nodes, stable=True)
    return torch.empty_like(order).index_copy_(0, order, back_order)


def check_relations(graph: dgl.DGLGraph, cache: GraphCache) -> None:
    """Refuse what is no hypergraph, and make it ready for threads; looked at once for each graph.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1], [1, 2]])
    >>> g.remove_edges([0], etype="in")
    >>> check_relations(g, GraphCache())
    Traceback (most recent call last):
    ValueError: the relations 'in' and 'contains' hold different incidences (3 and 4); ...
    """
    require_types(graph)
    # Gradients pass through the relations the other way round, which takes further forms.
    trains = torch.is_grad_enabled()

    def check() -> bool:
        with _MAKING_FORMATS:
            require_distinct(graph, *incidences(graph))
            if trains:
                graph.create_formats_()
            for etype in (IN, CONTAINS):
                graph.in_degrees(etype=etype)
        return True

    cache.get(graph, ("relations", trains), check)
