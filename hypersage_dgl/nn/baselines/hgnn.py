"""HGNN: convolution with the normalised hypergraph Laplacian."""

from __future__ import annotations

import dgl
from torch import Tensor

from .base import Baseline, weights_of
from .smoothing import Scales, scales, smoothed


class HGNN(Baseline):
    r"""Hypergraph neural network by Feng, You, Zhang, Ji and Gao.

    From `Hypergraph Neural Networks <https://arxiv.org/abs/1809.09401>`__:

    .. math:: X' = \sigma\big(D_v^{-1/2} H W D_e^{-1} H^\top D_v^{-1/2} X \Theta + b\big)

    with the hypergraph's own weights in W and H, all 1 if it has none.

    Parameters
    ----------
    in_feats, hidden_feats, out_feats, num_layers, dropout, feat_drop
        As in :class:`~hypersage_dgl.nn.baselines.Baseline`.
    self_loops
        Whether each node also has a hyperedge of its own, {v} with weight 1. A node in no
        hyperedge then gets :math:`\Theta^\top x_v + b`; without, it gets b alone.

    Examples
    --------
    >>> import torch
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1, 2], [2, 3]], num_nodes=5)
    >>> HGNN(4, 8, 3)(g, torch.rand(5, 4)).shape
    torch.Size([5, 3])
    """

    kind = "hgnn"

    def __init__(
        self,
        in_feats: int,
        hidden_feats: int,
        out_feats: int,
        num_layers: int = 2,
        dropout: float = 0.5,
        *,
        feat_drop: float = 0.0,
        self_loops: bool = True,
    ) -> None:
        super().__init__(
            in_feats, hidden_feats, out_feats, num_layers, dropout, feat_drop=feat_drop
        )
        self.config["self_loops"] = self_loops
        self.loop = 1.0 if self_loops else 0.0

    def prepare(self, graph: dgl.DGLGraph, feat: Tensor) -> tuple[dgl.DGLGraph, Scales]:
        """The graph with its degrees."""
        found = self.cache.get(graph, "scales", lambda: scales(graph, self.loop), weights_of(graph))
        return graph, found

    def propagate(
        self, depth: int, structure: tuple[dgl.DGLGraph, Scales], signal: Tensor
    ) -> Tensor:
        """Smooth the signal."""
        return smoothed(*structure, signal, self.loop, self.cache)
