"""Check that a graph is one of our hypergraphs, and say in numbers what it looks like."""

from __future__ import annotations

import threading
from dataclasses import dataclass, fields
from typing import Any

import dgl
import numpy as np
import torch
from torch import Tensor

from .._utils import GraphCache
from .build import CONTAINS, HYPEREDGE, IN, NODE

FORMATS = ["coo", "csr", "csc"]
CURE = "build it with hypersage_dgl.hypergraph or hypergraph_from_incidence"


def require_types(graph: dgl.DGLGraph) -> None:
    """Raise unless the graph has our two node types and two relations."""
    if not isinstance(graph, dgl.DGLGraph):
        raise TypeError(f"expected a hypergraph (dgl.DGLGraph), got {type(graph).__name__}; {CURE}")
    if set(graph.canonical_etypes) != {IN, CONTAINS}:
        raise ValueError(
            f"the graph has the relations {graph.canonical_etypes}, a hypergraph has exactly "
            f"{IN} and {CONTAINS}; {CURE}"
        )


def incidences(graph: dgl.DGLGraph) -> tuple[Tensor, Tensor]:
    """Node and hyperedge ids of the incidences, in the order of their ids in ``in``.

    Raises
    ------
    ValueError
        If the relation ``contains`` holds others, as after a change of one of them alone, or if the
        graph may not take all of DGL's sparse formats.
    """
    require_formats(graph)
    nodes, edges = (ids.long() for ids in graph.edges(etype=IN, order="eid"))
    back_edges, back_nodes = (ids.long() for ids in graph.edges(etype=CONTAINS, order="eid"))
    if torch.equal(nodes, back_nodes) and torch.equal(edges, back_edges):
        return nodes, edges
    key, back_key = sorted_keys(graph, nodes, edges), sorted_keys(graph, back_nodes, back_edges)
    if not np.array_equal(key, back_key):
        raise ValueError(
            f"the relations 'in' and 'contains' hold different incidences ({len(key)} and "
            f"{len(back_key)}); {CURE}, and change it with hypersage_dgl.hypergraphs "
            "(add_incidences, remove_nodes, induced) or both relations alike"
        )
    return nodes, edges


def require_formats(graph: dgl.DGLGraph) -> None:
    """Refuse what ``graph.formats("csc")`` and the like give: DGL fails on it in its C++ code."""
    known = graph.formats()
    allowed = [*known["created"], *known["not created"]]
    if len(allowed) < len(FORMATS):
        raise ValueError(
            f"the graph is restricted to the sparse formats {allowed}; give all of them, "
            f"graph.formats({FORMATS})"
        )


def require_distinct(graph: dgl.DGLGraph, nodes: Tensor, edges: Tensor) -> None:
    """Refuse incidences that are repeated: a layer would count them, a set of members does not."""
    key = sorted_keys(graph, nodes, edges)
    if bool((key[1:] == key[:-1]).any()):
        raise ValueError(f"an incidence is repeated; {CURE}, which merge repeated members")


def sorted_keys(graph: dgl.DGLGraph, nodes: Tensor, edges: Tensor) -> np.ndarray[Any, Any]:
    """A number for each incidence, ascending; numpy sorts integers many times faster than torch."""
    return np.sort((edges * max(graph.num_nodes(NODE), 1) + nodes).cpu().numpy())


def validate(graph: dgl.DGLGraph) -> None:
    """Raise ``TypeError`` or ``ValueError`` unless the graph is a well-formed hypergraph.

    Checked are the types, that both relations hold the same incidences in the same order without
    repetition, and that ``size`` and ``degree`` tell the truth. Empty hyperedges, which a cut
    leaves behind, and isolated nodes are well-formed.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> validate(hypergraph([[0, 1], [1, 2]]))
    """
    require_types(graph)
    nodes, edges = incidences(graph)
    back_edges, back_nodes = graph.edges(etype=CONTAINS, order="eid")
    if not (torch.equal(nodes, back_nodes.long()) and torch.equal(edges, back_edges.long())):
        raise ValueError(
            "the relations 'in' and 'contains' hold different incidences, or in another order; "
            f"{CURE}, and change it with add_incidences or remove_nodes instead of DGL's own"
        )
    require_distinct(graph, nodes, edges)
    for ntype, key, etype in ((HYPEREDGE, "size", IN), (NODE, "degree", CONTAINS)):
        stored = graph.nodes[ntype].data.get(key)
        if stored is None or not torch.equal(stored.long(), graph.in_degrees(etype=etype).long()):
            raise ValueError(
                f"{ntype} data '{key}' is missing or does not count the incidences; {CURE}"
            )


@dataclass(frozen=True)
class Summary:
    """What :func:`summary` measures; ``str`` gives one line for each value."""

    nodes: int
    hyperedges: int
    incidences: int
    size_mean: float
    size_sd: float
    size_max: int
    degree_mean: float
    degree_max: int
    isolated_nodes: int
    singleton_hyperedges: int
    empty_hyperedges: int
    duplicate_hyperedges: int

    def __str__(self) -> str:
        width = max(len(f.name) for f in fields(self))
        rows = []
        for f in fields(self):
            value = getattr(self, f.name)
            shown = f"{value:,}" if isinstance(value, int) else f"{value:.2f}"
            rows.append(f"{f.name.replace('_', ' '):<{width}}  {shown}")
        return "\n".join(rows)


def summary(graph: dgl.DGLGraph) -> Summary:
    """Measure a hypergraph.

    ``size_sd`` is the population standard deviation. ``duplicate_hyperedges`` counts the surplus:
    three hyperedges with equal members are two duplicates.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> s = summary(hypergraph([[0, 1, 2], [2, 1, 0], [3]], num_nodes=6))
    >>> s.size_max, s.isolated_nodes, s.singleton_hyperedges, s.duplicate_hyperedges
    (3, 2, 1, 1)
    """
    require_types(graph)
    require_formats(graph)
    sizes = graph.in_degrees(etype=IN).double()
    degrees = graph.in_degrees(etype=CONTAINS).double()
    has_size, has_degree = len(sizes) > 0, len(degrees) > 0
    return Summary(
        nodes=graph.num_nodes(NODE),
        hyperedges=graph.num_nodes(HYPEREDGE),
        incidences=graph.num_edges(IN),
        size_mean=float(sizes.mean()) if has_size else 0.0,
        size_sd=float(sizes.std(unbiased=False)) if has_size else 0.0,
        size_max=int(sizes.max()) if has_size else 0,
        degree_mean=float(degrees.mean()) if has_degree else 0.0,
        degree_max=int(degrees.max()) if has_degree else 0,
        isolated_nodes=int((degrees == 0).sum()),
        singleton_hyperedges=int((sizes == 1).sum()),
        empty_hyperedges=int((sizes == 0).sum()),
        duplicate_hyperedges=_duplicates(graph),
    )


def _duplicates(graph: dgl.DGLGraph) -> int:
    nodes, edges = (ids.cpu() for ids in incidences(graph))
    count = graph.num_nodes(HYPEREDGE)
    # Equal members have equal sums of well mixed numbers, and hardly others; those are compared.
    mixed = np.random.default_rng(0).integers(2**62, size=graph.num_nodes(NODE))
    sums = torch.zeros(count, dtype=torch.int64)
    sums.index_add_(0, edges, torch.from_numpy(mixed)[nodes])
    _, group, alike = torch.unique(sums, return_inverse=True, return_counts=True)
    sizes = torch.bincount(edges, minlength=count)
    is_candidate = (alike[group] > 1) & (sizes > 0)
    if not bool(is_candidate.any()):
        return 0
    chosen = is_candidate[edges]
    nodes, edges = nodes[chosen], edges[chosen]
    order = torch.argsort(edges * max(graph.num_nodes(NODE), 1) + nodes)
    members = torch.split(nodes[order], sizes[is_candidate].tolist())
    return len(members) - len({m.numpy().tobytes() for m in members})


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
