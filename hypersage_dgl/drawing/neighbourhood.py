"""What one node sees: its hyperedges and their members, and what a sampler draws of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import dgl
import torch
from torch import Tensor

from ..convert import Named
from ..data import LabelledHypergraph
from ..dataloading import HyperSAGESampler
from ..hypergraphs import HYPEREDGE, IN, NODE, induced, remove_hyperedges
from .draw import MOST, draw_hypergraph

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Neighbourhood(NamedTuple):
    """The hyperedges of a node with all their members, and the ids of these."""

    graph: dgl.DGLGraph
    members: Tensor


def neighbourhood(graph: dgl.DGLGraph, node: int) -> Neighbourhood:
    """Cut out the hyperedges of a node, each with all its members; other hyperedges do not count.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> cut, members = neighbourhood(hypergraph([[0, 1], [1, 2], [2, 3]]), 1)
    >>> cut.num_nodes("hyperedge"), members
    (2, tensor([0, 1, 2]))
    """
    if not 0 <= node < graph.num_nodes(NODE):
        raise ValueError(f"node is {node}; ids go from 0 to {graph.num_nodes(NODE) - 1}")
    joined = graph.successors(node, etype=IN)
    found = [graph.in_edges(joined, etype=IN)[0].long(), torch.tensor([node], device=graph.device)]
    members = torch.unique(torch.cat(found))
    return _cut(graph, members, joined)


def draw_neighbourhood(
    data: LabelledHypergraph, node: int, *, alpha: int = -1, beta: int = -1, seed: int = 0
) -> Figure:
    """Draw what a node sees; with a fan-out, what one draw of the sampler leaves out is pale.

    Of more than 200 members or hyperedges only what was drawn is shown.

    Parameters
    ----------
    data
        The hypergraph, whose names and classes are shown.
    node
        Id of the node.
    alpha, beta
        Fan-outs as in :class:`~hypersage_dgl.dataloading.HyperSAGESampler`, of one layer.
    seed
        Decides the layout. What is drawn depends on DGL's own generator.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> data = LabelledHypergraph(hypergraph([[0, 1], [1, 2]]), ("ann", "bob", "cy"))
    >>> len(draw_neighbourhood(data, 1).axes[0].patches)
    2
    """
    cut, members = neighbourhood(data.graph, node)
    kept = set(members.tolist())
    is_large = max(cut.num_nodes(NODE), cut.num_nodes(HYPEREDGE)) > MOST
    if (alpha, beta) != (-1, -1):
        seeds = {NODE: torch.tensor([node], dtype=data.graph.idtype)}
        found, _, pairs = HyperSAGESampler(1, alpha, beta).sample(data.graph, seeds)
        kept = set(found[NODE].tolist())
        if is_large:
            drawn = pairs[0][1].srcnodes[HYPEREDGE].data[dgl.NID]
            cut, members = _cut(data.graph, torch.tensor(sorted(kept)), drawn)
    elif is_large:
        raise ValueError(
            f"{data.node_names[node]} sees {len(members):,} nodes in "
            f"{cut.num_nodes(HYPEREDGE):,} hyperedges, too many for a picture (at most {MOST}); a "
            "fan-out draws some of them: alpha members of each hyperedge, beta hyperedges"
        )
    named = Named(cut, [data.node_names[i] for i in members.tolist()], class_names=data.class_names)
    labels = None
    if data.labels is not None and data.labels.dim() == 1:
        labels = data.labels[members.to(data.labels.device)]
    pale = [place for place, member in enumerate(members.tolist()) if member not in kept]
    return draw_hypergraph(named, labels, title=str(data.node_names[node]), pale=pale, seed=seed)


def _cut(graph: dgl.DGLGraph, members: Tensor, hyperedges: Tensor) -> Neighbourhood:
    """Some hyperedges with some of their members."""
    is_other = torch.ones(graph.num_nodes(HYPEREDGE), dtype=torch.bool)
    is_other[hyperedges.long().cpu()] = False
    # Members are in other hyperedges, too.
    rest = remove_hyperedges(graph, is_other.nonzero().flatten())
    return Neighbourhood(induced(rest, members), members)
