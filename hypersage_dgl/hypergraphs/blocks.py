"""Cut exact blocks out of a hypergraph, the same ones in every process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import dgl
import torch
from torch import Tensor

from .build import CONTAINS, HYPEREDGE, IN, NODE
from .neighbors import NUM_NEIGHBORS

# Names under which blocks carry the counts of the graph that they were cut from. Not `size` and
# `degree`: after one of DGL's own functions those are stale, and they may be someone's own data.
TRUE_SIZE, TRUE_DEGREE = "_size", "_degree"


def half_hop(
    graph: dgl.DGLGraph,
    etype: tuple[str, str, str],
    seeds: dict[str, Tensor],
    edges: Tensor | None = None,
) -> dgl.DGLGraph:
    """Block of all edges of one relation into the seeds, or of these, in the order of their ids."""
    if edges is None:
        edges = graph.in_edges(seeds[etype[2]], form="eid", etype=etype).sort().values
    none = torch.empty_like(edges[:0])
    chosen = {other: edges if other == etype else none for other in (IN, CONTAINS)}
    # On several threads DGL numbers the source nodes differently in each process.
    with one_thread():
        block = dgl.to_block(dgl.edge_subgraph(graph, chosen, relabel_nodes=False), seeds)
    if etype == CONTAINS:
        attach_counts(graph, block)
    return block


def attach_counts(graph: dgl.DGLGraph, block: dgl.DGLGraph) -> None:
    """Give a block of ``contains`` the true sizes and degrees: a block has only a part of them."""
    for ntype, key, etype, frame in (
        (HYPEREDGE, TRUE_SIZE, IN, block.srcnodes),
        (NODE, TRUE_DEGREE, CONTAINS, block.dstnodes),
    ):
        ids = frame[ntype].data[dgl.NID].to(graph.device)
        counts = graph.in_degrees(ids, etype=etype) if len(ids) else ids
        frame[ntype].data[key] = counts.long().to(block.device)


def attach_neighbors(
    graph: dgl.DGLGraph, pair: tuple[dgl.DGLGraph, dgl.DGLGraph], neighbors: Tensor | None
) -> None:
    """Give the blocks of a layer |N(v)| of its nodes, and |E(v)| of those that are members.

    None takes away what they got from the data of the graph, which nobody has counted now.
    """
    members, nodes = pair[0].srcnodes[NODE].data, pair[1].dstnodes[NODE].data
    if neighbors is None:
        for key in (NUM_NEIGHBORS, TRUE_DEGREE):
            members.pop(key, None)
        nodes.pop(NUM_NEIGHBORS, None)
        return
    for frame in (members, nodes):
        ids = frame[dgl.NID]
        frame[NUM_NEIGHBORS] = neighbors[ids.to(neighbors.device).long()].to(ids.device)
    ids = members[dgl.NID]
    members[TRUE_DEGREE] = graph.in_degrees(ids.to(graph.device), etype=CONTAINS).to(ids.device)


def with_counts(graph: dgl.DGLGraph, neighbors: Tensor) -> dgl.DGLGraph:
    """The graph with |N(v)| and |E(v)| as data, which blocks that are cut from it carry."""
    graph = graph.local_var()
    graph.nodes[NODE].data[NUM_NEIGHBORS] = neighbors
    graph.nodes[NODE].data[TRUE_DEGREE] = graph.in_degrees(etype=CONTAINS)
    return graph


@contextmanager
def one_thread() -> Iterator[None]:
    """Sample on one thread: DGL's draws repeat only so, and small draws are faster for it.

    By the setting of OpenMP that DGL offers, which is this thread's own. ``torch.set_num_threads``
    would also be that of every thread that is born meanwhile, for good.
    """
    # What torch was set to reaches a new thread when it first asks, so not inside of this.
    torch.get_num_threads()
    threads = dgl.utils.get_num_threads()
    dgl.utils.set_num_threads(1)
    try:
        yield
    finally:
        dgl.utils.set_num_threads(threads)
