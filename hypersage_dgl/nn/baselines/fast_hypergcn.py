"""FastHyperGCN: HyperGCN on edges that the features make, once."""

from __future__ import annotations

import dgl
import torch
from torch import Tensor

from ..._utils import is_sparse
from .base import Baseline, weights_of
from .mediators import Ends, ends_along, spread


class FastHyperGCN(Baseline):
    r"""FastHyperGCN: :class:`~hypersage_dgl.nn.baselines.HyperGCN` with fixed edges.

    From `HyperGCN: A New Method of Training Graph Convolutional Networks on Hypergraphs
    <https://arxiv.org/abs/1809.02589>`__, section 4.3. The ends of each hyperedge are found once
    from the features X themselves, on a random direction that is part of the model's state, and
    serve all layers and epochs:

    .. math:: X' = \sigma\big(\tilde D^{-1/2} (A_X + I) \tilde D^{-1/2} X \Theta + b\big)

    A node in no hyperedge gets :math:`\Theta^\top x_v + b`.

    Parameters
    ----------
    in_feats, hidden_feats, out_feats, num_layers, dropout, feat_drop
        As in :class:`~hypersage_dgl.nn.baselines.Baseline`.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1, 2], [2, 3]], num_nodes=5)
    >>> FastHyperGCN(4, 8, 3)(g, torch.rand(5, 4)).shape
    torch.Size([5, 3])
    """

    kind = "fast-hypergcn"

    direction: Tensor

    def set_up(self) -> None:
        """Draw the direction."""
        self.register_buffer("direction", torch.rand(self.config["in_feats"]))

    def prepare(self, graph: dgl.DGLGraph, feat: Tensor) -> tuple[dgl.DGLGraph, Ends]:
        """The graph and its edges, found at the first call for it and these features."""
        rows = feat.detach().to_sparse_csr() if is_sparse(feat) else feat.detach()
        found = self.cache.get(
            graph,
            "ends",
            lambda: ends_along(graph, _along(rows, self.direction)),
            [*weights_of(graph), feat, self.direction],
        )
        return graph, found

    def propagate(self, depth: int, structure: tuple[dgl.DGLGraph, Ends], signal: Tensor) -> Tensor:
        """Convolve on the fixed edges."""
        return spread(*structure, signal, self.cache)


def _along(rows: Tensor, direction: Tensor) -> Tensor:
    """Where each row is on a line."""
    if is_sparse(rows) and rows.dtype == torch.bfloat16:
        # torch has no product of such.
        rows, direction = rows.float(), direction.float()
    return (rows @ direction.unsqueeze(-1)).squeeze(-1)
