"""A hypergraph as an ordinary graph: clique and star expansion, for models of graphs."""

from __future__ import annotations

import dgl
import numpy as np
import torch
from scipy import sparse

from ..hypergraphs import DERIVED, HYPEREDGE, IN, NODE, incidences
from .arrays import to_scipy
from .named import Hypergraph, as_named


def clique_expansion(graph: Hypergraph, weighted: bool = False) -> dgl.DGLGraph:
    """Join every two nodes that share a hyperedge.

    The result has up to Σ|e|(|e| - 1) edges: a hyperedge of 10,000 members alone gives 100
    million.

    Parameters
    ----------
    graph
        A hypergraph, or a :class:`Named`.
    weighted
        Store as edge data ``weight`` how much the two have in common, H W Hᵀ: the number of
        common hyperedges or, with weights, Σ_e w_e a_ue a_ve over them.

    Returns
    -------
    dgl.DGLGraph
        Homogeneous, both directions of each edge, no self-loops, with the node data of ``graph``
        except ``degree``.

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
