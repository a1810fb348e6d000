"""The smoothing operator of Zhou, Huang and Schölkopf, which HGNN and the regulariser share."""

from __future__ import annotations

from dataclasses import dataclass, replace

import dgl
import torch
from torch import Tensor

from ..._utils import GraphCache
from ...hypergraphs import contains_ids
from ..fast import summed
from ..stage import Stage, split_stages
from .base import weights_of


@dataclass(frozen=True)
class Scales:
    """The diagonals of the operator as columns: D_v^-1/2, and W D_e^-1; 0 where a degree is 0."""

    node: Tensor
    hyperedge: Tensor


def weighted_stages(graph: dgl.DGLGraph, cache: GraphCache | None = None) -> tuple[Stage, Stage]:
    """Both stages of a hypergraph, whose incidence weights count in either direction."""
    intra, inter = split_stages(graph, cache)
    hyperedge_weight, incidence_weight = weights_of(graph)
    back_weight = incidence_weight
    if incidence_weight is not None:
        # The weights lie on `in`, and the other relation may have another order.
        ids = contains_ids(graph)
        if ids is not None:
            back_weight = incidence_weight[torch.argsort(ids)]
    return (
        replace(intra, edge_weight=incidence_weight),
        replace(inter, weight=hyperedge_weight, edge_weight=back_weight),
    )


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
    intra, inter = weighted_stages(graph)
    like = torch.empty(0, dtype=torch.float64, device=graph.device)
    hyperedge_weight = inter.weight
    delta, degree = intra.mass(like), inter.mass(like) + loop
    weight = 1.0 if hyperedge_weight is None else hyperedge_weight.double().unsqueeze(-1)
    of_node, of_hyperedge = _or_one(degree).rsqrt(), weight / _or_one(delta)
    return Scales(of_node.masked_fill(degree == 0, 0), of_hyperedge.masked_fill(delta == 0, 0))


def _or_one(divisor: Tensor) -> Tensor:
    """1 in the place of 0: a learned weight that is divided by 0 has NaN for its gradient."""
    return divisor.masked_fill(divisor == 0, 1)


def smoothed(
    graph: dgl.DGLGraph,
    scale: Scales,
    signal: Tensor,
    loop: float = 0.0,
    cache: GraphCache | None = None,
) -> Tensor:
    r"""Apply :math:`D_v^{-1/2} (H W D_e^{-1} H^\top + \text{loop}\, I) D_v^{-1/2}` to a signal.

    In two stages over the incidences: the operator itself would have an entry for each two nodes
    that share a hyperedge. ``cache`` keeps what is derived from the graph.
    """
    intra, inter = weighted_stages(graph, cache)
    of_node = scale.node.to(signal)
    scaled = of_node * signal
    spread = summed(inter, summed(intra, scaled) * scale.hyperedge.to(signal))
    return of_node * (spread + loop * scaled if loop else spread)
