"""The HyperSAGE layer."""

from __future__ import annotations

from typing import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .._utils import dropped, first_rows, is_sparse, require_rate, select_rows
from .aggregators import Aggregator
from .dropped_linear import dropped_linear
from .levels import Power
from .sparse_features import unit_sum
from .two_level import Graph, TwoLevelAggregation


class HyperSAGEConv(TwoLevelAggregation):
    r"""Two-level message passing with power means, by Arya, Gupta, Rudinac and Worring.

    From `HyperSAGE: Generalizing Inductive Representation Learning on Hypergraphs
    <https://arxiv.org/abs/2010.04558>`__:

    .. math::
        F_1(v,e) &= \Big(\frac{\sum_{j \in N(v,e)} a_{je}\, x_j^{p}}
                              {\sum_{j \in N(v,e)} a_{je}}\Big)^{1/p}

        F_2(v) &= \Big(\sum_{e \in E(v)} w(v,e)\, F_1(v,e)^{p}\Big)^{1/p}

        h'_v &= \sigma\Big(W\, \frac{h_v + F_2(v)}{\lVert h_v + F_2(v) \rVert_2} + b\Big)

    A node in no hyperedge has :math:`F_2(v) = 0` and keeps its own :math:`h_v`.

    Parameters
    ----------
    in_feats, out_feats
        Width of the input and the output.
    p
        The power: a number, a pair ``(p_intra, p_inter)``, or a
        :class:`~hypersage_dgl.nn.PowerMean` that both levels share. With one p at both levels the
        aggregate is a linear map between two powers; the full two-level expressiveness comes from
        a pair or from mixed aggregators.
    inter
        The weights w(v,e), multiplied by the hyperedge's own weight if it has one:

        - ``"size"``: :math:`|N(v,e)| / \sum_{e'} |N(v,e')|`, a true mean for every p;
        - ``"mean"``: :math:`1/|E(v)|`;
        - ``"paper"``: :math:`|N(v,e)| / (|N(v)|\,|E(v)|)`, Equation 4 as printed;
        - ``"invariant"``: :math:`|N(v,e)| / |N(v)|`, the appendix's result.

        The last two do not sum to one, and at small \|p\| the power 1/p blows that up: they reject
        p=0 and a learned p, and warn below 0.1.
    include_self
        Whether N(v,e) holds v itself. Without, hyperedges of v alone do not count.
    eps
        The floor of the power mean, where ``p`` is a number or a pair.
    intra_aggr, inter_aggr
        An :class:`~hypersage_dgl.nn.Aggregator` for one level, in the place of the power mean.
    feat_drop
        Dropout on the input features, DGL's meaning.
    dropout
        Dropout after the aggregation, before W.
    normalize
        Whether to scale h + F2 to unit length before W.
    bias
        Whether to add b.
    norm
        Callable applied last, after the activation, as in DGL.
    activation
        Callable applied to the result of W.

    Examples
    --------
    >>> import torch
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1, 2], [2, 3]], num_nodes=5)
    >>> conv = HyperSAGEConv(4, 2, p=2)
    >>> conv(g, torch.rand(5, 4)).shape
    torch.Size([5, 2])
    >>> conv
    HyperSAGEConv(4, 2, p=2)
    """

    def __init__(
        self,
        in_feats: int,
        out_feats: int,
        p: Power = 1.0,
        *,
        inter: str = "size",
        include_self: bool = True,
        eps: float = 1e-2,
        intra_aggr: Aggregator | None = None,
        inter_aggr: Aggregator | None = None,
        feat_drop: float = 0.0,
        dropout: float = 0.0,
        normalize: bool = True,
        bias: bool = True,
        norm: Callable[[Tensor], Tensor] | None = None,
        activation: Callable[[Tensor], Tensor] | None = None,
    ) -> None:
        super().__init__(in_feats, p, inter, include_self, eps, intra_aggr, inter_aggr)
        self.out_feats, self.normalize = out_feats, normalize
        self.feat_drop = require_rate(feat_drop, "feat_drop")
        self.dropout = require_rate(dropout, "dropout")
        self.linear = nn.Linear(in_feats, out_feats, bias=bias)
        self.norm, self.activation = norm, activation
        self._reset_linear()

    def reset_parameters(self) -> None:
        """Draw W by Xavier's rule, set b to zero, and reset learned aggregators."""
        self._reset_linear()
        self.intra_aggr.reset_parameters()
        self.inter_aggr.reset_parameters()

    def _reset_linear(self) -> None:
        nn.init.xavier_uniform_(self.linear.weight, gain=nn.init.calculate_gain("relu"))
        if self.linear.bias is not None:
            nn.init.zeros_(self.linear.bias)

    def forward(self, graph: Graph, feat: Tensor, edge_weight: Tensor | None = None) -> Tensor:
        """Compute the layer.

        Parameters
        ----------
        graph
            A hypergraph, or the pair of blocks of one sampled layer.
        feat
            Features of the nodes, dense or sparse (of a pair: of the first block's source nodes).
        edge_weight
            Incidence weights, positive, one for each edge of the relation ``in``; by default the
            graph's own ``weight``, if any.

        Returns
        -------
        Tensor
            One row for each node (of a pair: for each destination node of the second block).
        """
        if self.training and self.feat_drop > 0:
            feat = dropped(feat, self.feat_drop)
        return self.project(self.hidden(graph, feat, edge_weight))

    def hidden(self, graph: Graph, feat: Tensor, edge_weight: Tensor | None = None) -> Tensor:
        """H + F2, scaled to unit length if ``normalize``: the layer up to its parameters.

        The same for the same features, so that it can be kept where :attr:`is_constant`. Sparse
        (CSR) where the features are sparse and p=1.
        """
        aggregate = self._aggregate(graph, feat, edge_weight)
        if is_sparse(aggregate):
            rows = torch.arange(len(aggregate))
            return unit_sum(select_rows(feat, rows), aggregate, self.normalize)
        return self.unit(first_rows(feat, len(aggregate)), aggregate)

    def unit(self, own: Tensor, aggregate: Tensor) -> Tensor:
        """Add the self term, and scale to unit length if ``normalize``."""
        return F.normalize(own + aggregate, dim=-1) if self.normalize else own + aggregate

    @property
    def is_constant(self) -> bool:
        """Whether :meth:`hidden` stays the same from epoch to epoch for the same features."""
        learned = [*self.intra_aggr.parameters(), *self.inter_aggr.parameters()]
        return not learned and self.feat_drop == 0

    def project(self, hidden: Tensor) -> Tensor:
        """Dropout, W and b, activation and norm."""
        rate = self.dropout if self.training else 0.0
        out = dropped_linear(hidden, self.linear.weight, rate)
        if self.linear.bias is not None:
            out = out + self.linear.bias
        if self.activation is not None:
            out = self.activation(out)
        return out if self.norm is None else self.norm(out)

    def __repr__(self) -> str:
        parts = [str(self.in_feats), str(self.out_feats), *self.describe()]
        return f"HyperSAGEConv({', '.join(parts)})"
