"""Make a hypergraph: one bipartite DGL heterograph, node and hyperedge types, two relations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

import dgl
import numpy as np
import torch
from torch import Tensor

from .._utils import check_id_count
from .ids import Ids, Weights, as_ids, as_weights, first_occurrences

NODE, HYPEREDGE = "node", "hyperedge"
IN = (NODE, "in", HYPEREDGE)
CONTAINS = (HYPEREDGE, "contains", NODE)


def hypergraph(
    hyperedges: Iterable[Iterable[int]],
    num_nodes: int | None = None,
    *,
    hyperedge_weight: Weights | None = None,
    incidence_weight: Weights | None = None,
    allow_empty: bool = False,
    idtype: torch.dtype = torch.int64,
    device: str | torch.device | None = None,
) -> dgl.DGLGraph:
    """Build a hypergraph from the members of each hyperedge.

    The result is a plain ``dgl.DGLGraph`` with the relations ``("node", "in", "hyperedge")`` and
    ``("hyperedge", "contains", "node")``. Both hold the same incidences in the same order. It
    carries ``size`` (members of a hyperedge) and ``degree`` (hyperedges of a node) as node data,
    and ``weight`` on hyperedges or on the relation ``in`` where weights are given.

    Parameters
    ----------
    hyperedges
        For each hyperedge the ids of its members. Repeated members are merged, hyperedges with
        equal members are kept. Members keep their order; those of a set are sorted.
    num_nodes
        Number of nodes; by default the largest id plus one. Nodes in no hyperedge are fine.
    hyperedge_weight
        One positive number for each hyperedge.
    incidence_weight
        One positive number for each member, all hyperedges' members one after the other.
    allow_empty
        Whether a hyperedge may have no member, as after a cut.
    idtype
        ``torch.int64`` or ``torch.int32``.
    device
        Where the graph lives; by default the CPU.

    Examples
    --------
    >>> g = hypergraph([[0, 1, 2], [2, 3]], num_nodes=5)
    >>> g.num_nodes("node"), g.num_nodes("hyperedge"), g.num_edges("in")
    (5, 2, 5)
    >>> g.nodes["hyperedge"].data["size"], g.nodes["node"].data["degree"]
    (tensor([3, 2]), tensor([1, 1, 2, 1, 0]))
    """
    if isinstance(hyperedges, (Mapping, str, bytes)) or not isinstance(hyperedges, Iterable):
        raise TypeError(
            f"hyperedges is a {type(hyperedges).__name__}; give a list with the member ids of each "
            "hyperedge, such as [[0, 1], [1, 2, 3]] (of a dict: list(d.values()))"
        )
    members = [_members(e, position, allow_empty) for position, e in enumerate(hyperedges)]
    sizes = torch.tensor([len(m) for m in members], dtype=torch.int64)
    node_ids = torch.cat(members) if members else torch.empty(0, dtype=torch.int64)
    hyperedge_ids = torch.repeat_interleave(torch.arange(len(members)), sizes)
    return hypergraph_from_incidence(
        node_ids,
        hyperedge_ids,
        num_nodes,
        len(members),
        hyperedge_weight=hyperedge_weight,
        incidence_weight=incidence_weight,
        allow_empty=allow_empty,
        idtype=idtype,
        device=device,
    )


def hypergraph_from_incidence(
    node_ids: Ids,
    hyperedge_ids: Ids,
    num_nodes: int | None = None,
    num_hyperedges: int | None = None,
    *,
    hyperedge_weight: Weights | None = None,
    incidence_weight: Weights | None = None,
    allow_empty: bool = False,
    idtype: torch.dtype = torch.int64,
    device: str | torch.device | None = None,
) -> dgl.DGLGraph:
    """Build a hypergraph from incidences: node ``node_ids[i]`` is in ``hyperedge_ids[i]``.

    Incidences keep their order; a repeated one is merged into the first. The other parameters and
    the result are those of :func:`hypergraph`.

    Examples
    --------
    >>> g = hypergraph_from_incidence([0, 1, 2, 2, 3], [0, 0, 0, 1, 1], 4, 2)
    >>> g.in_degrees(etype="in")
    tensor([3, 2])
    """
    if idtype not in (torch.int64, torch.int32):
        raise ValueError(f"idtype is {idtype}; it must be torch.int64 or torch.int32")
    nodes = as_ids(node_ids, "node", num_nodes)
    edges = as_ids(hyperedge_ids, "hyperedge", num_hyperedges)
    if len(nodes) != len(edges):
        raise ValueError(
            f"{len(nodes)} node ids and {len(edges)} hyperedge ids; an incidence is one of each, "
            "so the two must be equally long"
        )
    n, m = _count(nodes, NODE, num_nodes), _count(edges, HYPEREDGE, num_hyperedges)
    if idtype == torch.int32 and max(n, m) > 2**31 - 1:
        raise ValueError(f"{max(n, m)} ids do not fit into torch.int32; use torch.int64")
    require_room(n, m)
    sizes = torch.bincount(edges, minlength=m)
    if m and not allow_empty and int(sizes.min()) == 0:
        raise ValueError(
            f"hyperedge {int(sizes.argmin())} is empty; a hyperedge needs at least one member, so "
            "leave it out, number the hyperedges without a gap, or say allow_empty=True"
        )
    weight = as_weights(incidence_weight, len(nodes), "incidence_weight", "incidence")
    keep = first_occurrences(nodes, edges, n)
    if len(keep) < len(nodes):
        if weight is not None:
            raise ValueError(
                "an incidence is repeated and weighted, so its weight is ambiguous: "
                f"{_first_repeated(nodes, edges, keep)}; add the weights up and list it once"
            )
        nodes, edges = nodes[keep], edges[keep]
    graph = assemble(nodes, edges, n, m, idtype)
    if weight is not None:
        graph.edges[IN].data["weight"] = weight
    hyperedge_weights = as_weights(hyperedge_weight, m, "hyperedge_weight", "hyperedge")
    if hyperedge_weights is not None:
        graph.nodes[HYPEREDGE].data["weight"] = hyperedge_weights
    return graph if device is None else graph.to(device)


def assemble(
    nodes: Tensor, edges: Tensor, num_nodes: int, num_hyperedges: int, idtype: torch.dtype
) -> dgl.DGLGraph:
    """Build the heterograph of checked, unrepeated incidences, with its sizes and degrees."""
    nodes, edges = nodes.to(idtype), edges.to(idtype)
    graph = dgl.heterograph(
        {IN: (nodes, edges), CONTAINS: (edges, nodes)},
        num_nodes_dict={NODE: num_nodes, HYPEREDGE: num_hyperedges},
        idtype=idtype,
    )
    graph.nodes[HYPEREDGE].data["size"] = graph.in_degrees(etype=IN).long()
    graph.nodes[NODE].data["degree"] = graph.in_degrees(etype=CONTAINS).long()
    return graph


def _count(ids: Tensor, what: str, given: int | None) -> int:
    """The given count, or the largest id plus one if so few incidences may stand for so many."""
    if given is not None or len(ids) == 0:
        return int(given or 0)
    count = int(ids.max()) + 1
    check_id_count(count, len(ids), what, cure=f"num_{what}s={count}")
    return count


def require_room(num_nodes: int, num_hyperedges: int) -> None:
    """Refuse counts whose degrees and sizes alone would not fit into memory."""
    try:
        # Not written to, so this takes no time.
        torch.empty(8 * (num_nodes + num_hyperedges), dtype=torch.int64)
    except (MemoryError, OverflowError, RuntimeError, TypeError):
        raise ValueError(
            f"{num_nodes:,} nodes and {num_hyperedges:,} hyperedges take more memory than there "
            "is; number them without gaps"
        ) from None


def _members(hyperedge: Any, position: int, allow_empty: bool) -> Tensor:
    if isinstance(hyperedge, (str, bytes)) or not isinstance(hyperedge, (Iterable, Tensor)):
        raise TypeError(f"hyperedge {position} is {hyperedge!r:.60}; it must be a list of node ids")
    listed = hyperedge if isinstance(hyperedge, (Tensor, np.ndarray)) else list(hyperedge)
    try:
        # A set has no order of its own: sorted, the same set always gives the same graph.
        if isinstance(hyperedge, Set):
            listed = sorted(listed)
        ids = as_ids(listed, "node")
    except (TypeError, ValueError) as error:
        raise type(error)(f"hyperedge {position}: {error}") from None
    if len(ids) == 0 and not allow_empty:
        raise ValueError(
            f"hyperedge {position} is empty; a hyperedge needs at least one member, so leave it "
            "out, or say allow_empty=True"
        )
    return ids


def _first_repeated(nodes: Tensor, edges: Tensor, keep: Tensor) -> str:
    is_repeated = torch.ones(len(nodes), dtype=torch.bool)
    is_repeated[keep] = False
    position = int(is_repeated.nonzero()[0])
    return f"node {int(nodes[position])} in hyperedge {int(edges[position])}"
