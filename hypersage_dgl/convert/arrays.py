"""Index arrays: PyG's ``hyperedge_index`` and scipy's incidence matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from scipy import sparse
from torch import Tensor

from .._utils import check_id_count, check_matrix
from ..hypergraphs import HYPEREDGE, IN, NODE, Weights, hypergraph_from_incidence, incidences
from .named import Hypergraph, Named, as_named
from .weights import float32, refuse_nonpositive


def from_coo(
    hyperedge_index: Tensor | np.ndarray[Any, Any],
    num_nodes: int | None = None,
    num_hyperedges: int | None = None,
    *,
    hyperedge_weight: Weights | None = None,
    incidence_weight: Weights | None = None,
) -> Named:
    """Build a hypergraph from PyG's ``hyperedge_index``.

    Parameters
    ----------
    hyperedge_index
        2 × incidences, integers: node ids above, hyperedge ids below.
    num_nodes
        Number of nodes; by default the largest id plus one, so the last nodes may get lost if
        they are isolated.
    num_hyperedges
        Number of hyperedges. If given, hyperedges that do not occur are empty ones; by default a
        gap in the ids is an error.
    hyperedge_weight, incidence_weight
        One for each hyperedge; one for each column of ``hyperedge_index``.

    Examples
    --------
    >>> named = from_coo(torch.tensor([[0, 1, 2, 2], [0, 0, 0, 1]]))
    >>> named.graph.nodes["hyperedge"].data["size"]
    tensor([3, 1])
    """
    shape = tuple(getattr(hyperedge_index, "shape", ()))
    if len(shape) != 2 or shape[0] != 2:
        raise ValueError(
            f"hyperedge_index has shape {shape or type(hyperedge_index).__name__}; it must be a "
            "tensor or array of 2 x incidences, node ids above and hyperedge ids below"
        )
    nodes, edges = hyperedge_index[0], hyperedge_index[1]
    graph = hypergraph_from_incidence(
        nodes,
        edges,
        num_nodes,
        num_hyperedges,
        hyperedge_weight=hyperedge_weight,
        incidence_weight=float32(incidence_weight),
        allow_empty=num_hyperedges is not None,
    )
    return Named(graph)


def to_coo(graph: Hypergraph) -> Tensor:
    """Give PyG's ``hyperedge_index``: 2 × incidences, int64.

    Isolated nodes and empty hyperedges do not show: pass ``num_nodes`` and ``num_edges`` on. The
    weights are ``graph.nodes["hyperedge"].data["weight"]`` and
    ``graph.edges["in"].data["weight"]``, in the same order.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> to_coo(hypergraph([[0, 1, 2], [2]]))
    tensor([[0, 1, 2, 2],
            [0, 0, 0, 1]])
    """
    graph = as_named(graph).graph
    return torch.stack(incidences(graph))


def from_scipy(
    matrix: Any, *, hyperedge_weight: Weights | None = None, id_factor: int | None = None
) -> Named:
    """Build a hypergraph from its sparse incidence matrix, nodes × hyperedges.

    Entries that are not all 1 become incidence weights (float32) and must then be positive.
    Stored zeros are not incidences; repeated entries add up, as everywhere in scipy. Empty rows
    are isolated nodes, empty columns empty hyperedges.

    Parameters
    ----------
    matrix
        A sparse matrix or array of scipy, in any form.
    hyperedge_weight
        One for each column.
    id_factor
        How many rows or columns there may be for one entry once there are more than 10 million;
        by default 1,000.

    Examples
    --------
    >>> from scipy import sparse
    >>> named = from_scipy(sparse.csr_matrix([[1, 0], [1, 2], [0, 1]]))
    >>> named.graph.edges["in"].data["weight"]
    tensor([1., 1., 2., 1.])
    """
    if not sparse.issparse(matrix) or len(matrix.shape) != 2:
        raise TypeError(
            f"the incidence matrix is a {type(matrix).__name__}; give a scipy sparse matrix of "
            "nodes x hyperedges (of a dense one: scipy.sparse.csr_matrix(array))"
        )
    # scipy itself follows a wrong index out of its memory.
    check_matrix(matrix, "the incidence matrix")
    for size, what in zip(matrix.shape, (NODE, HYPEREDGE)):
        check_id_count(size, matrix.nnz, what, id_factor)
    if matrix.dtype.kind not in "biuf":
        raise TypeError(
            f"the incidence matrix holds {matrix.dtype}; entries are incidence weights, so they "
            "must be real numbers: matrix.astype(float)"
        )
    if matrix.format not in ("csr", "csc", "bsr", "coo"):
        matrix = matrix.tocsr()
        check_matrix(matrix, "the incidence matrix")
    columns = sparse.csc_matrix(matrix, copy=True)
    columns.sum_duplicates()
    columns.eliminate_zeros()
    nodes = columns.indices.astype(np.int64)
    edges = np.repeat(np.arange(columns.shape[1]), np.diff(columns.indptr))
    values = columns.data.astype(np.float64)
    wrong = np.flatnonzero(~((values > 0) & np.isfinite(values)))
    if len(wrong):
        row, column = int(nodes[wrong[0]]), int(edges[wrong[0]])
        raise ValueError(
            f"entry ({row}, {column}) of the incidence matrix is {columns.data[wrong[0]]}; entries "
            "are incidence weights, so they must be positive and finite"
        )
    is_weighted = bool((values != 1).any())
    graph = hypergraph_from_incidence(
        nodes,
        edges,
        columns.shape[0],
        columns.shape[1],
        hyperedge_weight=hyperedge_weight,
        incidence_weight=float32(values) if is_weighted else None,
        allow_empty=True,
    )
    return Named(graph)


def to_scipy(graph: Hypergraph) -> sparse.csr_matrix:
    """Give the incidence matrix, nodes × hyperedges, float32 CSR.

    Entries are the incidence weights, 1 without any. Hyperedge weights are not in it: see
    ``graph.nodes["hyperedge"].data["weight"]``.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> to_scipy(hypergraph([[0, 1], [1]], num_nodes=3)).toarray()
    array([[1., 0.],
           [1., 1.],
           [0., 0.]], dtype=float32)
    """
    graph = as_named(graph).graph
    # A stored zero is no incidence.
    refuse_nonpositive(graph, "an incidence matrix")
    nodes, edges = (ids.cpu().numpy() for ids in incidences(graph))
    weight = graph.edges[IN].data.get("weight", torch.ones(len(nodes)))
    shape = (graph.num_nodes(NODE), graph.num_nodes(HYPEREDGE))
    return sparse.csr_matrix((weight.float().cpu().numpy(), (nodes, edges)), shape=shape)
