"""AllSetTransformer: attention of a learned query, inside hyperedges and across them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import dgl
import torch
import torch.nn.functional as F
from dgl.nn.functional import edge_softmax
from torch import Tensor, nn

from ..._utils import require_count
from ..stage import Stage
from .stacked import Stacked, Structure

SLOPE = 0.2


class Pooling(nn.Module):
    """Pooling by attention of several heads whose queries are learned."""

    def __init__(self, feats: int, heads: int) -> None:
        super().__init__()
        self.shape = (heads, feats // heads)
        self.key, self.value = nn.Linear(feats, feats), nn.Linear(feats, feats)
        self.query = nn.Parameter(torch.empty(1, *self.shape))
        self.first_norm, self.last_norm = nn.LayerNorm(feats), nn.LayerNorm(feats)
        self.map = nn.Sequential(nn.Linear(feats, feats), nn.ReLU(), nn.Linear(feats, feats))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the queries by Xavier's rule."""
        nn.init.xavier_uniform_(self.query)

    def forward(self, stage: Stage, x: Tensor) -> Tensor:
        """A row for each destination, all of which have a source."""
        key, value = (part(x).view(-1, *self.shape) for part in (self.key, self.value))
        score = F.leaky_relu((key * self.query).sum(-1, keepdim=True), SLOPE)
        sources, _ = stage.edges
        share = edge_softmax(stage.relation, score[sources])
        pooled = dgl.ops.u_mul_e_sum(stage.relation, value, share) + self.query
        rows = self.first_norm(pooled.flatten(start_dim=1))
        return self.last_norm(rows + F.relu(self.map(rows)))


class TwoPoolings(nn.Module):
    """Those of one layer, of a hyperedge's members and of a node's hyperedges."""

    def __init__(self, feats: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.inside, self.across = Pooling(feats, heads), Pooling(feats, heads)
        self.dropout = nn.Dropout(dropout)


class AllSetTransformer(Stacked):
    r"""AllSetTransformer by Chien, Pan, Peng and Milenkovic.

    From `You are AllSet: A Multiset Function Framework for Hypergraph Neural Networks
    <https://arxiv.org/abs/2106.13264>`__ and its authors' code: :math:`z_e = f(\{x_u : u \in e\})`
    and :math:`x'_v = g(\{z_e : e \ni v\})`, where f and g pool a set S by attention with a learned
    query :math:`\theta_i` in each head i:

    .. math::
        a_i(s) &= \mathrm{softmax}_{s \in S}\; \mathrm{LeakyReLU}(\theta_i^\top K_i s), \qquad
        y = \mathrm{LN}\Big(\Big\Vert_i \big(\theta_i + \sum_{s \in S} a_i(s)\, V_i s\big)\Big)

        f(S) &= \mathrm{LN}\big(y + \sigma(\mathrm{MLP}(y))\big)

    Parameters
    ----------
    in_feats, hidden_feats, out_feats, num_layers, dropout, feat_drop
        As in :class:`~hypersage_dgl.nn.baselines.Baseline`; the layers are those that pass
        messages.
    heads
        Number of heads, by default 1; the hidden width must be a multiple of it.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1, 2], [2, 3]], num_nodes=5)
    >>> AllSetTransformer(4, 8, 3, heads=2)(g, torch.rand(5, 4)).shape
    torch.Size([5, 3])
    """

    kind = "allset-transformer"
    own: ClassVar[Mapping[str, Any]] = MappingProxyType({"heads": 1})

    def make_layer(self, in_feats: int, out_feats: int) -> nn.Module:
        """The poolings of one layer."""
        heads = require_count(self.options["heads"], "heads")
        if in_feats % heads:
            raise ValueError(
                f"heads is {heads}, and hidden_feats, {in_feats}, is no multiple of it"
            )
        return TwoPoolings(in_feats, heads, self.config["dropout"])

    def pass_on(self, depth: int, structure: Structure, feat: Tensor) -> Tensor:
        """Inside, then across."""
        layer = self.layers[depth]
        assert isinstance(layer, TwoPoolings)
        held = F.relu(layer.inside(structure.inside, feat))
        return layer.across(structure.across, layer.dropout(held))
