"""Two-level aggregation F2(F1(x)): inside every hyperedge, then across a node's hyperedges."""

from __future__ import annotations

from typing import Union

import dgl
from torch import Tensor, nn

from .._utils import is_sparse
from ..hypergraphs import HYPEREDGE
from .aggregators import Aggregator
from .levels import Power, check_mass, describe, two_levels
from .sparse_features import aggregate_sparse, stays_sparse
from .stage import Stage, combine, mean_of, rooted, split_stages
from .weighting import WEIGHTINGS, Mass, checked_weight, hyperedge_weight
from .without_self import intra_without_self, pairs_of

Graph = Union[dgl.DGLGraph, "tuple[dgl.DGLGraph, dgl.DGLGraph]"]


class TwoLevelAggregation(nn.Module):
    """The part of :class:`~hypersage_dgl.nn.HyperSAGEConv` without W, whose options it shares."""

    def __init__(
        self,
        in_feats: int,
        p: Power,
        inter: str,
        include_self: bool,
        eps: float,
        intra_aggr: Aggregator | None,
        inter_aggr: Aggregator | None,
    ) -> None:
        super().__init__()
        if inter not in WEIGHTINGS:
            raise ValueError(f"inter is {inter!r}; it must be one of {', '.join(WEIGHTINGS)}")
        self.in_feats, self.inter, self.include_self = in_feats, inter, include_self
        self.intra_aggr, self.inter_aggr = two_levels(p, eps, intra_aggr, inter_aggr)
        check_mass(inter, self.inter_aggr)
        for aggregator in (self.intra_aggr, self.inter_aggr):
            if aggregator.width not in (None, in_feats):
                raise ValueError(
                    f"{aggregator!r} is made for {aggregator.width} channels, the layer has "
                    f"in_feats={in_feats}; make it for that width (for a model, pass the class)"
                )
        self.mass = Mass()

    def aggregate(
        self,
        graph: Graph,
        feat: Tensor,
        edge_weight: Tensor | None = None,
        *,
        fused: bool = True,
    ) -> Tensor:
        """F2(F1(x)) alone, before the self term, dense: zeros for isolated nodes.

        ``fused=False`` always takes the plain path: both levels with their own lift and root.
        """
        out = self._aggregate(graph, feat, edge_weight, fused=fused)
        return out.to_dense() if is_sparse(out) else out

    def _aggregate(
        self, graph: Graph, feat: Tensor, edge_weight: Tensor | None, fused: bool = True
    ) -> Tensor:
        intra, inter = split_stages(graph)
        self.check_feat(intra, feat)
        edge_weight = _incidence_weight(intra, edge_weight)
        levels = (self.intra_aggr, self.inter_aggr)
        weights = (feat, edge_weight, inter.graph.srcnodes[HYPEREDGE].data.get("weight"))
        is_learned = any(w is not None and w.requires_grad for w in weights)
        can_stay = self.include_self and not is_learned and stays_sparse(feat, *levels)
        if is_sparse(feat) and not can_stay:
            feat = feat.to_dense()
        if not self.include_self:
            pairs = pairs_of(intra, inter)
            inside = intra_without_self(intra, pairs, feat, self.intra_aggr, edge_weight)
            return self.across(inter, pairs.inter(), inside, pairs.hyperedge)
        if is_sparse(feat):
            weight = self._hyperedge_weight(inter)
            out = aggregate_sparse(intra, inter, feat, levels, weight, edge_weight)
            if self.has_mass and is_sparse(out):
                out = out.to_dense()
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
        is_bare = edge_weight is None and inter.graph.srcnodes[HYPEREDGE].data.get("weight") is None
        # By size and without weights the sum inside a whole hyperedge is its share already.
        if not (is_bare and self.inter != "mean" and not inter.graph.is_block):
            scale = (1 if weight is None else weight.to(total.dtype).unsqueeze(-1)) / size
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
        mass = self.mass(inter, counted, weight, self.inter, self.include_self)
        return self.inter_aggr.rescale(out, mass).to(out.dtype)

    @property
    def has_mass(self) -> bool:
        """Whether the weights w(v,e) need not sum to one, so that |N(v)| must be counted."""
        return self.inter in ("paper", "invariant") and self.inter_aggr.reduce == "mean"

    def check_feat(self, intra: Stage, feat: Tensor) -> None:
        """Refuse features that do not fit the graph or the layer."""
        shape = (intra.graph.num_src_nodes(intra.etype[0]), self.in_feats)
        if not isinstance(feat, Tensor):
            raise TypeError(
                f"feat is a {type(feat).__name__}; it must be one tensor of shape {shape}"
            )
        if tuple(feat.shape) != shape or not feat.is_floating_point():
            raise ValueError(
                f"feat has shape {tuple(feat.shape)} and type {feat.dtype}; the layer needs "
                f"{shape}, a row for each node and a column for each of in_feats, as floats"
            )

    def describe(self) -> list[str]:
        """The aggregation's options that differ from their defaults, as they are written."""
        parts = describe(self.intra_aggr, self.inter_aggr)
        if self.inter != "size":
            parts.append(f"inter={self.inter!r}")
        if not self.include_self:
            parts.append("include_self=False")
        return parts


def _incidence_weight(intra: Stage, edge_weight: Tensor | None) -> Tensor | None:
    if edge_weight is None:
        edge_weight = intra.graph.edges[intra.etype].data.get("weight")
    return checked_weight(edge_weight, intra.graph.num_edges(intra.etype), "incidence weight")
