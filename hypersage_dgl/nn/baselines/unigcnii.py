"""UniGCNII: deep smoothing that remembers where it began."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from torch import Tensor, nn

from ..fast import summed
from .stacked import Stacked, Structure, mean


class UniGCNII(Stacked):
    r"""UniGCNII by Huang and Yang.

    From `UniGNN: a Unified Framework for Graph and Hypergraph Neural Networks
    <https://arxiv.org/abs/2105.00956>`__ and its authors' code:

    .. math::
        \tilde x_v &= \frac{1}{\sqrt{d_v}} \sum_{e \ni v} \frac{1}{\sqrt{d_e}}
        \frac{1}{|e|} \sum_{u \in e} x_u

        \hat x_v &= (1 - \alpha)\, \tilde x_v + \alpha\, x^0_v, \qquad
        x'_v = \sigma\big((1 - \beta_l)\, \hat x_v + \beta_l W_l \hat x_v\big)

    with :math:`\beta_l = \log(\lambda / l + 1)`, :math:`d_v` the number of hyperedges of v and
    :math:`d_e` the mean of that of its members.

    Parameters
    ----------
    in_feats, hidden_feats, out_feats, num_layers, dropout, feat_drop
        As in :class:`~hypersage_dgl.nn.baselines.Baseline`; the layers are those that smooth.
    alpha, strength
        :math:`\alpha` and :math:`\lambda`; by default 0.1 and 0.5, as the authors have them.

    Examples
    --------
    >>> import torch
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1, 2], [2, 3]], num_nodes=5)
    >>> UniGCNII(4, 8, 3)(g, torch.rand(5, 4)).shape
    torch.Size([5, 3])
    """

    kind = "unigcnii"
    own: ClassVar[Mapping[str, Any]] = MappingProxyType({"alpha": 0.1, "strength": 0.5})

    def make_layer(self, in_feats: int, out_feats: int) -> nn.Module:
        """The weights of one layer."""
        return nn.Linear(in_feats, out_feats, bias=False)

    def pass_on(self, depth: int, structure: Structure, feat: Tensor) -> Tensor:
        """Smooth, go back to the start by alpha, and map by beta."""
        alpha, beta = self.options["alpha"], math.log(self.options["strength"] / depth + 1)
        degree = structure.across.in_degrees.to(feat.dtype).unsqueeze(-1)
        of_hyperedge = mean(structure.inside, degree).clamp_min(1).rsqrt()
        spread = summed(structure.across, mean(structure.inside, feat) * of_hyperedge)
        assert structure.start is not None
        mixed = (1 - alpha) * spread * degree.rsqrt() + alpha * structure.start
        return (1 - beta) * mixed + beta * self.layers[depth](mixed)
