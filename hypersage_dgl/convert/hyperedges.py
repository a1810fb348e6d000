"""Hyperedge lists: the members of each hyperedge, by name or by id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

import torch

from ..hypergraphs import HYPEREDGE, Weights, hypergraph_from_incidence, incidences
from .named import Hypergraph, Name, Named, Numbering, as_named, plain_names
from .weights import float32

Members = Iterable[Name]


def from_hyperedges(
    hyperedges: Mapping[Name, Members] | Iterable[Members],
    node_names: Iterable[Name] | None = None,
    *,
    hyperedge_weight: Weights | None = None,
    incidence_weight: Weights | None = None,
) -> Named:
    """Build a hypergraph from the names of each hyperedge's members.

    For lists of ids :func:`hypersage_dgl.hypergraph` is shorter.

    Parameters
    ----------
    hyperedges
        A mapping from the name of each hyperedge to its members, or a list of member lists, whose
        positions are the hyperedges' names. Repeated members are merged, the members of a set
        sorted. A hyperedge may be empty, as after a cut.
    node_names
        All nodes, isolated ones included, in the order of their ids. By default the nodes are
        those that occur, in the order in which they do.
    hyperedge_weight, incidence_weight
        As in :func:`hypersage_dgl.hypergraph`.

    Examples
    --------
    >>> named = from_hyperedges({"paper": ["ann", "bob"], "talk": ["bob", "cy"]})
    >>> named.node_names, named.hyperedge_names
    (('ann', 'bob', 'cy'), ('paper', 'talk'))
    >>> named.graph.nodes["node"].data["degree"]
    tensor([1, 2, 1])
    """
    if isinstance(hyperedges, (str, bytes)) or not isinstance(hyperedges, Iterable):
        raise TypeError(
            f"hyperedges is {hyperedges!r:.60}; give a mapping from hyperedge names to members, or "
            "a list of member lists"
        )
    named = hyperedges if isinstance(hyperedges, Mapping) else dict(enumerate(hyperedges))
    numbering = Numbering("node", node_names)
    nodes: list[int] = []
    sizes: list[int] = []
    for name, members in named.items():
        listed = _listed(name, members)
        try:
            nodes.extend([numbering[member] for member in listed])
        except (TypeError, ValueError) as error:
            raise type(error)(f"hyperedge {name!r}: {error}") from None
        sizes.append(len(listed))
    graph = hypergraph_from_incidence(
        torch.tensor(nodes, dtype=torch.int64),
        torch.repeat_interleave(torch.arange(len(sizes)), torch.tensor(sizes, dtype=torch.int64)),
        len(numbering),
        len(sizes),
        hyperedge_weight=hyperedge_weight,
        incidence_weight=float32(incidence_weight),
        allow_empty=True,
    )
    return Named(graph, numbering.names, tuple(named))


def to_hyperedges(graph: Hypergraph) -> list[list[Name]]:
    """List the members of each hyperedge: names of a :class:`Named`, else ids.

    Nodes in no hyperedge do not show; weights stay in the graph.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> to_hyperedges(hypergraph([[2, 0, 1], [1, 3]]))
    [[2, 0, 1], [1, 3]]
    >>> named = from_hyperedges({"paper": ["ann", "bob"], "talk": ["bob", "cy"]})
    >>> dict(zip(named.hyperedge_names, to_hyperedges(named)))
    {'paper': ['ann', 'bob'], 'talk': ['bob', 'cy']}
    """
    named = as_named(graph)
    names = named.node_names
    members: list[list[Name]] = [[] for _ in range(named.graph.num_nodes(HYPEREDGE))]
    for node, edge in zip(*(ids.tolist() for ids in incidences(named.graph))):
        members[edge].append(names[node])
    return members


def _listed(name: Name, members: Members) -> list[Name]:
    if isinstance(members, (str, bytes)) or not isinstance(members, Iterable):
        raise TypeError(f"hyperedge {name!r} is {members!r:.60}; it must be a list of node names")
    if getattr(members, "ndim", 1) != 1:
        raise TypeError(f"hyperedge {name!r} is {members!r:.60}; its members must be a flat list")
    if isinstance(members, Set):
        # A set has no order of its own; names of several types do not compare.
        return sorted(members, key=lambda member: (type(member).__name__, member))
    return list(plain_names(members))
