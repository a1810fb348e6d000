"""One level of message passing: reduce the inputs of every neighbourhood with an aggregator."""

from __future__ import annotations

from dataclasses import dataclass

import dgl
import dgl.function as fn
import torch
from torch import Tensor

from ..hypergraphs import CONTAINS, HYPEREDGE, IN, NODE
from .aggregators import Aggregator
from .power_mean import PowerMean

BUILT_IN = {"sum": fn.sum, "max": fn.max, "min": fn.min}


@dataclass(frozen=True)
class Stage:
    """One relation of a graph or block, from its sources to its destinations."""

    graph: dgl.DGLGraph
    etype: tuple[str, str, str]

    def gather(self, x: Tensor, reduce: str, edge_weight: Tensor | None = None) -> Tensor:
        """Sum, max or min of the sources' rows at each destination; zeros where there is none."""
        if self.graph.num_edges(self.etype) == 0:
            return self._zeros(x)
        with self.graph.local_scope():
            self.graph.srcnodes[self.etype[0]].data["_x"] = x
            message = fn.copy_u("_x", "_m")
            if edge_weight is not None:
                self.graph.edges[self.etype].data["_a"] = edge_weight.to(x.dtype).unsqueeze(-1)
                message = fn.u_mul_e("_x", "_a", "_m")
            self.graph.update_all(message, BUILT_IN[reduce]("_m", "_y"), etype=self.etype)
            return self.graph.dstnodes[self.etype[2]].data["_y"]

    def gather_edges(self, x: Tensor, reduce: str) -> Tensor:
        """Sum, max or min of the edges' rows at each destination; zeros where there is none."""
        if self.graph.num_edges(self.etype) == 0:
            return self._zeros(x)
        with self.graph.local_scope():
            self.graph.edges[self.etype].data["_x"] = x
            self.graph.update_all(
                fn.copy_e("_x", "_m"), BUILT_IN[reduce]("_m", "_y"), etype=self.etype
            )
            return self.graph.dstnodes[self.etype[2]].data["_y"]

    def _zeros(self, x: Tensor) -> Tensor:
        # Without an edge DGL's maximum has no gradient and its Python reducers no result.
        return x.new_zeros(self.graph.num_dst_nodes(self.etype[2]), x.shape[1])

    def edges(self) -> tuple[Tensor, Tensor]:
        """Source and destination of every edge, by edge id."""
        sources, destinations = self.graph.edges(etype=self.etype, order="eid")
        return sources.long(), destinations.long()

    def in_degrees(self) -> Tensor:
        """Number of edges into each destination."""
        return self.graph.in_degrees(etype=self.etype).long()

    def mass(self, weight: Tensor | None, edge_weight: Tensor | None, like: Tensor) -> Tensor:
        """Sum of the weights at each destination, as a column."""
        if weight is None and edge_weight is None:
            return self.in_degrees().to(like.dtype).unsqueeze(-1)
        ones = like.new_ones(self.graph.num_src_nodes(self.etype[0]), 1)
        column = ones if weight is None else weight.to(like.dtype).unsqueeze(-1)
        return self.gather(column, "sum", edge_weight)


def split_stages(
    graph: dgl.DGLGraph | tuple[dgl.DGLGraph, dgl.DGLGraph],
) -> tuple[Stage, Stage]:
    """Intra and inter stage of a hypergraph, or of the pair of blocks of one layer."""
    first, second = _pair(graph)
    for part, etype in ((first, IN), (second, CONTAINS)):
        if etype not in part.canonical_etypes:
            raise ValueError(
                f"the graph has the relations {part.canonical_etypes} but not {etype}; build it "
                "with hypersage_dgl.hypergraph, or sample it with HyperSAGESampler"
            )
    intra, inter = Stage(first, IN), Stage(second, CONTAINS)
    made, used = first.num_dst_nodes(HYPEREDGE), second.num_src_nodes(HYPEREDGE)
    ids = (first.dstnodes[HYPEREDGE].data, second.srcnodes[HYPEREDGE].data)
    fits = made == used and first.num_src_nodes(NODE) >= second.num_dst_nodes(NODE)
    if fits and first is not second and all(dgl.NID in data for data in ids):
        fits = torch.equal(ids[0][dgl.NID], ids[1][dgl.NID])
    if not fits:
        raise ValueError(
            f"the blocks do not fit: the first makes {made} hyperedges and the second takes "
            f"{used}, or others; a layer needs the two blocks of one sampling, in their order"
        )
    return intra, inter


def _pair(graph: object) -> tuple[dgl.DGLGraph, dgl.DGLGraph]:
    if isinstance(graph, dgl.DGLGraph) and not graph.is_block:
        return graph, graph
    if isinstance(graph, (tuple, list)) and len(graph) == 2:
        first, second = graph
        if isinstance(first, dgl.DGLGraph) and isinstance(second, dgl.DGLGraph):
            return first, second
    raise TypeError(
        f"expected a hypergraph or the pair of blocks of one layer, got {graph!r:.80}; "
        "HyperSAGESampler makes such pairs"
    )


def combine(
    stage: Stage,
    x: Tensor,
    aggregator: Aggregator,
    weight: Tensor | None = None,
    edge_weight: Tensor | None = None,
) -> Tensor:
    """Aggregate the sources' rows at each destination; zeros where there is no source.

    ``weight`` weighs sources, ``edge_weight`` edges; both are normalised for ``"mean"``.
    """
    if isinstance(aggregator, PowerMean) and aggregator.needs_pivot:
        return _combine_pivoted(stage, x, aggregator, weight, edge_weight)
    lifted = aggregator.lift(x)
    if not isinstance(aggregator.reduce, str):
        return rooted(aggregator, _mailboxes(stage, lifted, aggregator), stage.in_degrees() == 0)
    if aggregator.reduce in ("max", "min"):
        reduced = stage.gather(lifted, aggregator.reduce)
        return rooted(aggregator, reduced, stage.in_degrees() == 0)
    if weight is not None:
        lifted = lifted * weight.to(lifted.dtype).unsqueeze(-1)
    total = stage.gather(lifted, "sum", edge_weight)
    mass = stage.mass(weight, edge_weight, total)
    if aggregator.reduce == "sum":
        return rooted(aggregator, total, mass.squeeze(-1) == 0)
    return rooted(aggregator, *mean_of(total, mass))


def mean_of(total: Tensor, mass: Tensor) -> tuple[Tensor, Tensor]:
    """Divide a sum by its weights, and tell which rows have none."""
    is_empty = mass == 0
    mass = mass.masked_fill(is_empty, 1)
    # A sum is nobody else's, so unless its weights are learned it can be divided where it stands.
    return total / mass if mass.requires_grad else total.div_(mass), is_empty.squeeze(-1)


def rooted(aggregator: Aggregator, reduced: Tensor, is_empty: Tensor) -> Tensor:
    """Take the root of every row but the empty ones, which are zero already and stay so."""
    if aggregator.is_identity:
        return reduced
    if not bool(is_empty.any()):
        return aggregator.root_in_place(reduced)
    # An empty row passes through the root as if its only input were 1: no NaN in its gradient.
    one = aggregator.lift(reduced.new_ones(1, reduced.shape[1]))
    column = is_empty.unsqueeze(-1)
    return aggregator.root_in_place(torch.where(column, one, reduced)).masked_fill(column, 0)


def _combine_pivoted(
    stage: Stage,
    x: Tensor,
    aggregator: PowerMean,
    weight: Tensor | None,
    edge_weight: Tensor | None,
) -> Tensor:
    """Power mean with every input divided by the dominant one of its neighbourhood."""
    sources, destinations = stage.edges()
    x = aggregator.floor(x)
    sign = aggregator.sign
    # M_p(x) = c·M_p(x/c) for any c > 0, so no gradient needs to pass through c.
    pivot = sign * stage.gather(sign * x.detach(), "max")
    powers = aggregator.power(x[sources] / pivot[destinations])
    total = stage.gather_edges(_weighted(powers, sources, weight, edge_weight), "sum")
    reduced, is_empty = mean_of(total, stage.mass(weight, edge_weight, total))
    return pivot * rooted(aggregator, reduced, is_empty)


def _weighted(
    rows: Tensor, sources: Tensor, weight: Tensor | None, edge_weight: Tensor | None
) -> Tensor:
    if weight is not None:
        rows = rows * weight[sources].to(rows.dtype).unsqueeze(-1)
    if edge_weight is not None:
        rows = rows * edge_weight.to(rows.dtype).unsqueeze(-1)
    return rows


def _mailboxes(stage: Stage, x: Tensor, aggregator: Aggregator) -> Tensor:
    """Reduce with a Python function on mailboxes of equal length."""
    reduce = aggregator.reduce
    assert callable(reduce)
    if stage.graph.num_edges(stage.etype) == 0:
        return stage._zeros(x)
    with stage.graph.local_scope():
        stage.graph.srcnodes[stage.etype[0]].data["_x"] = x
        stage.graph.update_all(
            fn.copy_u("_x", "_m"),
            lambda nodes: {"_y": reduce(nodes.mailbox["_m"])},
            etype=stage.etype,
        )
        return stage.graph.dstnodes[stage.etype[2]].data["_y"]
