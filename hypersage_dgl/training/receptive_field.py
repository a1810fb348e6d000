"""Cut out all that some nodes of a hypergraph can see, exactly and in its own order."""

from __future__ import annotations

import dgl
import torch
from torch import Tensor

from ..dataloading import one_thread
from ..hypergraphs import CONTAINS, HYPEREDGE, IN, NODE, NUM_NEIGHBORS
from ..nn import HyperSAGE

Pairs = list["tuple[dgl.DGLGraph, dgl.DGLGraph]"]


def receptive_field(graph: dgl.DGLGraph, nodes: Tensor, model: HyperSAGE) -> tuple[Tensor, Pairs]:
    """Input nodes and pairs of blocks that give a model the same at the nodes as the whole graph.

    ``HyperSAGESampler`` with fan-out -1 finds the same but puts every neighbourhood in a random
    order, so that sums differ in the last bit from run to run and an LSTM reads another sequence.
    """
    first = model.first
    if first.has_mass:
        # Blocks carry the data of the graph that they are cut from.
        graph = graph.local_var()
        graph.nodes[NODE].data[NUM_NEIGHBORS] = first.mass.neighbors(graph, first.include_self)
    pairs: Pairs = []
    seeds = nodes.to(graph.device, graph.idtype)
    for _ in model.layers:
        inter = _half_hop(graph, CONTAINS, {NODE: seeds})
        met = {ntype: inter.srcnodes[ntype].data[dgl.NID] for ntype in (NODE, HYPEREDGE)}
        intra = _half_hop(graph, IN, met)
        pairs.insert(0, (intra, inter))
        seeds = intra.srcnodes[NODE].data[dgl.NID]
    return seeds.long(), pairs


def _half_hop(
    graph: dgl.DGLGraph, etype: tuple[str, str, str], seeds: dict[str, Tensor]
) -> dgl.DGLGraph:
    """Block of all edges of one relation into the seeds, in the order of their ids."""
    edges = graph.in_edges(seeds[etype[2]], form="eid", etype=etype).sort().values
    none = torch.empty_like(edges[:0])
    chosen = {other: edges if other == etype else none for other in (IN, CONTAINS)}
    # On several threads DGL numbers the source nodes differently in each process.
    with one_thread():
        return dgl.to_block(dgl.edge_subgraph(graph, chosen, relabel_nodes=False), seeds)
