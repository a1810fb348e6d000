"""Lists and arrays in memory: members of hyperedges, PyG's ``hyperedge_index``, scipy's matrix."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

import numpy as np
import torch
from scipy import sparse
from torch import Tensor

from .._utils import check_id_count, check_matrix
from ..hypergraphs import HYPEREDGE, IN, NODE, Weights, hypergraph_from_incidence, incidences
from .named import Hypergraph, Named, as_named, refuse_nonpositive
from .names import Name, Numbering, plain_names

Members = Iterable[Name]


def from_hyperedges(
    hyperedges: Mapping[Name, Members] | Iterable[Members],
    node_names: Iterable[Name] | None = None,
    *,
    hyperedge_weight: Weights | None = None,
    incidence_weight: Weights | None = None,
) -> Named:
    """Build a hypergraph from the names of members; of ids :func:`hypersage_dgl.hypergraph` does.

    Parameters
    ----------
    hyperedges
        Names of hyperedges and their members, or a list of member lists, whose positions are the
        names. Repeated members are merged, those of a set sorted. A hyperedge may be empty.
    node_names
        All nodes, isolated ones included, in the order of their ids; by default those that occur,
        in the order in which they do.
    hyperedge_weight, incidence_weight
        As in :func:`hypersage_dgl.hypergraph`.

    Examples
    --------
    >>> named = from_hyperedges({"paper": ["ann", "bob"], "talk": ["bob", "cy"]})
    >>> named.node_names, named.hyperedge_names
    (('ann', 'bob', 'cy'), ('paper', 'talk'))
    """
    if isinstance(hyperedges, (str, bytes)) or not isinstance(hyperedges, Iterable):
        raise TypeError(
            f"hyperedges is {hyperedges!r:.60}; give a mapping from hyperedge names to members, or "
            "a list of member lists"
        )
    named = hyperedges if isinstance(hyperedges, Mapping) else dict(enumerate(hyperedges))
    numbering = Numbering("node", node_names)
    nodes, edges = list[int](), list[int]()
    for i, (name, members) in enumerate(named.items()):
        listed = _listed(name, members)
        try:
            nodes.extend([numbering[member] for member in listed])
        except (TypeError, ValueError) as error:
            raise type(error)(f"hyperedge {name!r}: {error}") from None
        edges.extend([i] * len(listed))
    graph = hypergraph_from_incidence(
        torch.tensor(nodes, dtype=torch.int64),
        torch.tensor(edges, dtype=torch.int64),
        len(numbering),
        len(named),
        hyperedge_weight=hyperedge_weight,
        incidence_weight=_float32(incidence_weight),
        allow_empty=True,
    )
    return Named(graph, numbering.names, tuple(named))


def to_hyperedges(graph: Hypergraph) -> list[list[Name]]:
    """List the members of each hyperedge: names of a :class:`Named`, else ids.

    Nodes in no hyperedge do not show; weights stay in the graph.

    Examples
    --------
    >>> named = from_hyperedges({"paper": ["ann", "bob"], "talk": ["bob", "cy"]})
    >>> dict(zip(named.hyperedge_names, to_hyperedges(named)))
    {'paper': ['ann', 'bob'], 'talk': ['bob', 'cy']}
    """
    named = as_named(graph)
    members: list[list[Name]] = [[] for _ in range(named.graph.num_nodes(HYPEREDGE))]
    for node, edge in zip(*(ids.tolist() for ids in incidences(named.graph))):
        members[edge].append(named.node_names[node])
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
    num_nodes, num_hyperedges
        By default the largest ids plus one: the last nodes get lost if they are isolated, and a
        gap among the hyperedges is an error. Where their number is given, they are empty ones.
    hyperedge_weight, incidence_weight
        One for each hyperedge; one for each column of ``hyperedge_index``.

    Examples
    --------
    >>> from_coo(torch.tensor([[0, 1, 2, 2], [0, 0, 0, 1]])).graph.in_degrees(etype="in")
    tensor([3, 1])
    """
    shape = tuple(getattr(hyperedge_index, "shape", ()))
    if len(shape) != 2 or shape[0] != 2:
        raise ValueError(
            f"hyperedge_index has shape {shape or type(hyperedge_index).__name__}; it must be a "
            "tensor or array of 2 x incidences, node ids above and hyperedge ids below"
        )
    graph = hypergraph_from_incidence(
        hyperedge_index[0],
        hyperedge_index[1],
        num_nodes,
        num_hyperedges,
        hyperedge_weight=hyperedge_weight,
        incidence_weight=_float32(incidence_weight),
        allow_empty=num_hyperedges is not None,
    )
    return Named(graph)


def to_coo(graph: Hypergraph) -> Tensor:
    """Give PyG's ``hyperedge_index``: 2 × incidences, int64.

    Isolated nodes and empty hyperedges do not show: pass ``num_nodes`` and ``num_edges`` on.
    Weights are data of the graph, in the same order.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> to_coo(hypergraph([[0, 1, 2], [2]]))
    tensor([[0, 1, 2, 2],
            [0, 0, 0, 1]])
    """
    return torch.stack(incidences(as_named(graph).graph))


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
    hyperedge_weight, id_factor
        One for each column, and as in :func:`hypersage_dgl.data.load`.

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
    graph = hypergraph_from_incidence(
        nodes,
        edges,
        *columns.shape,
        hyperedge_weight=hyperedge_weight,
        incidence_weight=_float32(values) if (values != 1).any() else None,
        allow_empty=True,
    )
    return Named(graph)


def to_scipy(graph: Hypergraph) -> sparse.csr_matrix:
    """Give the incidence matrix, nodes × hyperedges, float32 CSR.

    Entries are the incidence weights, 1 without any. Hyperedge weights are not in it.

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


def _float32(weights: Weights | None) -> Tensor | None:
    """Weights as float32: they meet float32 features in the layers, and DGL does not mix types."""
    return None if weights is None else torch.as_tensor(weights).detach().cpu().float()
