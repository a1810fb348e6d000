"""The HyperSAGE model: layers in a row, on a hypergraph or on sampled blocks."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Union

import dgl
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .._utils import GraphCache, PerLayer, per_layer, require_count
from ..hypergraphs import IN
from .aggregators import Aggregator
from .hypersageconv import HyperSAGEConv
from .levels import Power
from .power_mean import PowerMean
from .streaming import stream_layer

Pairs = Sequence["tuple[dgl.DGLGraph, dgl.DGLGraph]"]
MakeAggregator = Union[Aggregator, Callable[[int], Aggregator]]


class HyperSAGE(nn.Module):
    """HyperSAGE for node classification; the last layer gives logits.

    Parameters
    ----------
    in_feats, hidden_feats, out_feats
        Width of the input, of each hidden layer, and of the output.
    num_layers
        Number of layers.
    p, dropout, inter, include_self, eps, feat_drop, normalize, bias
        Options of every :class:`~hypersage_dgl.nn.HyperSAGEConv`; ``feat_drop`` acts on the first
        layer's input alone; ``dropout`` and ``normalize`` are one value, or one for each layer. A
        ``PowerMean`` is made anew for each layer, so that a learned p is each layer's own (by
        channel: as many as the layer is wide).
    intra_aggr, inter_aggr
        An aggregator, copied for each layer, or a callable that makes one for a layer's width,
        such as the class ``LSTM``.
    norm
        Callable that makes a hidden layer's norm for its width, such as ``nn.LayerNorm``.
    activation
        Callable applied after every hidden layer.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1, 2], [2, 3]], num_nodes=5)
    >>> model = HyperSAGE(4, 8, 3)
    >>> model(g, torch.rand(5, 4)).shape
    torch.Size([5, 3])
    >>> model.embed(g, torch.rand(5, 4)).shape
    torch.Size([5, 8])
    """

    def __init__(
        self,
        in_feats: int,
        hidden_feats: int,
        out_feats: int,
        num_layers: int = 2,
        p: Power = 1.0,
        dropout: PerLayer[float] = 0.5,
        *,
        inter: str = "size",
        include_self: bool = True,
        eps: float = 1e-2,
        intra_aggr: MakeAggregator | None = None,
        inter_aggr: MakeAggregator | None = None,
        feat_drop: float = 0.0,
        normalize: PerLayer[bool] = True,
        bias: bool = True,
        norm: Callable[[int], nn.Module] | None = None,
        activation: Callable[[Tensor], Tensor] = F.relu,
    ) -> None:
        super().__init__()
        num_layers = require_count(num_layers, "num_layers")
        dropouts = per_layer(dropout, num_layers, "dropout")
        normalizes = per_layer(normalize, num_layers, "normalize")
        # As given, so that a checkpoint can say how to make this model again.
        self.config: dict[str, Any] = {
            "in_feats": in_feats,
            "hidden_feats": hidden_feats,
            "out_feats": out_feats,
            "num_layers": num_layers,
            "p": p,
            "dropout": dropout,
            "inter": inter,
            "include_self": include_self,
            "eps": eps,
            "intra_aggr": intra_aggr,
            "inter_aggr": inter_aggr,
            "feat_drop": feat_drop,
            "normalize": normalize,
            "bias": bias,
            "norm": norm,
            "activation": activation,
        }
        widths = [in_feats, *[hidden_feats] * (num_layers - 1), out_feats]
        self.layers = nn.ModuleList()
        # |N(v)|, where a weighting needs it, is counted once for all layers.
        cache = GraphCache()
        for i, (width, out_width) in enumerate(zip(widths, widths[1:])):
            is_last = i == num_layers - 1
            intra = _made(intra_aggr, width, "intra_aggr")
            is_shared = inter_aggr is not None and inter_aggr is intra_aggr
            with warnings.catch_warnings():
                if i > 0:  # what there is to warn of, the first layer has said
                    warnings.simplefilter("ignore")
                layer = HyperSAGEConv(
                    width,
                    out_width,
                    p.for_width(width) if isinstance(p, PowerMean) else p,
                    inter=inter,
                    include_self=include_self,
                    eps=eps,
                    intra_aggr=intra,
                    inter_aggr=intra if is_shared else _made(inter_aggr, width, "inter_aggr"),
                    feat_drop=feat_drop if i == 0 else 0.0,
                    dropout=dropouts[i],
                    normalize=normalizes[i],
                    bias=bias,
                    norm=None if is_last or norm is None else norm(out_width),
                    activation=None if is_last else activation,
                )
            layer.cache = cache
            self.layers.append(layer)

    def reset_parameters(self) -> None:
        """Draw all parameters anew."""
        for layer in self._convs():
            layer.reset_parameters()

    def forward(
        self, graph: dgl.DGLGraph | Pairs, feat: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        """Logits of every node, or of the output nodes of sampled blocks.

        Parameters
        ----------
        graph
            A hypergraph, or one pair of blocks for each layer as ``HyperSAGESampler`` draws them.
        feat
            Features, dense or sparse, of every node or of the sampled input nodes.
        edge_weight
            Incidence weights of a hypergraph; those of blocks ride along in the blocks.
        """
        return self._run(graph, feat, edge_weight, len(self.layers))

    @property
    def first(self) -> HyperSAGEConv:
        """The first layer, the only one that sees the features themselves."""
        return self._convs()[0]

    def forward_from(self, hidden: Tensor, graph: dgl.DGLGraph | Pairs) -> Tensor:
        """:meth:`forward` from a kept ``first.hidden(graph, feat)``, which no epoch changes."""
        feat = self.first.project(hidden)
        for i, layer in enumerate(self._convs()[1:], start=1):
            feat = layer(graph if isinstance(graph, dgl.DGLGraph) else graph[i], feat)
        return feat

    def embed(
        self, graph: dgl.DGLGraph | Pairs, feat: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        """Output of the last hidden layer."""
        if len(self.layers) == 1:
            raise ValueError("a model of one layer has no hidden layer; use num_layers=2 or more")
        return self._run(graph, feat, edge_weight, len(self.layers) - 1)

    @torch.no_grad()
    def inference(
        self,
        g: dgl.DGLGraph,
        feat: Tensor,
        batch_size: int = 4096,
        edge_weight: Tensor | None = None,
    ) -> Tensor:
        """Logits of every node by the full neighbourhood, without dropout, in bounded memory.

        Layer by layer, first the hyperedges and then the nodes pass in chunks of ``batch_size``.
        The result is that of the whole-graph forward in evaluation mode.
        """
        batch_size = require_count(batch_size, "batch_size")
        if edge_weight is not None:
            g = g.local_var()
            g.edges[IN].data["weight"] = edge_weight
        modes = [(module, module.training) for module in self.modules()]
        self.eval()
        try:
            for layer in self._convs():
                feat = stream_layer(layer, g, feat, batch_size)
        finally:
            for module, mode in modes:
                module.training = mode
        return feat

    def _convs(self) -> list[HyperSAGEConv]:
        # nn.ModuleList forgets the type of its items.
        return [layer for layer in self.layers if isinstance(layer, HyperSAGEConv)]

    def _run(
        self, graph: dgl.DGLGraph | Pairs, feat: Tensor, edge_weight: Tensor | None, depth: int
    ) -> Tensor:
        if isinstance(graph, dgl.DGLGraph):
            for layer in self._convs()[:depth]:
                feat = layer(graph, feat, edge_weight)
            return feat
        if len(graph) != len(self.layers):
            raise ValueError(
                f"{len(graph)} pairs of blocks for {len(self.layers)} layers; sample with "
                f"HyperSAGESampler(num_layers={len(self.layers)}, ...)"
            )
        if edge_weight is not None:
            raise ValueError("blocks carry their own incidence weights; set them in the hypergraph")
        for layer, pair in zip(self._convs()[:depth], graph):
            feat = layer(pair, feat)
        return feat


def _made(aggregator: MakeAggregator | None, width: int, name: str) -> Aggregator | None:
    if isinstance(aggregator, PowerMean):
        return aggregator.for_width(width)
    if aggregator is None or isinstance(aggregator, Aggregator):
        return copy.deepcopy(aggregator)
    if not callable(aggregator):
        raise TypeError(
            f"{name} is {aggregator!r:.60}; it must be an Aggregator, such as "
            "hypersage_dgl.nn.Max(), or a function that makes one for a layer's width"
        )
    return aggregator(width)
