"""HyperSAGE without training its aggregation: aggregate a few times once, then train an MLP."""

from __future__ import annotations

from typing import Any

import dgl
import torch
from torch import Tensor

from .._utils import as_dense, require_count
from .hypersageconv import HyperSAGEConv
from .layer_arguments import Power


@torch.no_grad()
def precompute(
    graph: dgl.DGLGraph, feat: Tensor, hops: int, p: Power = 1.0, **options: Any
) -> Tensor:
    """Features of each node for a model that looks at no hyperedge: its own and those around it.

    Each hop is a layer of HyperSAGE up to its parameters, h + F2 scaled to unit length, of what the
    hop before has made. Nothing here is learned, so no epoch repeats it.

    Parameters
    ----------
    graph, feat
        The hypergraph, and features of all its nodes, dense or sparse.
    hops
        How often to aggregate.
    p, options
        As in :class:`~hypersage_dgl.nn.HyperSAGEConv`: the power, and such as ``intra_aggr``,
        ``inter`` and ``normalize``; nothing that is learned.

    Returns
    -------
    Tensor
        Dense rows: the features, then what each hop has made, side by side.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> from hypersage_dgl.nn import HyperSAGE
    >>> from hypersage_dgl.nn.baselines import MLP
    >>> g, feat = hypergraph([[0, 1, 2], [2, 3]]), torch.rand(4, 5)
    >>> rows = HyperSAGE.precompute(g, feat, 2, p=(4, 1))
    >>> MLP(rows.shape[1], 8, 3)(g, rows).shape
    torch.Size([4, 3])
    """
    hops = require_count(hops, "hops")
    layer = HyperSAGEConv(feat.shape[1], 1, p, **options).to(feat.device, feat.dtype).eval()
    if layer.is_learned:
        raise ValueError(
            "what is computed once cannot be learned; give a fixed p, aggregators without "
            "parameters and no feat_drop"
        )
    layer.check_input(feat)
    found = [feat]
    for _ in range(hops):
        found.append(layer.hidden(graph, found[-1]))
    return torch.cat([as_dense(each) for each in found], dim=1)
