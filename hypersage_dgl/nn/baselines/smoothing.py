"""The smoothing operator of Zhou, Huang and Schölkopf, which HGNN and the regulariser share."""

from __future__ import annotations

from dataclasses import dataclass

import dgl
import torch
from torch import Tensor

from ...hypergraphs import HYPEREDGE, IN
from ..stage import split_stages


@dataclass(frozen=True)
class Scales:
    """The diagonals of the operator as columns: D_v^-1/2, and W D_e^-1; 0 where a degree is 0."""

    node: Tensor
    hyperedge: Tensor


def scales(graph: dgl.DGLGraph, loop: float = 0.0) -> Scales:
    r"""Measure the degrees :math:`d_v = \sum_e w_e h_{ve}` and :math:`\delta_e = \sum_v h_{ve}`.

    Parameters
    ----------
    graph
        A hypergraph; incidence weights are the entries of H, hyperedge weights those of W.
    loop
        Weight of a further hyperedge {v} of each node.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> scales(hypergraph([[0, 1], [0]], num_nodes=3)).hyperedge.flatten()
    tensor([0.5000, 1.0000], dtype=torch.float64)
    """
    intra, inter = split_stages(graph)
    incidence_weight = graph.edges[IN].data.get("weight")
    like = torch.empty(0, dtype=torch.float64, device=graph.device)
    hyperedge_weight = graph.nodes[HYPEREDGE].data.get("weight")
    delta = intra.mass(None, incidence_weight, like)
    degree = inter.mass(hyperedge_weight, incidence_weight, like) + loop
    weight = 1.0 if hyperedge_weight is None else hyperedge_weight.double().unsqueeze(-1)
    return Scales(
        torch.where(degree > 0, degree.rsqrt(), 0.0), torch.where(delta > 0, weight / delta, 0.0)
    )


def smoothed(graph: dgl.DGLGraph, scale: Scales, signal: Tensor, loop: float = 0.0) -> Tensor:
    r"""Apply :math:`D_v^{-1/2} (H W D_e^{-1} H^\top + \text{loop}\, I) D_v^{-1/2}` to a signal.

    In two stages over the incidences: the operator itself would have an entry for each two nodes
    that share a hyperedge.
    """
    intra, inter = split_stages(graph)
    incidence_weight = graph.edges[IN].data.get("weight")
    of_node = scale.node.to(signal)
    scaled = of_node * signal
    on_hyperedges = intra.gather(scaled, "sum", incidence_weight) * scale.hyperedge.to(signal)
    spread = inter.gather(on_hyperedges, "sum", incidence_weight)
    return of_node * (spread + loop * scaled if loop else spread)
