"""The HyperSAGE layer."""

from __future__ import annotations

from typing import Callable, Union

import dgl
import torch.nn.functional as F
from torch import Tensor, nn

from .aggregators import Aggregator
from .levels import Power, check_mass, describe, two_levels
from .sparse_features import aggregate_sparse, dropped, first_rows, is_sparse, stays_sparse
from .stage import Stage, combine, mean_of, rooted, split_stages
from .weighting import WEIGHTINGS, Mass, hyperedge_weight
from .without_self import intra_without_self, pairs_of

Graph = Union[dgl.DGLGraph, "tuple[dgl.DGLGraph, dgl.DGLGraph]"]


class HyperSAGEConv(nn.Module):
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
        Callable applied to the result of W, before the activation, as in DGL.
    activation
        Callable applied last.

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
        super().__init__()
        if inter not in WEIGHTINGS:
            raise ValueError(f"inter is {inter!r}; it must be one of {', '.join(WEIGHTINGS)}")
        self.in_feats, self.out_feats = in_feats, out_feats
        self.inter, self.include_self, self.normalize = inter, include_self, normalize
        self.intra_aggr, self.inter_aggr = two_levels(p, eps, intra_aggr, inter_aggr)
        check_mass(inter, self.inter_aggr)
        self.feat_drop, self.dropout = nn.Dropout(feat_drop), nn.Dropout(dropout)
        self.linear = nn.Linear(in_feats, out_feats, bias=bias)
        self.norm, self.activation = norm, activation
        self._mass = Mass()
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw W by Xavier's rule, set b to zero, and reset learned aggregators."""
        nn.init.xavier_uniform_(self.linear.weight, gain=nn.init.calculate_gain("relu"))
        if self.linear.bias is not None:
            nn.init.zeros_(self.linear.bias)
        self.intra_aggr.reset_parameters()
        self.inter_aggr.reset_parameters()

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
        if self.training and self.feat_drop.p > 0:
            rate = self.feat_drop.p
            feat = dropped(feat, rate) if is_sparse(feat) else F.dropout(feat, rate)
        aggregate = self.aggregate(graph, feat, edge_weight)
        return self.update(first_rows(feat, len(aggregate)), aggregate)

    def update(self, own: Tensor, aggregate: Tensor) -> Tensor:
        """Combine the self term with the aggregate F2 and apply W, norm and activation."""
        hidden = own + aggregate
        if self.normalize:
            hidden = F.normalize(hidden, dim=-1)
        out: Tensor = self.linear(self.dropout(hidden))
        if self.norm is not None:
            out = self.norm(out)
        return out if self.activation is None else self.activation(out)

    def aggregate(
        self,
        graph: Graph,
        feat: Tensor,
        edge_weight: Tensor | None = None,
        *,
        fused: bool = True,
    ) -> Tensor:
        """F2(F1(x)) alone, before the self term: zeros for isolated nodes.

        ``fused=False`` always takes the plain path: both levels with their own lift and root.
        """
        intra, inter = split_stages(graph)
        self.check_feat(intra, feat)
        edge_weight = _incidence_weight(intra, edge_weight)
        levels = (self.intra_aggr, self.inter_aggr)
        if is_sparse(feat) and not (self.include_self and stays_sparse(feat, *levels)):
            feat = feat.to_dense()
        if not self.include_self:
            pairs = pairs_of(intra, inter)
            inside = intra_without_self(intra, pairs, feat, self.intra_aggr, edge_weight)
            return self.across(inter, pairs.inter(), inside, pairs.hyperedge)
        if is_sparse(feat):
            weight = self._hyperedge_weight(inter)
            out = aggregate_sparse(intra, inter, feat, levels, weight, edge_weight)
            return self._rescaled(out, inter, inter, weight)
        if fused and self.intra_aggr.cancels(self.inter_aggr):
            return self._fused(intra, inter, feat, edge_weight)
        inside = combine(intra, feat, self.intra_aggr, edge_weight=edge_weight)
        return self.across(inter, inter, inside)

    def hyperedge_embed(
        self, graph: Graph, feat: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        """F1 over all members of each hyperedge, the intra stage: zeros for an empty hyperedge."""
        intra, _ = split_stages(graph)
        self.check_feat(intra, feat)
        edge_weight = _incidence_weight(intra, edge_weight)
        dense = feat.to_dense() if is_sparse(feat) else feat
        return combine(intra, dense, self.intra_aggr, edge_weight=edge_weight)

    def _fused(
        self, intra: Stage, inter: Stage, feat: Tensor, edge_weight: Tensor | None
    ) -> Tensor:
        """One lift, two sums, one root: between the levels root and lift undo each other."""
        weight = self._hyperedge_weight(inter)
        total = intra.gather(self.intra_aggr.lift(feat), "sum", edge_weight)
        size = intra.mass(None, edge_weight, total)
        scale = (1 if weight is None else weight.to(total.dtype).unsqueeze(-1)) / size
        # By size and without weights the sum inside a hyperedge is its share already.
        if not bool((scale == 1).all()):
            total = total * scale.masked_fill(size == 0, 0)
        total = inter.gather(total, "sum")
        out = rooted(self.inter_aggr, *mean_of(total, inter.mass(weight, None, total)))
        return self._rescaled(out, inter, inter, weight)

    def across(
        self, inter: Stage, stage: Stage, inside: Tensor, hyperedge: Tensor | None = None
    ) -> Tensor:
        """F2, the inter stage, of what each source holds.

        The sources of ``stage`` are the hyperedges of ``inter`` or, without self, pairs of a node
        and one of its hyperedges, named by ``hyperedge``.
        """
        weight = self._hyperedge_weight(inter)
        if weight is not None and hyperedge is not None:
            weight = weight[hyperedge]
        return self._rescaled(combine(stage, inside, self.inter_aggr, weight), inter, stage, weight)

    def _hyperedge_weight(self, inter: Stage) -> Tensor | None:
        by_size = self.inter != "mean" and self.inter_aggr.reduce == "mean"
        return hyperedge_weight(inter, by_size, self.include_self)

    def _rescaled(self, out: Tensor, inter: Stage, counted: Stage, weight: Tensor | None) -> Tensor:
        if not self.has_mass:
            return out
        mass = self._mass(inter, counted, weight, self.inter, self.include_self)
        return self.inter_aggr.rescale(out, mass)

    @property
    def has_mass(self) -> bool:
        """Whether the weights w(v,e) need not sum to one, so that |N(v)| must be counted."""
        return self.inter in ("paper", "invariant") and self.inter_aggr.reduce == "mean"

    def check_feat(self, intra: Stage, feat: Tensor) -> None:
        """Refuse features that do not fit the graph or the layer."""
        shape = (intra.graph.num_src_nodes(intra.etype[0]), self.in_feats)
        if tuple(feat.shape) != shape or not feat.is_floating_point():
            raise ValueError(
                f"feat has shape {tuple(feat.shape)} and type {feat.dtype}; the layer needs "
                f"{shape}, a row for each node and a column for each of in_feats, as floats"
            )

    def __repr__(self) -> str:
        parts = [str(self.in_feats), str(self.out_feats)]
        parts += describe(self.intra_aggr, self.inter_aggr)
        if self.inter != "size":
            parts.append(f"inter={self.inter!r}")
        if not self.include_self:
            parts.append("include_self=False")
        return f"HyperSAGEConv({', '.join(parts)})"


def _incidence_weight(intra: Stage, edge_weight: Tensor | None) -> Tensor | None:
    if edge_weight is None:
        return intra.graph.edges[intra.etype].data.get("weight")
    count = intra.graph.num_edges(intra.etype)
    if tuple(edge_weight.shape) != (count,) or not bool((edge_weight > 0).all()):
        raise ValueError(
            f"edge_weight has shape {tuple(edge_weight.shape)}; it needs one positive number "
            f"for each of the {count} incidences"
        )
    return edge_weight
