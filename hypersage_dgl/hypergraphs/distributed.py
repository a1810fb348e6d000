"""A hypergraph in parts, a ``dgl.distributed.DistGraph``: its counts are stored and fetched by id.

Blocks of a part carry ids alone, and nobody can count a node's hyperedges in all parts at once. So
:func:`hypersage_dgl.data.partition` stores |e|, |E(v)| and |N(v)| with the nodes.
"""

from __future__ import annotations

from typing import Any

import dgl
from torch import Tensor

from .blocks import TRUE_DEGREE, TRUE_SIZE
from .build import CONTAINS, HYPEREDGE, IN, NODE
from .neighbors import NUM_NEIGHBORS

# |N(v)| with v itself, and without.
WITH_SELF, WITHOUT_SELF = "num_neighbors", "num_others"
CURE = "write its parts with hypersage_dgl.data.partition"


def is_distributed(graph: Any) -> bool:
    """Whether this is a graph in parts, which servers hold.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> is_distributed(hypergraph([[0, 1]]))
    False
    """
    return isinstance(graph, dgl.distributed.DistGraph)


def check_stored(graph: Any) -> None:
    """Refuse parts of another kind of graph, and those without the counts of a hypergraph."""
    if set(graph.canonical_etypes) != {IN, CONTAINS}:
        raise ValueError(
            f"the DistGraph has the relations {graph.canonical_etypes}, a hypergraph has exactly "
            f"{IN} and {CONTAINS}; {CURE}"
        )
    for ntype, key in ((HYPEREDGE, "size"), (NODE, "degree")):
        if key not in graph.nodes[ntype].data:
            raise ValueError(f"the DistGraph stores no {key!r} of its {ntype}s; {CURE}")


def stored_neighbors(graph: Any, include_self: bool) -> Any:
    """|N(v)| of a graph in parts, a ``DistTensor`` that is read by ids."""
    key = WITH_SELF if include_self else WITHOUT_SELF
    if key not in graph.nodes[NODE].data:
        raise ValueError(f"the DistGraph stores no {key!r} of its nodes; {CURE}")
    return graph.nodes[NODE].data[key]


def attach_stored(
    graph: Any, pair: tuple[dgl.DGLGraph, dgl.DGLGraph], neighbors: Any = None
) -> None:
    """Give the blocks of a layer the stored counts, weights and features of hyperedges."""
    first, second = pair
    of_nodes, of_hyperedges = graph.nodes[NODE].data, graph.nodes[HYPEREDGE].data
    members, nodes = first.srcnodes[NODE].data, second.dstnodes[NODE].data
    nodes[TRUE_DEGREE] = _fetched(of_nodes["degree"], nodes[dgl.NID])
    fetched = [(second.srcnodes, "size", TRUE_SIZE), (second.srcnodes, "weight", "weight")]
    for frames, stored, key in (*fetched, (first.dstnodes, "feat", "feat")):
        if stored in of_hyperedges:
            data = frames[HYPEREDGE].data
            data[key] = _fetched(of_hyperedges[stored], data[dgl.NID])
    of_incidences = graph.edges["in"].data
    for key in ("weight", "role", "direction"):
        if key in of_incidences and first.num_edges(IN):
            data = first.edges[IN].data
            data[key] = _fetched(of_incidences[key], data[dgl.EID])
    if neighbors is not None:
        members[TRUE_DEGREE] = _fetched(of_nodes["degree"], members[dgl.NID])
        for frame in (members, nodes):
            frame[NUM_NEIGHBORS] = _fetched(neighbors, frame[dgl.NID])


def _fetched(stored: Any, ids: Tensor) -> Tensor:
    """Rows by ids, from wherever they are; a store cannot be asked for none."""
    rows: Tensor = stored[ids] if len(ids) else stored[ids.new_zeros(1)][:0]
    return rows.to(ids.device)
