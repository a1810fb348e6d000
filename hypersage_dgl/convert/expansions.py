"""A hypergraph as a graph: clique and star expansion, and networkx's bipartite graph."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import dgl
import networkx as nx
import numpy as np
import torch
from scipy import sparse

from .._utils import RANGE, as_float32
from ..hypergraphs import DERIVED, HYPEREDGE, IN, NODE, hypergraph_from_incidence, incidences
from .arrays import to_scipy
from .named import Attributes, Hypergraph, Named, as_named
from .names import Name, Numbering
from .node_data import node_attributes


def clique_expansion(graph: Hypergraph, weighted: bool = False) -> dgl.DGLGraph:
    """Join every two nodes that share a hyperedge, in both directions.

    The result has up to Σ|e|(|e| - 1) edges: a hyperedge of 10,000 members alone gives 100
    million. It has the node data of ``graph`` except ``degree``. If ``weighted``, the edge data
    ``weight`` tells how much two nodes have in common, H W Hᵀ: the number of common hyperedges or,
    with weights, Σ_e w_e a_ue a_ve over them.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> g = clique_expansion(hypergraph([[0, 1, 2], [1, 2]], num_nodes=4), weighted=True)
    >>> g.edges()
    (tensor([0, 0, 1, 1, 2, 2]), tensor([1, 2, 0, 2, 0, 1]))
    >>> g.edata["weight"]
    tensor([1., 1., 1., 2., 1., 2.])
    """
    graph = as_named(graph).graph
    incidence = to_scipy(graph).astype(np.float64)
    hyperedge_weight = graph.nodes[HYPEREDGE].data.get("weight")
    scaled = incidence
    if hyperedge_weight is not None:
        scaled = incidence @ sparse.diags(hyperedge_weight.double().cpu().numpy())
    common = (scaled @ incidence.T).tocsr()
    common.sort_indices()
    common = common.tocoo()
    apart = common.row != common.col
    ends = [torch.from_numpy(ids[apart].astype(np.int64)) for ids in (common.row, common.col)]
    expansion = _homogeneous(graph, ends, graph.num_nodes(NODE))
    if weighted:
        weight = torch.from_numpy(common.data[apart]).float()
        expansion.edata["weight"] = weight.to(graph.device)
    for key, values in graph.nodes[NODE].data.items():
        if key not in DERIVED[NODE]:
            expansion.ndata[key] = values
    return expansion


def star_expansion(graph: Hypergraph) -> dgl.DGLGraph:
    """Turn every hyperedge into a node that is joined to its members.

    Returns
    -------
    dgl.DGLGraph
        Homogeneous. The nodes keep their ids, hyperedge ``e`` becomes node ``num_nodes + e``; the
        node data ``is_hyperedge`` tell them apart. First come all edges from members to
        hyperedges in the order of the incidences, then all edges back. Incidence weights are the
        edge data ``weight``, hyperedge weights the node data ``weight`` (1 on nodes), each only
        where the hypergraph has them. Features stay behind, as hyperedges have none.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> g = star_expansion(hypergraph([[0, 1], [1]]))
    >>> g.edges()
    (tensor([0, 1, 1, 2, 2, 3]), tensor([2, 2, 3, 0, 1, 1]))
    >>> g.ndata["is_hyperedge"]
    tensor([False, False,  True,  True])
    """
    graph = as_named(graph).graph
    n, m = graph.num_nodes(NODE), graph.num_nodes(HYPEREDGE)
    nodes, edges = (ids.cpu() for ids in incidences(graph))
    ends = [torch.cat((nodes, edges + n)), torch.cat((edges + n, nodes))]
    expansion = _homogeneous(graph, ends, n + m)
    expansion.ndata["is_hyperedge"] = (torch.arange(n + m) >= n).to(graph.device)
    if "weight" in graph.edges[IN].data:
        expansion.edata["weight"] = graph.edges[IN].data["weight"].repeat(2)
    if "weight" in graph.nodes[HYPEREDGE].data:
        weight = graph.nodes[HYPEREDGE].data["weight"]
        expansion.ndata["weight"] = torch.cat((weight.new_ones(n), weight))
    return expansion


def _homogeneous(graph: dgl.DGLGraph, ends: list[torch.Tensor], num_nodes: int) -> dgl.DGLGraph:
    made = dgl.graph((ends[0], ends[1]), num_nodes=num_nodes, idtype=graph.idtype)
    return made.to(graph.device)


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
    weight = _weights_of(named.graph.nodes[HYPEREDGE].data, len(named.hyperedge_names))
    made.add_nodes_from(
        ((HYPEREDGE, name), {**attributes.hyperedges.get(i, {}), **weight[i], "bipartite": 1})
        for i, name in enumerate(named.hyperedge_names)
    )
    weight = _weights_of(named.graph.edges[IN].data, named.graph.num_edges(IN))
    pairs = zip(*(ids.tolist() for ids in incidences(named.graph)))
    made.add_edges_from(
        (
            (NODE, named.node_names[node]),
            (HYPEREDGE, named.hyperedge_names[edge]),
            {**attributes.incidences.get(i, {}), **weight[i]},
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


def _weights_of(frame: Mapping[str, Any], count: int) -> list[dict[str, float]]:
    """The attribute ``weight`` of each, nothing without weights."""
    return [{"weight": w} for w in frame["weight"].tolist()] if "weight" in frame else [{}] * count
