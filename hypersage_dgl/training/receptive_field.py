"""Cut out all that some nodes of a hypergraph can see, exactly and in its own order."""

from __future__ import annotations

import dgl
from torch import Tensor

from ..hypergraphs import CONTAINS, HYPEREDGE, IN, NODE, NUM_NEIGHBORS
from ..hypergraphs.blocks import half_hop
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
        inter = half_hop(graph, CONTAINS, {NODE: seeds})
        met = {ntype: inter.srcnodes[ntype].data[dgl.NID] for ntype in (NODE, HYPEREDGE)}
        intra = half_hop(graph, IN, met)
        pairs.insert(0, (intra, inter))
        seeds = intra.srcnodes[NODE].data[dgl.NID]
    return seeds.long(), pairs
