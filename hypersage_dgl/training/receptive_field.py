"""Cut out all that some nodes of a hypergraph can see, exactly and in its own order."""

from __future__ import annotations

from typing import NamedTuple

import dgl
import torch
from torch import Tensor, nn

from ..hypergraphs import (
    CONTAINS,
    HYPEREDGE,
    IN,
    NODE,
    check_relations,
    half_hop,
    incidences,
    induced,
    remove_hyperedges,
    with_counts,
)
from ..nn import Baseline, HyperSAGE

Pairs = list[tuple[dgl.DGLGraph, dgl.DGLGraph]]


class Sight(NamedTuple):
    """How far a model sees, and so what a hypergraph can be cut to.

    ``kind`` is ``"layers"``, of blocks for so many layers of a HyperSAGE, or ``"reach"``, of a
    hypergraph that ends so many steps away. ``counts`` says which |N(v)| a HyperSAGE needs, by its
    ``include_self``; None for none.
    """

    kind: str
    steps: int
    counts: bool | None = None

    def check(self, model: nn.Module) -> None:
        """Refuse a model that sees more than was cut out."""
        seen = sight_of(model)
        if seen is None or seen.kind != self.kind:
            is_enough = False
        elif self.kind == "reach":
            is_enough = seen.steps <= self.steps
        else:
            is_enough = seen.steps == self.steps and seen.counts in (None, self.counts)
        if not is_enough:
            raise ValueError(
                f"the hypergraph was cut to {self}, and this {type(model).__name__} sees "
                f"{'all of it' if seen is None else seen}; cut it for the model, or train on the "
                "whole hypergraph"
            )

    def __str__(self) -> str:
        if self.kind == "reach":
            return f"a reach of {self.steps}"
        counts = "" if self.counts is None else f", |N(v)| with include_self={self.counts}"
        return f"{self.steps} layers of a HyperSAGE{counts}"


def sight_of(model: nn.Module) -> Sight | None:
    """How far a model sees; None if it needs the hypergraph as it is.

    Examples
    --------
    >>> str(sight_of(HyperSAGE(4, 8, 3)))
    '2 layers of a HyperSAGE'
    """
    if isinstance(model, HyperSAGE):
        counts = model.first.include_self if model.first.needs_neighbors else None
        return Sight("layers", len(model.layers), counts)
    # Of other modules nobody knows: an attribute of that name may mean anything.
    reach = model.reach if isinstance(model, Baseline) else None
    return None if reach is None else Sight("reach", reach)


def receptive_field(graph: dgl.DGLGraph, nodes: Tensor, model: HyperSAGE) -> tuple[Tensor, Pairs]:
    """Input nodes and pairs of blocks that give a model the same at the nodes as the whole graph.

    ``HyperSAGESampler`` with fan-out -1 finds the same but puts every neighbourhood in a random
    order, so that sums differ in the last bit from run to run and an LSTM reads another sequence.
    """
    first = model.first
    check_relations(graph, first.cache)
    if first.needs_neighbors:
        graph = with_counts(graph, first.count_neighbors(graph))
    pairs: Pairs = []
    seeds = nodes.to(graph.device, graph.idtype)
    for _ in model.layers:
        inter = half_hop(graph, CONTAINS, {NODE: seeds})
        met = {ntype: inter.srcnodes[ntype].data[dgl.NID] for ntype in (NODE, HYPEREDGE)}
        intra = half_hop(graph, IN, met)
        pairs.insert(0, (intra, inter))
        seeds = intra.srcnodes[NODE].data[dgl.NID]
    return seeds.long(), pairs


def within_reach(graph: dgl.DGLGraph, nodes: Tensor, reach: int) -> tuple[Tensor, dgl.DGLGraph]:
    """Cut out the hyperedges of all nodes at most ``reach`` steps away, each with all its members.

    The degree of a node that far away is then the true one. That of the outermost members, one
    step further, is not. With a reach of 0 the nodes alone stay, without a hyperedge.

    Returns
    -------
    tuple of Tensor and dgl.DGLGraph
        Ids of the nodes that stay, in order, and the hypergraph of them with all its data.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1], [1, 2], [2, 3], [3, 4]], num_nodes=6)
    >>> kept, cut = within_reach(g, torch.tensor([0]), 1)
    >>> kept, cut.num_nodes("hyperedge")
    (tensor([0, 1, 2]), 2)
    """
    members, hyperedges = incidences(graph)
    is_near = torch.zeros(graph.num_nodes(NODE), dtype=torch.bool, device=graph.device)
    is_kept = torch.zeros(graph.num_nodes(HYPEREDGE), dtype=torch.bool, device=graph.device)
    is_near[nodes.to(graph.device)] = True
    for _ in range(reach + 1 if reach > 0 else 0):
        is_kept[hyperedges[is_near[members]]] = True
        is_near[members[is_kept[hyperedges]]] = True
    # In the order of the graph: where two members are equally far out, HyperGCN looks at their ids.
    near = is_near.nonzero().flatten()
    return near, induced(remove_hyperedges(graph, (~is_kept).nonzero().flatten()), near)
