"""MLP: features alone."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from .base import Baseline


class MLP(Baseline):
    r"""Multi-layer perceptron, which does not look at the hypergraph.

    .. math:: h'_v = \sigma(W h_v + b)

    A node in no hyperedge is a node like any other.

    Parameters
    ----------
    in_feats, hidden_feats, out_feats, num_layers, dropout, feat_drop
        As in :class:`~hypersage_dgl.nn.baselines.Baseline`.

    Examples
    --------
    >>> import torch
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1, 2], [2, 3]], num_nodes=5)
    >>> MLP(4, 8, 3)(g, torch.rand(5, 4)).shape
    torch.Size([5, 3])
    """

    kind = "mlp"

    @property
    def reach(self) -> int | None:
        """No hyperedge counts."""
        return 0

    def propagate(self, depth: int, structure: Any, signal: Tensor) -> Tensor:
        """The signal as it is."""
        return signal
