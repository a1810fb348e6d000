"""The HyperSAGE model: layers in a row, on a hypergraph or on sampled blocks."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Sequence
from itertools import pairwise

import dgl
import torch
from torch import Tensor, nn

from .._utils import GraphCache, per_layer, require_count
from ..hypergraphs import IN, NODE
from .aggregators import Aggregator
from .config import HyperSAGEConfig, MakeAggregator, documented, takes_options_of
from .evaluation import in_evaluation
from .first_layer import FirstLayer, keep_first, keep_lean
from .hypersageconv import HyperSAGEConv
from .power_mean import PowerMean
from .precompute import precompute
from .roles import ByRole
from .streaming import stream_layer
from .weighting import checked_weight

Pair = tuple[dgl.DGLGraph, dgl.DGLGraph]
Pairs = Sequence[Pair]


@documented
class HyperSAGE(nn.Module):
    """HyperSAGE for node classification; the last layer gives logits.

    ``model.config`` has the options: the first six may be given by position. What they do in a
    layer, :class:`~hypersage_dgl.nn.HyperSAGEConv` says.

    Parameters
    ----------
    <options>

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1, 2], [2, 3]], num_nodes=5)
    >>> model = HyperSAGE(4, 8, 3, num_layers=2, p=1.0)
    >>> model(g, torch.rand(5, 4)).shape
    torch.Size([5, 3])
    >>> model.embed(g, torch.rand(5, 4)).shape
    torch.Size([5, 8])
    >>> model.config.hidden_feats
    8
    """

    @takes_options_of(HyperSAGEConfig)
    def __init__(self, config: HyperSAGEConfig) -> None:
        super().__init__()
        self.config = config
        dropouts = per_layer(config.dropout, config.num_layers, "dropout")
        normalizes = per_layer(config.normalize, config.num_layers, "normalize")
        self.layers = nn.ModuleList()
        # |N(v)|, where a weighting needs it, is counted once for all layers.
        cache = GraphCache()
        for i, (width, out_width) in enumerate(pairwise(config.widths)):
            is_last = i == config.num_layers - 1
            intra = _made(config.intra_aggr, width, "intra_aggr")
            # One object at both levels is one; a callable makes one for each.
            is_object = isinstance(config.inter_aggr, Aggregator)
            is_shared = is_object and config.inter_aggr is config.intra_aggr
            with warnings.catch_warnings():
                if i > 0:  # what there is to warn of, the first layer has said
                    warnings.simplefilter("ignore")
                layer = HyperSAGEConv(
                    width,
                    out_width,
                    config.p.for_width(width) if isinstance(config.p, PowerMean) else config.p,
                    inter=config.inter,
                    include_self=config.include_self,
                    eps=config.eps,
                    intra_aggr=intra,
                    inter_aggr=intra
                    if is_shared
                    else _made(config.inter_aggr, width, "inter_aggr"),
                    node_weight=config.node_weight,
                    hyperedge_feats=config.hyperedge_feats,
                    hyperedge_map=config.hyperedge_map,
                    feat_drop=config.feat_drop if i == 0 else 0.0,
                    dropout=dropouts[i],
                    normalize=normalizes[i],
                    bias=config.bias,
                    norm=None if is_last or config.norm is None else config.norm(out_width),
                    activation=None if is_last else config.activation,
                    cached=config.cached and i == 0,
                    fast=config.fast,
                )
            layer.cache = cache
            self.layers.append(layer)

    # The fast mode: no epoch aggregates.
    precompute = staticmethod(precompute)

    @property
    def reach(self) -> int:
        """How far a node sees: so many steps, from it to its hyperedges and their members."""
        # A learned weight of the outermost members is made of their own hyperedges.
        return len(self.layers) + (self.first.weigh is not None)

    def reset_parameters(self) -> None:
        """Draw all parameters again."""
        for layer in self._convs():
            layer.reset_parameters()

    def forward(
        self,
        graph: dgl.DGLGraph | Pairs,
        feat: Tensor | FirstLayer,
        edge_weight: Tensor | None = None,
    ) -> Tensor:
        """Logits of every node, or of the output nodes of sampled blocks.

        Parameters
        ----------
        graph
            A hypergraph, or one pair of blocks for each layer as ``HyperSAGESampler`` draws them.
        feat
            Features, dense or sparse, of every node or of the sampled input nodes; or what
            :meth:`first_layer` kept of them.
        edge_weight
            Incidence weights of a hypergraph; those of blocks ride along in the blocks.
        """
        return self._run(graph, feat, edge_weight, len(self.layers))

    @property
    def first(self) -> HyperSAGEConv:
        """The first layer, the only one that sees the features themselves."""
        return self._convs()[0]

    def first_layer(
        self,
        graph: dgl.DGLGraph | Pairs,
        feat: Tensor,
        edge_weight: Tensor | None = None,
        rows: Tensor | None = None,
    ) -> FirstLayer:
        """The first layer up to its parameters, to be given to the model in the place of features.

        With a fixed p and without ``feat_drop`` no epoch of training changes it, and other models
        with the same first layer but other weights can share it. Of sampled blocks, ``rows`` says
        which rows of the features of all nodes are those of their input nodes.

        Examples
        --------
        >>> from hypersage_dgl import hypergraph
        >>> g, feat = hypergraph([[0, 1, 2], [2, 3]]), torch.rand(4, 5)
        >>> model = HyperSAGE(5, 8, 3).eval()
        >>> torch.allclose(model(g, model.first_layer(g, feat)), model(g, feat))
        True
        """
        first = graph if isinstance(graph, dgl.DGLGraph) else self._checked(graph)[0]
        return keep_first(self.first, first, feat, edge_weight, rows)

    def lean_first_layer(self, graph: dgl.DGLGraph | Pairs, feat: Tensor) -> FirstLayer:
        """The same in the form that makes an epoch fastest, such as sparse, or its lengths alone.

        It may hold the features themselves, which must not change then.
        """
        first = graph if isinstance(graph, dgl.DGLGraph) else self._checked(graph)[0]
        return keep_lean(self.first, first, feat)

    def embed(
        self,
        graph: dgl.DGLGraph | Pairs,
        feat: Tensor | FirstLayer,
        edge_weight: Tensor | None = None,
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
        The result is that of the whole-graph forward in evaluation mode. The mode of the model is
        neither read nor changed, so threads may share it.
        """
        batch_size = require_count(batch_size, "batch_size")
        if edge_weight is not None:
            checked_weight(edge_weight, g.num_edges(IN), "incidence weight")
            g = g.local_var()
            g.edges[IN].data["weight"] = edge_weight
        for layer in in_evaluation(self)._convs():
            feat = stream_layer(layer, g, feat, batch_size)
        return feat

    def _convs(self) -> list[HyperSAGEConv]:
        # nn.ModuleList forgets the type of its items.
        return [layer for layer in self.layers if isinstance(layer, HyperSAGEConv)]

    def _run(
        self,
        graph: dgl.DGLGraph | Pairs,
        feat: Tensor | FirstLayer,
        edge_weight: Tensor | None,
        depth: int,
    ) -> Tensor:
        is_whole = isinstance(graph, dgl.DGLGraph)
        if not is_whole and edge_weight is not None:
            raise ValueError("blocks carry their own incidence weights; set them in the hypergraph")
        graphs = [graph] * depth if is_whole else self._checked(graph)
        layers = list(zip(self._convs()[:depth], graphs))
        if isinstance(feat, FirstLayer):
            rows, layers = self._project(feat, graphs[0]), layers[1:]
        else:
            rows = feat
        for layer, part in layers:
            rows = layer(part, rows, edge_weight)
        return rows

    def _project(self, kept: FirstLayer, graph: dgl.DGLGraph | Pair) -> Tensor:
        """Output of the first layer from what was kept of it."""
        kept.check(self.first)
        count = (graph[1] if isinstance(graph, tuple) else graph).num_dst_nodes(NODE)
        if len(kept) != count:
            raise ValueError(
                f"the kept first layer has {len(kept)} rows for {count} nodes; keep that of this "
                "hypergraph"
            )
        return kept.through(self.first, graph)

    def _checked(self, pairs: Pairs) -> Pairs:
        is_list = isinstance(pairs, (list, tuple))
        if not is_list or not all(isinstance(pair, (list, tuple)) for pair in pairs):
            raise TypeError(
                f"expected a hypergraph, or the pairs of blocks that HyperSAGESampler makes, got "
                f"{type(pairs).__name__}"
            )
        if len(pairs) != len(self.layers):
            raise ValueError(
                f"{len(pairs)} pairs of blocks for {len(self.layers)} layers; sample with "
                f"HyperSAGESampler(num_layers={len(self.layers)}, ...)"
            )
        return pairs


def _made(aggregator: MakeAggregator | None, width: int, name: str) -> Aggregator | None:
    if isinstance(aggregator, (PowerMean, ByRole)):
        return aggregator.for_width(width)
    if aggregator is None or isinstance(aggregator, Aggregator):
        return copy.deepcopy(aggregator)
    if not callable(aggregator):
        raise TypeError(
            f"{name} is {aggregator!r:.60}; it must be an Aggregator, such as "
            "hypersage_dgl.nn.Max(), or a function that makes one for a layer's width"
        )
    return aggregator(width)
