"""HyperGCN: graph convolution on edges between the most distant members of each hyperedge."""

from __future__ import annotations

import dgl
import torch
from torch import Tensor

from .base import Baseline, Projection
from .mediators import ends_along, spread


class HyperGCN(Baseline):
    r"""HyperGCN with mediators by Yadati, Nimishakavi, Yadav, Nitin, Louis and Talukdar.

    From `HyperGCN: A New Method of Training Graph Convolutional Networks on Hypergraphs
    <https://arxiv.org/abs/1809.02589>`__, section 4. In each layer, for its signal
    :math:`S = X \Theta`, every hyperedge joins its two most distant members
    :math:`(i_e, j_e)`, and every other member to both, with weight :math:`1/(2|e| - 3)`:

    .. math:: X' = \sigma\big(\tilde D^{-1/2} (A_S + I) \tilde D^{-1/2} X \Theta + b\big)

    A node in no hyperedge has its self-loop alone and gets :math:`\Theta^\top x_v + b`.

    The most distant members are found as in the authors' code, by their places on a random
    direction with entries from 0 to 1, drawn again in each layer and each forward of training.
    In evaluation each layer uses a direction of its own, part of its state, so that a
    prediction repeats.

    Parameters
    ----------
    in_feats, hidden_feats, out_feats, num_layers, dropout, feat_drop
        As in :class:`~hypersage_dgl.nn.baselines.Baseline`.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1, 2], [2, 3]], num_nodes=5)
    >>> HyperGCN(4, 8, 3)(g, torch.rand(5, 4)).shape
    torch.Size([5, 3])
    """

    kind = "hypergcn"

    def set_up(self) -> None:
        """Draw the directions of evaluation."""
        for depth, layer in enumerate(self.layers):
            assert isinstance(layer, Projection)
            self.register_buffer(f"direction_{depth}", torch.rand(layer.linear.out_features))

    @property
    def reach(self) -> int:
        """Two steps a layer: a neighbour's degree depends on the signals of its own neighbours.

        They decide whether it is an end of the hyperedges that it shares with them. One step less
        in the first layer, whose signals are there without any hyperedge.
        """
        return 2 * len(self.layers) - 1

    def propagate(self, depth: int, structure: dgl.DGLGraph, signal: Tensor) -> Tensor:
        """Convolve on the edges that this very signal makes."""
        direction: Tensor = self.get_buffer(f"direction_{depth}")
        if self.training:
            direction = torch.rand_like(direction)
        position = signal.detach() @ direction
        return spread(structure, ends_along(structure, position), signal, self.cache)
