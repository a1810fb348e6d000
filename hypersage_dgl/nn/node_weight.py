"""A learned weight for each node, from its degree and its number of neighbours: HyperMSG's."""

from __future__ import annotations

import torch
from torch import Tensor, nn

NODE_WEIGHTS = ("equal", "hypermsg")
# A sigmoid may round to 0, and members that all weigh 0 have no mean.
LEAST = 1e-6


class NodeWeight(nn.Module):
    r"""How much a node counts among the members of a hyperedge.

    From HyperMSG, by the authors of HyperSAGE: `Adaptive Neural Message Passing for Inductive
    Learning on Hypergraphs <https://arxiv.org/abs/2109.10683>`__:

    .. math:: w_j = \mathrm{sigmoid}\big(\mathrm{MLP}(\log(1 + |N(j)|), \log(1 + |E(j)|))\big)

    and at least 1e-6: members that all weigh 0 would have no mean.

    The MLP has the widths 2-10-5-1, ReLU, and dropout after its first layer. The logarithms are
    ours: a hub with hundreds of neighbours drives the sigmoid to 0 or 1 before anything is learned.

    Parameters
    ----------
    dropout
        Rate of the dropout.

    Examples
    --------
    >>> weigh = NodeWeight().eval()
    >>> weigh(torch.tensor([2, 300]), torch.tensor([1, 40])).shape
    torch.Size([2])
    """

    def __init__(self, dropout: float = 0.25) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(2, 10),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(10, 5),
            nn.ReLU(),
            nn.Linear(5, 1),
        )

    def reset_parameters(self) -> None:
        """Draw all weights again."""
        for layer in self.layers:
            if isinstance(layer, nn.Linear):
                layer.reset_parameters()

    def forward(self, neighbors: Tensor, degrees: Tensor) -> Tensor:
        """Weights, between 0 and 1, of nodes with so many neighbours and hyperedges."""
        dtype = next(self.parameters()).dtype
        counts = torch.stack((neighbors.to(dtype), degrees.to(dtype)), dim=1)
        return self.layers(counts.log1p()).squeeze(1).sigmoid().clamp_min(LEAST)
