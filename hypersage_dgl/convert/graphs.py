"""Ordinary graphs as 2-uniform hypergraphs, and back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import dgl
import networkx as nx
import numpy as np
import torch
from torch import Tensor

from ..hypergraphs import DERIVED, HYPEREDGE, NODE, hypergraph_from_incidence, incidences
from .named import Attributes, Hypergraph, Named, as_named, refuse_weights
from .node_data import node_attributes


def from_graph(graph: dgl.DGLGraph | nx.Graph) -> Named:
    """Turn a graph into the hypergraph whose hyperedges are its edges.

    Direction does not count: all edges between two nodes, back, forth and parallel, are one
    hyperedge of two members, in the order in which they first occur. Edge weights (edge data or
    attribute ``weight``, 1 where missing) become hyperedge weights. Other edge data stay behind.

    Parameters
    ----------
    graph
        A homogeneous ``dgl.DGLGraph``, whose node data are kept, or a networkx graph, whose nodes
        become the node names and whose node attributes are kept as attributes. Node data
        ``degree``, which a hypergraph counts itself, is refused.

    Raises
    ------
    ValueError
        If there is a self-loop, or if edges between the same two nodes differ in weight.

    Examples
    --------
    >>> import networkx as nx
    >>> named = from_graph(nx.Graph([("a", "b"), ("b", "c")]))
    >>> named.node_names, named.graph.nodes["hyperedge"].data["size"]
    (('a', 'b', 'c'), tensor([2, 2]))
    """
    if isinstance(graph, nx.Graph):
        return _from_networkx(graph)
    if not isinstance(graph, dgl.DGLGraph) or not graph.is_homogeneous:
        raise TypeError(
            f"expected a homogeneous dgl.DGLGraph or a networkx graph, got {graph!r:.80}; a "
            "hypergraph becomes one by clique_expansion or star_expansion"
        )
    counted = sorted(DERIVED[NODE] & set(graph.ndata))
    if counted:
        raise ValueError(
            f"the graph has the node data {counted}, which a hypergraph counts itself; rename "
            "them, or drop them: graph.ndata.pop"
        )
    ends = [ids.long().cpu() for ids in graph.edges(order="eid")]
    names = range(graph.num_nodes())
    made = _two_uniform(ends[0], ends[1], graph.edata.get("weight"), names)
    made = made.astype(graph.idtype).to(graph.device)
    for key, values in graph.ndata.items():
        made.nodes[NODE].data[key] = values
    return Named(made)


def to_graph(graph: Hypergraph) -> dgl.DGLGraph:
    """Turn a hypergraph whose hyperedges all have two members into a homogeneous graph.

    Returns
    -------
    dgl.DGLGraph
        First one direction of every edge, in the order of the hyperedges, then the other. It has
        the node data, and the hyperedge weights as edge data ``weight``. Equal hyperedges become
        parallel edges.

    Raises
    ------
    ValueError
        If a hyperedge has more or fewer members (then see :func:`clique_expansion`), or if there
        are incidence weights, which a graph cannot hold.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> to_graph(hypergraph([[0, 1], [1, 2]])).edges()
    (tensor([0, 1, 1, 2]), tensor([1, 2, 0, 1]))
    """
    hypergraph = as_named(graph).graph
    pairs = _pairs(hypergraph)
    made = dgl.graph(
        (torch.cat((pairs[:, 0], pairs[:, 1])), torch.cat((pairs[:, 1], pairs[:, 0]))),
        num_nodes=hypergraph.num_nodes(NODE),
        idtype=hypergraph.idtype,
    ).to(hypergraph.device)
    for key, values in hypergraph.nodes[NODE].data.items():
        if key not in DERIVED[NODE]:
            made.ndata[key] = values
    if "weight" in hypergraph.nodes[HYPEREDGE].data:
        made.edata["weight"] = hypergraph.nodes[HYPEREDGE].data["weight"].repeat(2)
    return made


def to_networkx_graph(graph: Hypergraph) -> nx.Graph:
    """Turn a hypergraph whose hyperedges all have two members into a networkx graph.

    Nodes are the names, with their attributes; edges have the hyperedge weights as ``weight``.
    Equal hyperedges, which a networkx ``Graph`` cannot hold, and whatever :func:`to_graph`
    refuses, raise ``ValueError``.

    Examples
    --------
    >>> import networkx as nx
    >>> to_networkx_graph(from_graph(nx.Graph([("a", "b"), ("b", "c")]))).edges
    EdgeView([('a', 'b'), ('b', 'c')])
    """
    named = as_named(graph)
    names = named.node_names
    made = nx.Graph()
    made.graph.update(named.attributes.network)
    nodes = node_attributes(named)
    made.add_nodes_from((name, nodes.get(i, {})) for i, name in enumerate(names))
    weight = named.graph.nodes[HYPEREDGE].data.get("weight")
    for position, (u, v) in enumerate(_pairs(named.graph).tolist()):
        if made.has_edge(names[u], names[v]):
            raise ValueError(
                f"hyperedge {named.hyperedge_names[position]!r} has the same members as an earlier "
                "one, and networkx.Graph holds an edge once; remove it with remove_hyperedges"
            )
        data = {} if weight is None else {"weight": float(weight[position])}
        made.add_edges_from([(names[u], names[v], data)])
    return made


def _from_networkx(graph: nx.Graph) -> Named:
    names = tuple(graph.nodes)
    ids = {name: position for position, name in enumerate(names)}
    found = list(graph.edges(data="weight"))
    ends = [torch.tensor([ids[e[k]] for e in found], dtype=torch.int64) for k in (0, 1)]
    weight = None
    if any(w is not None for _, _, w in found):
        weight = torch.tensor([_edge_weight(*edge) for edge in found])
    attributes = {ids[name]: dict(data) for name, data in graph.nodes(data=True) if data}
    return Named(
        _two_uniform(ends[0], ends[1], weight, names),
        names,
        attributes=Attributes(network=dict(graph.graph), nodes=attributes),
    )


def _edge_weight(u: Any, v: Any, weight: Any) -> float:
    try:
        return 1.0 if weight is None else float(weight)
    except OverflowError:
        # An integer beyond every float; refused with its place as any other infinite weight.
        return math.inf
    except (TypeError, ValueError):
        raise ValueError(
            f"the weight of the edge ({u!r:.40}, {v!r:.40}) is {weight!r:.40}; weights must be "
            "positive numbers"
        ) from None


def _two_uniform(
    tails: Tensor, heads: Tensor, weight: Tensor | None, names: Sequence[Any]
) -> dgl.DGLGraph:
    loops = (tails == heads).nonzero().flatten()
    if len(loops):
        raise ValueError(
            f"node {names[int(tails[loops[0]])]!r} has a self-loop, and a hyperedge of a "
            "2-uniform hypergraph has two members; remove it first (dgl.remove_self_loop or "
            "graph.remove_edges_from(networkx.selfloop_edges(graph)))"
        )
    n = len(names)
    keys = (torch.minimum(tails, heads) * n + torch.maximum(tails, heads)).numpy()
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    order = np.sort(first)
    if weight is not None:
        weight = weight.detach().cpu()
        same = weight[torch.from_numpy(first[group.ravel()])]
        differs = (~torch.isclose(weight, same, rtol=0, atol=0, equal_nan=True)).nonzero()
        if len(differs):
            at = int(differs[0, 0])
            raise ValueError(
                f"the edges between {names[int(tails[at])]!r} and {names[int(heads[at])]!r} differ "
                "in weight, but they are one hyperedge; give them one weight"
            )
        weight = weight[torch.from_numpy(order)].float()
    members = torch.stack((tails, heads), dim=1)[torch.from_numpy(order)]
    edges = torch.arange(len(order)).repeat_interleave(2)
    return hypergraph_from_incidence(
        members.flatten(), edges, n, len(order), hyperedge_weight=weight
    )


def _pairs(graph: dgl.DGLGraph) -> Tensor:
    """Give both members of every hyperedge, hyperedges × 2."""
    refuse_weights(graph, "incidence", "a graph")
    nodes, edges = (ids.cpu() for ids in incidences(graph))
    sizes = torch.bincount(edges, minlength=graph.num_nodes(HYPEREDGE))
    wrong = (sizes != 2).nonzero().flatten()
    if len(wrong):
        raise ValueError(
            f"hyperedge {int(wrong[0])} has {int(sizes[wrong[0]])} members, an edge of a graph has "
            "two; clique_expansion and star_expansion take hyperedges of any size"
        )
    return nodes[torch.argsort(edges, stable=True)].reshape(-1, 2)
