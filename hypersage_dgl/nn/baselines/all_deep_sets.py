"""AllDeepSets: sums between perceptrons, inside hyperedges and across them."""

from __future__ import annotations

import torch.nn.functional as F
from torch import Tensor, nn

from ..fast import summed
from ..stage import Stage
from .stacked import Perceptron, Stacked, Structure


class DeepSet(nn.Module):
    """A function of a set: a perceptron of the sum of what another makes of its items."""

    def __init__(self, feats: int, dropout: float) -> None:
        super().__init__()
        self.encode = Perceptron(feats, feats, 2, dropout)
        # Sums grow with the set; the norm takes that back.
        self.norm = nn.LayerNorm(feats)
        self.decode = Perceptron(feats, feats, 2, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, stage: Stage, x: Tensor) -> Tensor:
        """A row for each destination."""
        items = self.dropout(F.relu(self.encode(x)))
        return self.decode(self.norm(summed(stage, items)))


class TwoSets(nn.Module):
    """The functions of one layer, of a hyperedge's members and of a node's hyperedges."""

    def __init__(self, feats: int, dropout: float) -> None:
        super().__init__()
        self.inside, self.across = DeepSet(feats, dropout), DeepSet(feats, dropout)
        self.dropout = nn.Dropout(dropout)


class AllDeepSets(Stacked):
    r"""AllDeepSets by Chien, Pan, Peng and Milenkovic.

    From `You are AllSet: A Multiset Function Framework for Hypergraph Neural Networks
    <https://arxiv.org/abs/2106.13264>`__:

    .. math::
        z_e = f\big(\{x_u : u \in e\}\big), \qquad x'_v = g\big(\{z_e : e \ni v\}\big), \qquad
        f(S) = \sigma\Big(\mathrm{MLP}\Big(\sum_{s \in S} \sigma(\mathrm{MLP}(s))\Big)\Big)

    and g alike, with perceptrons of two linear maps and LayerNorm, also of the sum.

    Parameters
    ----------
    in_feats, hidden_feats, out_feats, num_layers, dropout, feat_drop
        As in :class:`~hypersage_dgl.nn.baselines.Baseline`; the layers are those that pass
        messages.

    Examples
    --------
    >>> import torch
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1, 2], [2, 3]], num_nodes=5)
    >>> AllDeepSets(4, 8, 3)(g, torch.rand(5, 4)).shape
    torch.Size([5, 3])
    """

    kind = "alldeepsets"

    def make_layer(self, in_feats: int, out_feats: int) -> nn.Module:
        """The functions of one layer."""
        return TwoSets(in_feats, self.config["dropout"])

    def pass_on(self, depth: int, structure: Structure, feat: Tensor) -> Tensor:
        """Inside, then across."""
        layer = self.layers[depth]
        assert isinstance(layer, TwoSets)
        held = F.relu(layer.inside(structure.inside, feat))
        return layer.across(structure.across, layer.dropout(held))
