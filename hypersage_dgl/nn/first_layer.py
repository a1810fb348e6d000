"""The first layer of a model up to its parameters, kept: no epoch of training changes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import dgl
import torch
from torch import Tensor, nn

from .._utils import (
    as_dense,
    check_sparse_tensor,
    entries,
    is_autocast,
    is_half,
    is_sparse,
    select_rows,
)
from ..hypergraphs import HYPEREDGE, IN
from .fast import SPARSE_DENSITY, LinearFirst, is_linear, keep_linear, stored, sum_picked
from .prepare import Layer, stages_of
from .stage import Graph

CURE = "keep it again with model.first_layer(graph, feat), or give the features"


@dataclass(frozen=True, eq=False)
class FirstLayer:
    """What :class:`~hypersage_dgl.nn.HyperSAGE` takes in the place of features.

    Made by :meth:`HyperSAGE.first_layer`. Models that differ in their weights alone can share it;
    one whose first layer has other options refuses it.

    Attributes
    ----------
    hidden : Tensor
        h + F2 of each node, scaled to unit length if the layer does so; dense or CSR.
    made_by : Mapping
        The options of the layer that decide it.
    """

    hidden: Tensor
    made_by: Mapping[str, Any]

    def __post_init__(self) -> None:
        # Before anything follows its indices.
        if is_sparse(self.hidden):
            check_sparse_tensor(self.hidden, "the kept first layer")

    def __len__(self) -> int:
        return len(self.hidden)

    @property
    def entries(self) -> int:
        """Number of entries that a step reads."""
        return entries(self.hidden)

    def select(self, rows: Tensor) -> FirstLayer:
        """That of some nodes."""
        return FirstLayer(select_rows(self.hidden, rows), self.made_by)

    def compact(self) -> FirstLayer:
        """The same, sparse where that makes an epoch faster, else dense."""
        return FirstLayer(_compact(self.hidden), self.made_by)

    def through(self, layer: Layer, graph: Graph, edge_weight: Tensor | None = None) -> Tensor:
        """The layer's output."""
        return layer.project(self.hidden)

    def check(self, layer: Layer) -> None:
        """Refuse a layer that would have made another one."""
        if not layer.is_constant:
            raise ValueError(
                "the first layer of this model may change in training (something learned inside, "
                "feat_drop, or an aggregator of one's own), so a kept one would be wrong; give the "
                "features"
            )
        if self.hidden.shape[1] != layer.in_feats:
            raise ValueError(
                f"the kept first layer has {self.hidden.shape[1]} columns, this model takes "
                f"{layer.in_feats}; {CURE}"
            )
        dtype = layer.linear.weight.dtype
        if self.hidden.dtype != dtype and not is_autocast(self.hidden):
            raise TypeError(
                f"the kept first layer is of type {self.hidden.dtype}, and the model's weights of "
                f"{dtype}; {CURE}"
            )
        for name, value in options_of(layer).items():
            if self.made_by[name] != value:
                raise ValueError(
                    f"the first layer was kept by a model with {name} {_shown(self.made_by[name])}"
                    f", this one has {_shown(value)}; {CURE}"
                )


@dataclass(frozen=True, eq=False)
class LinearFirstLayer(FirstLayer):
    """The same of plain sums without dropout, where W can come first: see nn/fast/linear_first.

    ``hidden`` has no rows: it is made only for a layer that cannot take this way.
    """

    linear: LinearFirst
    count: int

    def __len__(self) -> int:
        return self.count

    @property
    def entries(self) -> int:
        """Number of entries that a step reads."""
        return self.linear.entries

    def through(self, layer: Layer, graph: Graph, edge_weight: Tensor | None = None) -> Tensor:
        """The layer's output."""
        if not _may_project(layer):
            return layer.project(layer.hidden(graph, self.linear.rows(), edge_weight))
        intra, inter = stages_of(layer, graph, edge_weight)
        out = self.linear.project(
            layer.linear.weight, lambda x: layer.aggregate_stages(intra, inter, x, fast=True)
        )
        return layer.finish(out)


def keep_first(
    layer: Layer,
    graph: Graph,
    feat: Tensor,
    edge_weight: Tensor | None = None,
    rows: Tensor | None = None,
) -> FirstLayer:
    """The first layer on a hypergraph, or on a pair of blocks; see ``HyperSAGE.first_layer``."""
    if not layer.is_constant:
        raise ValueError(
            "the first layer may change in training (something learned inside, feat_drop, or an "
            "aggregator of one's own), so it cannot be kept"
        )
    if rows is not None:
        found = None if is_sparse(feat) or is_half(feat) else _keep_picked(layer, graph, feat, rows)
        if found is not None:
            return found
        feat = select_rows(feat, rows)
        feat = feat.float() if is_half(feat) else feat
    layer.check_input(feat)
    with torch.no_grad():
        return FirstLayer(layer.hidden(graph, feat, edge_weight), options_of(layer))


def _keep_picked(layer: Layer, graph: Graph, feat: Tensor, rows: Tensor) -> FirstLayer | None:
    """The same of blocks of which ``rows`` are the input nodes; None where rows must be copied."""
    if not (layer.fast and layer.include_self and layer.inter in ("size", "mean")):
        return None
    layer.check_input(feat)
    intra, inter = stages_of(layer, graph)
    if len(rows) != intra.num_sources:
        raise ValueError(
            f"{len(rows)} rows for {intra.num_sources} input nodes of the blocks; give one for each"
        )
    aggregators = (layer.intra_aggr, layer.inter_aggr)
    with torch.no_grad():
        hidden = sum_picked(intra, inter, feat, rows, aggregators, bool(layer.normalize))
    return None if hidden is None else FirstLayer(hidden, options_of(layer))


def keep_lean(
    layer: Layer, graph: Graph, feat: Tensor, edge_weight: Tensor | None = None
) -> FirstLayer:
    """The first layer in the form that makes an epoch fastest, by its lengths alone if possible."""
    found = _keep_linear(layer, graph, feat, edge_weight)
    if found is not None:
        return found
    kept = keep_first(layer, graph, feat, edge_weight)
    # The plain reading knows no sparse rows.
    return kept.compact() if layer.fast else kept


def _keep_linear(
    layer: Layer, graph: Graph, feat: Tensor, edge_weight: Tensor | None
) -> LinearFirstLayer | None:
    if not _may_project(layer) or not layer.is_constant:
        return None
    layer.check_input(feat)
    with torch.no_grad():
        intra, inter = stages_of(layer, graph, edge_weight)
        # Blocks have more rows to project than come out.
        cost = min(feat.numel(), stored(feat) / SPARSE_DENSITY)
        if cost > inter.num_destinations * feat.shape[1]:
            return None
        linear = keep_linear(
            feat, lambda x: layer.aggregate_stages(intra, inter, x, fast=True), layer.normalize
        )
    if linear is None:
        return None
    none = torch.empty(0, feat.shape[1], dtype=feat.dtype, device=feat.device)
    return LinearFirstLayer(none, options_of(layer), linear, inter.num_destinations)


def kept_of(
    layer: Layer, graph: Graph, feat: Tensor, edge_weight: Tensor | None = None
) -> FirstLayer | None:
    """What the layer's cache keeps of a whole hypergraph; None where an epoch may change it."""
    if not isinstance(graph, dgl.DGLGraph) or IN not in graph.canonical_etypes or graph.is_block:
        return None
    if not isinstance(feat, Tensor) or not layer.is_constant:
        return None
    # Roles and weights among them.
    frames = (graph.edges[IN].data, graph.nodes[HYPEREDGE].data)
    reads = [feat, edge_weight, *(frame[name] for frame in frames for name in frame)]
    if any(tensor is not None and tensor.requires_grad for tensor in reads):
        return None
    decides = (options_of(layer), _may_project(layer), layer.fast, layer.linear.weight.dtype)
    return layer.cache.get(
        graph,
        "first layer",
        lambda: keep_lean(layer, graph, feat, edge_weight),
        reads,
        (*decides, is_autocast(feat), edge_weight is None),
    )


def _may_project(layer: Layer) -> bool:
    """Whether W can come first: only sums, no dropout between, and faster ways are allowed."""
    if not layer.fast or layer.dropout > 0:
        return False
    is_known = layer.linear.weight.dtype in (torch.float32, torch.float64)
    return is_known and is_linear(layer.intra_aggr, layer.inter_aggr)


def options_of(layer: Layer) -> dict[str, Any]:
    """All that decides what a layer without learned aggregators makes of features."""
    return {
        "inter": layer.inter,
        "include_self": layer.include_self,
        "normalize": bool(layer.normalize),
        "intra_aggr": _state(layer.intra_aggr),
        "inter_aggr": _state(layer.inter_aggr),
    }


def _state(aggregator: nn.Module) -> tuple[type[nn.Module], dict[str, Any]]:
    """Kind and public attributes, buffers included; what is private does not decide results."""
    public = {name: v for name, v in vars(aggregator).items() if not name.startswith("_")}
    public.pop("training")
    public.update(aggregator.state_dict())
    public.update({name: _state(child) for name, child in aggregator.named_children()})
    return type(aggregator), {
        name: v.tolist() if isinstance(v, Tensor) else v for name, v in public.items()
    }


def _shown(value: Any) -> str:
    if not isinstance(value, tuple):
        return repr(value)
    kind, state = value
    return f"{kind.__name__}({', '.join(f'{name}={v!r:.20}' for name, v in state.items())})"


def _compact(hidden: Tensor) -> Tensor:
    if hidden.device.type != "cpu" or hidden.numel() == 0:
        return hidden
    stored = hidden.values().numel() if is_sparse(hidden) else int(hidden.count_nonzero())
    if stored < SPARSE_DENSITY * hidden.numel():
        return hidden if is_sparse(hidden) else hidden.to_sparse_csr()
    return as_dense(hidden)
