"""MLP+HLR: an MLP whose outputs the hypergraph Laplacian keeps smooth in training."""

from __future__ import annotations

import dgl
from torch import Tensor

from .base import weights_of
from .mlp import MLP
from .smoothing import scales, smoothed


class MLPHLR(MLP):
    r"""MLP with explicit hypergraph Laplacian regularisation.

    The model is :class:`~hypersage_dgl.nn.baselines.MLP`; training adds the penalty

    .. math::
        \lambda\, \mathrm{tr}(Z^\top \Delta Z) = \frac{\lambda}{2} \sum_e \frac{w_e}{\delta_e}
        \sum_{u,v \in e} \Big\lVert \frac{z_u}{\sqrt{d_u}} - \frac{z_v}{\sqrt{d_v}} \Big\rVert^2

    on the class probabilities :math:`Z` of all nodes, with the normalised Laplacian of Zhou, Huang
    and Schölkopf, `Learning with Hypergraphs: Clustering, Classification, and Embedding
    <https://papers.nips.cc/paper/3128-learning-with-hypergraphs-clustering-classification-and-embedding>`__.
    A node in no hyperedge has no term in it.

    Parameters
    ----------
    in_feats, hidden_feats, out_feats, num_layers, dropout, feat_drop
        As in :class:`~hypersage_dgl.nn.baselines.Baseline`.
    strength
        :math:`\lambda`.

    Examples
    --------
    >>> import torch
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1, 2], [2, 3]], num_nodes=5)
    >>> MLPHLR(4, 8, 3).penalty(g, torch.zeros(5, 3)) < 1e-3
    tensor(True)
    """

    kind = "mlp-hlr"

    def __init__(
        self,
        in_feats: int,
        hidden_feats: int,
        out_feats: int,
        num_layers: int = 2,
        dropout: float = 0.5,
        *,
        feat_drop: float = 0.0,
        strength: float = 0.001,
    ) -> None:
        super().__init__(
            in_feats, hidden_feats, out_feats, num_layers, dropout, feat_drop=feat_drop
        )
        if not 0 <= strength < float("inf"):
            raise ValueError(f"strength is {strength!r}; it must be a non-negative number")
        self.config["strength"] = self.strength = strength

    @property
    def reach(self) -> None:
        """Nothing may be cut off: the penalty reads all nodes."""
        return None

    def penalty(self, graph: dgl.DGLGraph, logits: Tensor) -> Tensor:
        """What training adds to the loss, from the logits of all nodes."""
        scale = self.cache.get(graph, "scales", lambda: scales(graph), weights_of(graph))
        z = logits.softmax(dim=-1)
        rough = (scale.node > 0).to(z) * z - smoothed(graph, scale, z, cache=self.cache)
        return self.strength * (z * rough).sum()
