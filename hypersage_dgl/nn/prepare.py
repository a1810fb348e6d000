"""The two stages of a layer on a graph, with all that weighs or is added in them."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from torch import Tensor, nn

from .._utils import GraphCache, check_feat, check_summable
from ..hypergraphs import check_relations
from .aggregators import Aggregator
from .hyperedge_feats import HyperedgeMix
from .node_weight import NodeWeight
from .roles import is_by_role
from .stage import Graph, Stage, split_stages
from .weighting import hyperedge_weight, incidence_weight, mass_of, member_counts, scaled


class Layer(Protocol):
    """What the parts of a :class:`~hypersage_dgl.nn.HyperSAGEConv` read and call of it."""

    in_feats: int
    inter: str
    include_self: bool
    intra_aggr: Aggregator
    inter_aggr: Aggregator
    weigh: NodeWeight | None
    mix: HyperedgeMix | None
    normalize: bool
    dropout: float
    linear: nn.Linear
    fast: bool
    cache: GraphCache

    @property
    def has_mass(self) -> bool:
        """Whether the weights w(v,e) need not sum to one."""

    @property
    def is_constant(self) -> bool:
        """Whether :meth:`hidden` stays the same for the same features."""

    def check_input(self, feat: Tensor) -> None:
        """Refuse features that do not fit."""

    def hidden(self, graph: Graph, feat: Tensor, edge_weight: Tensor | None = None) -> Tensor:
        """The layer up to its parameters."""

    def aggregate_stages(self, intra: Stage, inter: Stage, feat: Tensor, fast: bool) -> Tensor:
        """F2(F1(x)) of prepared stages."""

    def project(self, hidden: Tensor) -> Tensor:
        """Dropout, W and b, activation and norm."""

    def finish(self, out: Tensor) -> Tensor:
        """All after W."""


def prepare(
    conv: Layer, graph: Graph, feat: Tensor, edge_weight: Tensor | None = None
) -> tuple[Stage, Stage]:
    """Intra and inter stage of a graph, or of a pair of blocks, as the layer needs them."""
    intra, inter = _checked(conv, graph)
    check_feat(feat, conv.in_feats, rows=intra.num_sources)
    check_summable(feat)
    return prepare_intra(conv, intra, edge_weight), prepare_inter(conv, inter)


def stages_of(conv: Layer, graph: Graph, edge_weight: Tensor | None = None) -> tuple[Stage, Stage]:
    """The same for rows of any width, which are not looked at."""
    intra, inter = _checked(conv, graph)
    return prepare_intra(conv, intra, edge_weight), prepare_inter(conv, inter)


def _checked(conv: Layer, graph: Graph) -> tuple[Stage, Stage]:
    intra, inter = split_stages(graph, conv.cache)
    if intra.graph is inter.graph:
        check_relations(intra.graph, conv.cache)
    return intra, inter


def prepare_intra(conv: Layer, intra: Stage, edge_weight: Tensor | None = None) -> Stage:
    """The intra stage with a_je, times w_j if that is learned; with U f_e and roles, if any."""
    weight = incidence_weight(intra, edge_weight)
    if conv.weigh is not None:
        learned = conv.weigh(*member_counts(intra, conv.include_self, conv.cache))
        of_member = learned[intra.edges[0]]
        weight = of_member if weight is None else of_member * weight
    return replace(
        intra,
        edge_weight=weight,
        offset=None if conv.mix is None else conv.mix(intra),
        role=conv.intra_aggr.roles_of(intra) if is_by_role(conv.intra_aggr) else None,
    )


def prepare_inter(conv: Layer, inter: Stage) -> Stage:
    """The inter stage with w(v,e) before they are brought to sum one."""
    by_size = conv.inter != "mean" and conv.inter_aggr.reduce == "mean"
    return replace(inter, weight=hyperedge_weight(inter, by_size, conv.include_self))


def with_mass(conv: Layer, out: Tensor, inter: Stage, across: Stage) -> Tensor:
    """Scale a mean to weights w(v,e) that do not sum to one, where there are such."""
    if not conv.has_mass:
        return out
    mass = mass_of(conv.inter, inter, across, conv.include_self, conv.cache)
    return scaled(conv.inter_aggr, out, mass)
