"""Draw members of hyperedges with unequal probability, and say what each draw stands for."""

from __future__ import annotations

import dgl
import torch
from torch import Tensor

from .build import IN


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
