"""The HyperSAGE layer: two stages of message passing, then the self term, the norm and W."""

from __future__ import annotations

from collections.abc import Callable

import dgl
import torch.nn.functional as F
from torch import Tensor, nn

from .._utils import (
    GraphCache,
    as_dense,
    check_feat,
    dropped,
    first_rows,
    is_autocast,
    is_sparse,
    require_rate,
)
from . import fast as fast_paths
from .aggregators import Aggregator
from .first_layer import kept_of
from .hyperedge_feats import HyperedgeMix, MakeMap
from .layer_arguments import (
    Power,
    check_mass,
    check_node_weight,
    check_width,
    describe,
    two_aggregators,
)
from .message_passing import pass_messages
from .node_weight import NodeWeight
from .pairs import pairs_of
from .prepare import prepare, prepare_inter, prepare_intra, with_mass
from .roles import is_ours
from .stage import Graph, Stage
from .unit import unit_rows
from .weighting import WEIGHTINGS, neighbors_of


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
    node_weight
        ``"equal"``, or ``"hypermsg"``: a_je is multiplied by a weight of node j that is learned
        from |N(j)| and |E(j)|, see :class:`~hypersage_dgl.nn.NodeWeight`.
    hyperedge_feats
        Width of the features f_e of hyperedges, ``g.nodes["hyperedge"].data["feat"]``: U f_e is
        added to F1(v,e). 0 takes none, whatever the graph has.
    hyperedge_map
        Callable that makes a module for the widths ``(hyperedge_feats, in_feats)``, in the place
        of U, a linear map without bias.
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
    cached
        Whether to keep the aggregate of a whole hypergraph, or of p=1 without dropout its lengths,
        for as long as hypergraph, weights and features are the same objects, unchanged. For a
        first layer, whose features stay the same; has no effect where something inside is learned,
        with ``feat_drop``, with an aggregator of your own, which may draw, and on blocks. Changes
        that torch does not count, such as by numpy, go unseen.
    fast
        Whether to take a faster way to the same numbers where there is one, see
        :mod:`hypersage_dgl.nn.fast`.

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
        node_weight: str = "equal",
        hyperedge_feats: int = 0,
        hyperedge_map: MakeMap | None = None,
        feat_drop: float = 0.0,
        dropout: float = 0.0,
        normalize: bool = True,
        bias: bool = True,
        norm: Callable[[Tensor], Tensor] | None = None,
        activation: Callable[[Tensor], Tensor] | None = None,
        cached: bool = False,
        fast: bool = True,
    ) -> None:
        super().__init__()
        if inter not in WEIGHTINGS:
            raise ValueError(f"inter is {inter!r}; it must be one of {', '.join(WEIGHTINGS)}")
        self.in_feats, self.out_feats = in_feats, out_feats
        self.inter, self.include_self, self.normalize = inter, include_self, normalize
        self.intra_aggr, self.inter_aggr = two_aggregators(p, eps, intra_aggr, inter_aggr)
        check_mass(inter, self.inter_aggr)
        check_node_weight(node_weight, self.intra_aggr)
        check_width(in_feats, self.intra_aggr, self.inter_aggr)
        self.feat_drop = require_rate(feat_drop, "feat_drop")
        self.dropout = require_rate(dropout, "dropout")
        self.linear = nn.Linear(in_feats, out_feats, bias=bias)
        self.norm, self.activation, self.cached, self.fast = norm, activation, cached, fast
        # |N(v)| where the weighting needs it, what the fast paths derive, and the kept aggregate.
        self.cache = GraphCache()
        self._reset_linear()
        # Made last, so that W is drawn as without it.
        self.weigh = NodeWeight() if node_weight == "hypermsg" else None
        mixes = hyperedge_feats != 0
        self.mix = HyperedgeMix(hyperedge_feats, in_feats, hyperedge_map) if mixes else None

    def reset_parameters(self) -> None:
        """Draw W by Xavier's rule, set b to zero, and reset learned aggregators."""
        self._reset_linear()
        self.intra_aggr.reset_parameters()
        self.inter_aggr.reset_parameters()
        for part in (self.weigh, self.mix):
            if part is not None:
                part.reset_parameters()

    def _reset_linear(self) -> None:
        nn.init.xavier_uniform_(self.linear.weight, gain=nn.init.calculate_gain("relu"))
        if self.linear.bias is not None:
            nn.init.zeros_(self.linear.bias)

    def aggregate(
        self,
        graph: Graph,
        feat: Tensor,
        edge_weight: Tensor | None = None,
        *,
        fast: bool | None = None,
    ) -> Tensor:
        """F2(F1(x)) alone, before the self term, dense: zeros for isolated nodes.

        ``fast=False`` is the plain reading for every option; by default the layer's own ``fast``.
        """
        intra, inter = prepare(self, graph, feat, edge_weight)
        return self.aggregate_stages(intra, inter, feat, self.fast if fast is None else fast)

    def aggregate_stages(self, intra: Stage, inter: Stage, feat: Tensor, fast: bool) -> Tensor:
        """:meth:`aggregate` of prepared stages, for features of any width."""
        if fast:
            out = self._fast_aggregate(intra, inter, feat)
            if out is not None:
                return out
        inside, across = intra, inter
        if not self.include_self:
            pairs = pairs_of(intra, inter)
            inside, across = pairs.inside(intra), pairs.across(inter.weight)
        rows = as_dense(feat)
        on_hyperedges = pass_messages(inside, rows, self.intra_aggr)  # F1
        on_nodes = pass_messages(across, on_hyperedges, self.inter_aggr)  # F2
        return with_mass(self, on_nodes, inter, across)

    def hyperedge_embed(
        self, graph: Graph, feat: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        """F1 over all members of each hyperedge, the intra stage: of none, the mean is zero."""
        intra, _ = prepare(self, graph, feat, edge_weight)
        return pass_messages(intra, as_dense(feat), self.intra_aggr)

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
        kept = kept_of(self, graph, feat, edge_weight) if self.cached else None
        if kept is not None:
            return kept.through(self, graph, edge_weight)
        self.check_input(feat)
        if self.training and self.feat_drop > 0:
            feat = dropped(feat, self.feat_drop)
        return self.project(self.hidden(graph, feat, edge_weight))

    def hidden(self, graph: Graph, feat: Tensor, edge_weight: Tensor | None = None) -> Tensor:
        """H + F2, scaled to unit length if ``normalize``: the layer up to its parameters.

        The same for the same features, so that it can be kept where :attr:`is_constant`. Sparse
        (CSR) where the features are sparse and p=1.
        """
        # A learned weight has dropout, so it is made once, by `aggregate`.
        is_plain = self.include_self and not self.has_mass and self.weigh is None
        if self.fast and is_sparse(feat) and is_plain:
            stages = prepare(self, graph, feat, edge_weight)
            total = fast_paths.sum_sparse(*stages, feat, self._aggregators, self.normalize)
            if total is not None:
                return total
        aggregate = self.aggregate(graph, feat, edge_weight)
        return self.unit(first_rows(feat, len(aggregate)), aggregate)

    def unit(self, own: Tensor, aggregate: Tensor) -> Tensor:
        """Add the self term, and scale to unit length if ``normalize``."""
        return unit_rows(own + aggregate) if self.normalize else own + aggregate

    def project(self, hidden: Tensor) -> Tensor:
        """Dropout, W and b, activation and norm."""
        rate = self.dropout if self.training else 0.0
        if self.fast:
            out = fast_paths.dropped_linear(hidden, self.linear.weight, rate)
        else:
            # A first layer that was kept by a model that may take faster paths can be sparse.
            out = F.linear(F.dropout(as_dense(hidden), rate), self.linear.weight)
        return self.finish(out)

    def finish(self, out: Tensor) -> Tensor:
        """Add b, then activation and norm."""
        if self.linear.bias is not None:
            out = out + self.linear.bias
        if self.activation is not None:
            out = self.activation(out)
        return out if self.norm is None else self.norm(out)

    def inside(self, intra: Stage, feat: Tensor) -> Tensor:
        """F1 over all members, the intra stage."""
        return pass_messages(prepare_intra(self, intra), feat, self.intra_aggr)

    def across(self, inter: Stage, inside: Tensor) -> Tensor:
        """F2 with self, the inter stage, of what each hyperedge holds."""
        inter = prepare_inter(self, inter)
        return with_mass(self, pass_messages(inter, inside, self.inter_aggr), inter, inter)

    def check_input(self, feat: Tensor, rows: int | None = None, stored: bool = False) -> None:
        """Refuse features that do not fit the weights; autocast converts them by itself."""
        dtype = None if is_autocast(feat) else self.linear.weight.dtype
        check_feat(feat, self.in_feats, rows=rows, dtype=dtype, stored=stored)

    @property
    def is_constant(self) -> bool:
        """Whether :meth:`hidden` stays the same from epoch to epoch for the same features."""
        # One of the user's own may draw, or do in training what it does not in evaluation.
        return not self.is_learned and is_ours(self.intra_aggr) and is_ours(self.inter_aggr)

    @property
    def is_learned(self) -> bool:
        """Whether what comes before W has parameters or dropout."""
        learned = [*self.intra_aggr.parameters(), *self.inter_aggr.parameters()]
        parts = (self.weigh, self.mix)
        return bool(learned) or self.feat_drop > 0 or any(part is not None for part in parts)

    @property
    def has_mass(self) -> bool:
        """Whether the weights w(v,e) need not sum to one."""
        return self.inter in ("paper", "invariant") and self.inter_aggr.reduce == "mean"

    @property
    def needs_neighbors(self) -> bool:
        """Whether a weight is made of |N(v)|, which must be counted."""
        return self.has_mass or self.weigh is not None

    def count_neighbors(self, graph: dgl.DGLGraph) -> Tensor:
        """|N(v)| of each node, counted once for a hypergraph."""
        return neighbors_of(graph, self.include_self, self.cache)

    @property
    def _aggregators(self) -> tuple[Aggregator, Aggregator]:
        return self.intra_aggr, self.inter_aggr

    def _fast_aggregate(self, intra: Stage, inter: Stage, feat: Tensor) -> Tensor | None:
        """:meth:`aggregate` by the first faster path that applies."""
        found = fast_paths.aggregate(
            intra, inter, feat, self._aggregators, self.include_self, self.inter != "mean"
        )
        if found is None:
            return None
        out, across = found
        return with_mass(self, out, inter, across)

    def __repr__(self) -> str:
        shown = {
            f"inter={self.inter!r}": self.inter != "size",
            "include_self=False": not self.include_self,
            "node_weight='hypermsg'": self.weigh is not None,
            f"hyperedge_feats={0 if self.mix is None else self.mix.feats}": self.mix is not None,
        }
        parts = [str(self.in_feats), str(self.out_feats)]
        parts += describe(self.intra_aggr, self.inter_aggr)
        return f"HyperSAGEConv({', '.join(parts + [text for text in shown if shown[text]])})"
