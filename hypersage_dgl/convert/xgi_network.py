"""XGI hypergraphs; the package xgi is needed only when these functions are called."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from .hif import from_hif_dict, to_hif_dict
from .named import Hypergraph, Named, as_named, refuse_weights


def from_xgi(network: Any) -> Named:
    """Build a hypergraph from an XGI ``Hypergraph``, ``DiHypergraph`` or ``SimplicialComplex``.

    Nodes and edges keep their order, names (strings or integers) and attributes; the
    attribute ``weight`` is the weight. Directed ones and simplicial complexes are read as
    :func:`from_hif_dict` reads them; XGI lists all simplices, so all become hyperedges.

    Examples
    --------
    >>> import xgi
    >>> from_xgi(xgi.Hypergraph([["a", "b"], ["b", "c", "d"]]))
    Named(4 nodes, 2 hyperedges, 5 incidences)
    """
    xgi = _xgi()
    if not isinstance(network, (xgi.Hypergraph, xgi.DiHypergraph)):
        raise TypeError(f"expected an XGI hypergraph, got {type(network).__name__}")
    document = dict(xgi.to_hif_dict(network))
    # XGI walks over sets, so the order of its records changes from run to run.
    document["nodes"] = [{"node": n, "attrs": dict(network.nodes[n])} for n in network.nodes]
    document["edges"] = [{"edge": e, "attrs": dict(network.edges[e])} for e in network.edges]
    node_position = {name: position for position, name in enumerate(network.nodes)}
    edge_position = {name: position for position, name in enumerate(network.edges)}
    document["incidences"] = sorted(
        (dict(record) for record in document.get("incidences", ())),
        key=lambda record: (edge_position[record["edge"]], node_position[record["node"]]),
    )
    return from_hif_dict(_plain(document))


def to_xgi(graph: Hypergraph) -> Any:
    """Give an ``xgi.Hypergraph``, or an ``xgi.DiHypergraph`` if the network type is directed.

    Nodes and hyperedges keep order, names and attributes, weights become the attribute
    ``weight``. A simplicial complex becomes a ``Hypergraph`` of its listed simplices. XGI has no
    attributes of incidences, so those stay behind, and incidence weights raise ``ValueError``.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> to_xgi(hypergraph([[0, 1], [1, 2]])).edges.members()
    [{0, 1}, {1, 2}]
    """
    xgi = _xgi()
    named = as_named(graph)
    refuse_weights(named.graph, "incidence", "XGI")
    document = to_hif_dict(named)
    is_directed = document["network-type"] == "directed"
    made = xgi.DiHypergraph() if is_directed else xgi.Hypergraph()
    for key, value in document["metadata"].items():
        made[key] = value
    made.add_nodes_from([record["node"] for record in document["nodes"]])
    made.set_node_attributes({r["node"]: r["attrs"] for r in document["nodes"] if "attrs" in r})
    members: dict[Any, tuple[list[Any], list[Any]]] = {
        record["edge"]: ([], []) for record in document["edges"]
    }
    for record in document["incidences"]:
        tail, head = members[record["edge"]]
        if is_directed and "direction" not in record:
            raise ValueError(
                f"node {record['node']!r} in hyperedge {record['edge']!r} is neither tail nor "
                "head, but the network is directed; give every incidence a direction (data "
                "'direction' of the relation 'in'), or make network_type 'undirected'"
            )
        (head if record.get("direction") == "head" else tail).append(record["node"])
    for name, (tail, head) in members.items():
        made.add_edge((tail, head) if is_directed else tail + head, idx=name)
    made.set_edge_attributes({r["edge"]: r["attrs"] for r in document["edges"] if "attrs" in r})
    return made


def _plain(value: Any) -> Any:
    """Turn numpy's numbers into Python's own, wherever they are in lists and dicts."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {_plain(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _xgi() -> ModuleType:
    try:
        import xgi
    except ImportError:
        raise ImportError(
            "XGI is not installed; get it with: pip install 'hypersage-dgl[xgi]'"
        ) from None
    module: ModuleType = xgi
    return module
