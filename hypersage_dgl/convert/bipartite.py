"""networkx bipartite graphs: nodes on one side, hyperedges on the other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import networkx as nx

from ..hypergraphs import HYPEREDGE, IN, NODE, hypergraph_from_incidence, incidences
from .labels import node_attributes
from .named import Attributes, Hypergraph, Name, Named, Numbering, as_named
from .weights import RANGE, as_float32

# networkx's convention: the node attribute "bipartite" tells the side.
SIDES = (NODE, HYPEREDGE)


def from_networkx_bipartite(graph: nx.Graph) -> Named:
    """Build a hypergraph from a bipartite networkx graph.

    Parameters
    ----------
    graph
        Every node has the attribute ``bipartite``: 0 for nodes, 1 for hyperedges, in the order of
        their ids. The attribute ``weight`` of a hyperedge or an edge is its weight (1 where only
        others have one); all further attributes are kept. The names are the graph's nodes; of
        pairs as :func:`to_networkx_bipartite` makes them, the second part.

    Examples
    --------
    >>> import networkx as nx
    >>> bipartite = nx.Graph([("ann", "paper"), ("bob", "paper")])
    >>> nx.set_node_attributes(bipartite, {"ann": 0, "bob": 0, "paper": 1}, "bipartite")
    >>> from_networkx_bipartite(bipartite).node_names
    ('ann', 'bob')
    """
    if not isinstance(graph, nx.Graph) or graph.is_directed() or graph.is_multigraph():
        raise TypeError(
            f"expected an undirected networkx.Graph, got {type(graph).__name__}; convert it with "
            "networkx.Graph(graph)"
        )
    sides = {key: _side(key, data) for key, data in graph.nodes(data=True)}
    numbering = {NODE: Numbering(NODE), HYPEREDGE: Numbering(HYPEREDGE)}
    ids = {key: numbering[side][_name(key, side)] for key, side in sides.items()}
    if len(numbering[NODE]) + len(numbering[HYPEREDGE]) < len(ids):
        raise ValueError("a pair ('node', x) and a plain x name the same node; rename one of them")
    found = []
    for u, v, data in graph.edges(data=True):
        if sides[u] == sides[v]:
            raise ValueError(
                f"edge ({u!r}, {v!r}) joins two {sides[u]}s; in a bipartite graph every edge joins "
                "a node (bipartite=0) and a hyperedge (bipartite=1)"
            )
        node, edge = (u, v) if sides[u] == NODE else (v, u)
        found.append((ids[node], ids[edge], data, (u, v)))
    # networkx lists edges by adjacency; hyperedge by hyperedge they are easier to follow.
    found.sort(key=lambda item: (item[1], item[0]))
    hyperedge_data = {ids[key]: graph.nodes[key] for key in sides if sides[key] == HYPEREDGE}
    edge_data = {i: data for i, (_, _, data, _) in enumerate(found)}
    made = hypergraph_from_incidence(
        [node for node, *_ in found],
        [edge for _, edge, *_ in found],
        len(numbering[NODE]),
        len(numbering[HYPEREDGE]),
        hyperedge_weight=_weights(hyperedge_data, HYPEREDGE, numbering[HYPEREDGE].names),
        incidence_weight=_weights(edge_data, "edge", [pair for *_, pair in found]),
        allow_empty=True,
    )
    node_data = {ids[key]: graph.nodes[key] for key in sides if sides[key] == NODE}
    attributes = Attributes(
        network=dict(graph.graph),
        nodes=_rest(node_data, {"bipartite"}),
        hyperedges=_rest(hyperedge_data, {"bipartite", "weight"}),
        incidences=_rest(edge_data, {"weight"}),
    )
    return Named(made, numbering[NODE].names, numbering[HYPEREDGE].names, attributes=attributes)


def to_networkx_bipartite(graph: Hypergraph) -> nx.Graph:
    """Give the bipartite networkx graph of a hypergraph.

    Its nodes are the pairs ``("node", name)`` with ``bipartite=0`` and ``("hyperedge", name)``
    with ``bipartite=1``, since a node and a hyperedge may share their name. Weights are the
    attribute ``weight`` of hyperedges and edges; attributes are kept, and the classes of labels
    written as node attribute ``label`` where they have names. Tensors and HIF's directions and
    network type stay behind.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> to_networkx_bipartite(hypergraph([[0, 1]])).edges
    EdgeView([(('node', 0), ('hyperedge', 0)), (('node', 1), ('hyperedge', 0))])
    """
    named = as_named(graph)
    attributes = named.attributes
    made = nx.Graph()
    made.graph.update(attributes.network)
    node_data = node_attributes(named)
    made.add_nodes_from(
        ((NODE, name), {**node_data.get(i, {}), "bipartite": 0})
        for i, name in enumerate(named.node_names)
    )
    weight = _listed(named.graph.nodes[HYPEREDGE].data)
    made.add_nodes_from(
        ((HYPEREDGE, name), {**attributes.hyperedges.get(i, {}), **weight(i), "bipartite": 1})
        for i, name in enumerate(named.hyperedge_names)
    )
    weight = _listed(named.graph.edges[IN].data)
    pairs = zip(*(ids.tolist() for ids in incidences(named.graph)))
    made.add_edges_from(
        (
            (NODE, named.node_names[node]),
            (HYPEREDGE, named.hyperedge_names[edge]),
            {**attributes.incidences.get(i, {}), **weight(i)},
        )
        for i, (node, edge) in enumerate(pairs)
    )
    return made


def _side(key: Name, data: Mapping[str, Any]) -> str:
    side = data.get("bipartite")
    if side not in (0, 1):
        raise ValueError(
            f"node {key!r} has bipartite={side!r}; every node needs the attribute bipartite, 0 for "
            "a node and 1 for a hyperedge"
        )
    return SIDES[int(side)]


def _name(key: Name, side: str) -> Name:
    is_pair = isinstance(key, tuple) and len(key) == 2 and key[0] == side
    return key[1] if is_pair else key  # type: ignore[index]


def _weights(
    data: Mapping[int, Mapping[str, Any]], what: str, names: Sequence[Any]
) -> list[float] | None:
    if not any("weight" in item for item in data.values()):
        return None
    weights = []
    for i, name in enumerate(names):
        given = data[i].get("weight", 1)
        try:
            weights.append(as_float32(given))
        except (TypeError, ValueError):
            weights.append(math.nan)
        if not 0 < weights[-1] < math.inf:
            raise ValueError(
                f"{what} {name!r} has weight {given!r:.60}; weights must be positive numbers, "
                f"{RANGE}"
            )
    return weights


def _rest(data: Mapping[int, Mapping[str, Any]], known: set[str]) -> dict[int, dict[str, Any]]:
    kept = {i: {k: v for k, v in item.items() if k not in known} for i, item in data.items()}
    return {i: item for i, item in kept.items() if item}


def _listed(frame: Mapping[str, Any]) -> Any:
    """Give a function from ids to the attribute ``weight``, nothing without weights."""
    if "weight" not in frame:
        return lambda i: {}
    values = frame["weight"].tolist()
    return lambda i: {"weight": values[i]}
