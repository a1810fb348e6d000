"""Cut exact blocks out of a hypergraph, the same in every process; draw members by weight."""

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


class Slices:
    """Blocks of one relation into destinations that lie side by side, cut as a knife does.

    Every edge has a source of its own in such a block, in the order of the destinations: nothing is
    looked up, sorted or numbered again, and a node that is met twice is there twice. Of the data,
    blocks carry what a layer reads.
    """

    def __init__(self, graph: dgl.DGLGraph, etype: tuple[str, str, str]) -> None:
        self.graph, self.etype = graph, etype
        self.starts, self.sources, self.edges = graph.adj_tensors("csc", etype)
        self.sizes = graph.in_degrees(etype=IN) if etype == CONTAINS else None

    def block(self, start: int, stop: int) -> tuple[dgl.DGLGraph, Tensor]:
        """Block of the destinations from ``start`` to before ``stop``, and ids of its sources."""
        etype, graph = self.etype, self.graph
        source, _, destination = etype
        low, high = int(self.starts[start]), int(self.starts[stop])
        ids, edges = self.sources[low:high].long(), self.edges[low:high].long()
        offsets = self.starts[start : stop + 1] - low
        each = torch.arange(high - low, dtype=offsets.dtype, device=offsets.device)
        block = dgl.create_block(
            # The ids of edges are given, for DGL's product with weights fails without them.
            {etype: ("csc", (offsets, each, each))},
            {source: high - low},
            {destination: stop - start},
            idtype=offsets.dtype,
        )
        for key, value in graph.edges[etype].data.items():
            block.edges[etype].data[key] = value[edges]
        for key, value in graph.nodes[destination].data.items():
            block.dstnodes[destination].data[key] = value[start:stop]
        of_graph, of_block = graph.nodes[source].data, block.srcnodes[source].data
        for key in ("weight", NUM_NEIGHBORS, TRUE_DEGREE):
            if key in of_graph:
                of_block[key] = of_graph[key][ids]
        if self.sizes is not None:
            of_block[TRUE_SIZE] = self.sizes[ids].long()
            block.dstnodes[destination].data[TRUE_DEGREE] = offsets.diff().long()
        return block, ids


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


def priority_sample(
    graph: dgl.DGLGraph, hyperedges: Tensor, weight: Tensor, count: int
) -> tuple[Tensor, Tensor]:
    r"""Draw up to ``count`` members of each hyperedge, without replacement, by priority sampling.

    Each member j gets the priority :math:`u_j / r_j`, with its weight :math:`u_j` and a random
    number :math:`r_j` in (0, 1]. The ``count`` largest are drawn, and each stands for
    :math:`\max(1, \tau / u_j)` members, with the largest priority :math:`\tau` that was not drawn.
    Sums over the draws, each times that factor, are unbiased for sums over all members (Duffield,
    Lund and Thorup, `Priority sampling for estimation of arbitrary subset sums
    <https://doi.org/10.1145/1314690.1314696>`__). A hyperedge of no more than ``count`` members is
    taken whole, with factors of 1.

    Parameters
    ----------
    graph
        A hypergraph.
    hyperedges
        Ids of the hyperedges, each once.
    weight
        :math:`u_j`, positive, for each node of the hypergraph.
    count
        Members to draw of each hyperedge.

    Returns
    -------
    tuple of Tensor
        Ids of the incidences that were drawn, in their order, and their factors (float64).

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1, 2], [2, 3]])
    >>> drawn, factor = priority_sample(g, torch.tensor([1]), torch.rand(4) + 1, 2)
    >>> drawn, factor
    (tensor([3, 4]), tensor([1., 1.], dtype=torch.float64))
    """
    members, owners, ids = graph.in_edges(hyperedges, form="all", etype=IN)
    ids, order = ids.sort()
    members, owners = members[order].long(), owners[order].long()
    u = weight.to(members.device)[members].double()
    priority = u / (1 - torch.rand(len(u), dtype=torch.float64, device=u.device))
    # By hyperedge, and in each the largest priority first.
    order = torch.argsort(priority, descending=True)
    order = order[torch.argsort(owners[order], stable=True)]
    _, sizes = torch.unique_consecutive(owners[order], return_counts=True)
    starts = torch.repeat_interleave(sizes.cumsum(0) - sizes, sizes)
    rank = torch.arange(len(order), device=order.device) - starts
    is_cut = torch.repeat_interleave(sizes > count, sizes)
    threshold = torch.zeros_like(priority)
    threshold[is_cut] = priority[order[starts[is_cut] + count]]
    drawn = order[rank < count]
    factor = (threshold[rank < count] / u[drawn]).clamp_min(1)
    back = torch.argsort(drawn)
    return ids[drawn[back]], factor[back]
