"""ED-HNN: messages that depend on who hears them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import torch.nn.functional as F
from torch import Tensor, nn

from ..._utils import require_rate
from .base import Projection
from .stacked import Perceptron, Stacked, Structure, mean


class Diffusion(nn.Module):
    """The three maps, of what is said, of what is heard and of what becomes of it."""

    def __init__(self, feats: int, maps: int, dropout: float) -> None:
        super().__init__()
        self.said = Perceptron(feats, feats, maps, dropout)
        # What is heard: a map of the node and of the hyperedge, added and bent, then another map,
        # which commutes with the mean.
        self.hearer = nn.Linear(feats, feats)
        self.heard = nn.Linear(feats, feats, bias=False)
        self.norm, self.dropout = nn.LayerNorm(feats), nn.Dropout(dropout)
        self.hears = nn.Linear(feats, feats)
        self.becomes = Perceptron(feats, feats, maps, dropout)


class EDHNN(Stacked):
    r"""ED-HNN by Wang, Yang, Liu, Wang and Li.

    From `Equivariant Hypergraph Diffusion Neural Operators <https://arxiv.org/abs/2207.06680>`__
    and its authors' code:

    .. math::
        m_e = \frac{1}{|e|} \sum_{u \in e} \phi(x_u), \qquad
        x'_v = \sigma\Big(\psi\Big((1 - \alpha) \frac{1}{d_v} \sum_{e \ni v} \rho(x_v, m_e)
        + \alpha\, x^0_v\Big)\Big)

    with perceptrons :math:`\phi`, :math:`\rho` and :math:`\psi` that all layers share.

    Parameters
    ----------
    in_feats, hidden_feats, out_feats, num_layers, dropout, feat_drop
        As in :class:`~hypersage_dgl.nn.baselines.Baseline`; the layers are those that pass
        messages.
    alpha
        :math:`\alpha`, by default 0.5.
    maps
        Linear maps of each perceptron, by default 2. 0 is what the authors take on small sets:
        :math:`\phi(x) = x`, :math:`\rho(x, m) = m`, and a linear :math:`\psi`.

    Examples
    --------
    >>> import torch
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1, 2], [2, 3]], num_nodes=5)
    >>> EDHNN(4, 8, 3)(g, torch.rand(5, 4)).shape
    torch.Size([5, 3])
    """

    kind = "ed-hnn"
    own: ClassVar[Mapping[str, Any]] = MappingProxyType({"alpha": 0.5, "maps": 2})

    def make_layers(
        self, in_feats: int, hidden_feats: int, out_feats: int, num_layers: int
    ) -> Iterable[nn.Module]:
        """One hidden layer, which takes all places."""
        require_rate(self.options["alpha"], "alpha")
        maps = self.options["maps"]
        if maps not in (0, 2):
            raise ValueError(f"maps is {maps!r}; it must be 2, or 0 for the plain layer")
        dropout = self.config["dropout"]
        shared = (
            Diffusion(hidden_feats, 2, dropout)
            if maps
            else Perceptron(hidden_feats, hidden_feats, 1, 0.0)
        )
        return [
            Projection(in_feats, hidden_feats),
            *[shared] * num_layers,
            Projection(hidden_feats, out_feats),
        ]

    def pass_on(self, depth: int, structure: Structure, feat: Tensor) -> Tensor:
        """Say, hear, and become."""
        layer, alpha = self.layers[depth], self.options["alpha"]
        assert structure.start is not None
        if isinstance(layer, Perceptron):
            heard = mean(structure.across, mean(structure.inside, feat))
            return layer((1 - alpha) * heard + alpha * structure.start)
        assert isinstance(layer, Diffusion)
        said = mean(structure.inside, layer.said(feat))
        hyperedges, nodes = structure.across.edges
        pairs = F.relu(layer.hearer(feat)[nodes] + layer.heard(said)[hyperedges])
        pairs = layer.dropout(layer.norm(pairs))
        degree = structure.across.in_degrees.to(feat.dtype).unsqueeze(-1)
        heard = layer.hears(structure.across.sum_edges(pairs) / degree)
        return layer.becomes((1 - alpha) * heard + alpha * structure.start)
