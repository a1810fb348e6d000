"""TF-HNN: smooth the features once, then train an MLP."""

from __future__ import annotations

import dgl
from torch import Tensor

from ..._utils import is_sparse, require_count, require_rate
from ...hypergraphs import NODE, check_relations
from .base import weights_of
from .mlp import MLP
from .smoothing import scales, smoothed

LOOP = 1.0


class TFHNN(MLP):
    r"""An MLP on features that the hypergraph has smoothed once, in the manner of TF-HNN.

    After `Training-Free Message Passing for Learning on Hypergraphs
    <https://arxiv.org/abs/2402.05569>`__ by Tang, Liu, Jiang, Chen and Dong:

    .. math:: Z_0 = X, \qquad Z_{l+1} = (1 - \alpha)\, S Z_l + \alpha X

    with the operator S of :class:`~hypersage_dgl.nn.baselines.HGNN` with self-loops, where they
    have the weighted clique expansion without its diagonal. No epoch smooths: what a hypergraph
    makes of features is kept until either changes.

    Parameters
    ----------
    in_feats, hidden_feats, out_feats, num_layers, dropout, feat_drop
        As in :class:`~hypersage_dgl.nn.baselines.Baseline`; ``feat_drop`` is on what was smoothed.
    hops
        How often S is applied.
    alpha
        :math:`\alpha`.

    Examples
    --------
    >>> import torch
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1, 2], [2, 3]], num_nodes=5)
    >>> TFHNN(4, 8, 3, hops=2)(g, torch.rand(5, 4)).shape
    torch.Size([5, 3])
    """

    kind = "tf-hnn"

    def __init__(
        self,
        in_feats: int,
        hidden_feats: int,
        out_feats: int,
        num_layers: int = 2,
        dropout: float = 0.5,
        *,
        feat_drop: float = 0.0,
        hops: int = 2,
        alpha: float = 0.1,
    ) -> None:
        super().__init__(
            in_feats, hidden_feats, out_feats, num_layers, dropout, feat_drop=feat_drop
        )
        self.hops, self.alpha = require_count(hops, "hops"), require_rate(alpha, "alpha")
        self.config.update(hops=self.hops, alpha=self.alpha)

    @property
    def reach(self) -> int | None:
        """What was smoothed came from so many steps away."""
        return self.hops

    def forward(self, graph: dgl.DGLGraph, feat: Tensor) -> Tensor:
        """Logits of every node of a hypergraph, from dense or sparse features."""
        check_relations(graph, self.cache)
        self._check_input(feat, graph.num_nodes(NODE))
        reads = [feat, *weights_of(graph)]
        return super().forward(
            graph, self.cache.get(graph, "smoothed", lambda: self._smoothed(graph, feat), reads)
        )

    def _smoothed(self, graph: dgl.DGLGraph, feat: Tensor) -> Tensor:
        start = feat.to_dense() if is_sparse(feat) else feat
        found, rows = scales(graph, LOOP), start
        for _ in range(self.hops):
            rows = (1 - self.alpha) * smoothed(graph, found, rows, LOOP) + self.alpha * start
        return rows
