"""What the baselines share: layers that project, spread over a structure and add a bias."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, ClassVar

import dgl
import torch.nn.functional as F
from torch import Tensor, nn

from ..._utils import (
    GraphCache,
    check_feat,
    check_sparse_tensor,
    check_summable,
    is_autocast,
    is_sparse,
    require_layers,
    require_rate,
)
from ...hypergraphs import HYPEREDGE, IN, NODE, check_relations
from ..fast import dropped_linear


class Projection(nn.Module):
    """x W after dropout on x, dense or sparse; the bias is added after the propagation."""

    def __init__(self, in_feats: int, out_feats: int) -> None:
        super().__init__()
        self.in_feats = in_feats
        self.linear = nn.Linear(in_feats, out_feats)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw W by Xavier's rule and set b to zero."""
        nn.init.xavier_uniform_(self.linear.weight)
        nn.init.zeros_(self.linear.bias)

    def forward(self, feat: Tensor, rate: float) -> Tensor:
        """Project without the bias."""
        if is_sparse(feat):
            check_sparse_tensor(feat)
        rows = feat.to_sparse_csr() if is_sparse(feat) else feat
        return dropped_linear(rows, self.linear.weight, rate)


class Baseline(nn.Module):
    """A model for node classification that is called like ``HyperSAGE`` on a whole hypergraph.

    A subclass says what structure it takes from the hypergraph (:meth:`prepare`) and how a signal
    spreads over it (:meth:`propagate`). Each layer is ``propagate(x W) + b``; between layers come
    ReLU and dropout, and the last layer gives logits.

    Parameters
    ----------
    in_feats, hidden_feats, out_feats
        Width of the input, of each hidden layer, and of the output.
    num_layers
        Number of layers.
    dropout
        Dropout on the input of every layer but the first.
    feat_drop
        Dropout on the features.
    """

    # What checkpoints and the command line call it; each subclass has its own.
    kind: ClassVar[str] = ""

    def __init__(
        self,
        in_feats: int,
        hidden_feats: int,
        out_feats: int,
        num_layers: int = 2,
        dropout: float = 0.5,
        *,
        feat_drop: float = 0.0,
    ) -> None:
        super().__init__()
        num_layers = require_layers(num_layers)
        require_rate(dropout, "dropout")
        require_rate(feat_drop, "feat_drop")
        # As given, as HyperSAGE has it: what fits, saves or reports a model reads its widths here.
        self.config: dict[str, Any] = {
            "in_feats": in_feats,
            "hidden_feats": hidden_feats,
            "out_feats": out_feats,
            "num_layers": num_layers,
            "dropout": dropout,
            "feat_drop": feat_drop,
        }
        # What is derived from a hypergraph once, such as its degrees.
        self.cache = GraphCache()
        self.layers = nn.ModuleList(self.make_layers(in_feats, hidden_feats, out_feats, num_layers))
        self.set_up()

    @property
    def first(self) -> nn.Module:
        """The first layer, the only one that sees the features themselves."""
        return self.layers[0]

    @property
    def reach(self) -> int | None:
        """How many steps away from a node the hyperedges of another count for its logits.

        A layer reads the neighbours of a node and, to normalise them, their degrees. 0 is for a
        model that reads no hyperedge, None for one of which nothing may be cut off. A subclass
        whose layers see further says so here.
        """
        return len(self.layers)

    def reset_parameters(self) -> None:
        """Draw all parameters again."""
        for layer in self.layers:
            layer.reset_parameters()  # type: ignore[operator]

    def forward(self, graph: dgl.DGLGraph, feat: Tensor) -> Tensor:
        """Logits of every node of a hypergraph, from dense or sparse features."""
        check_relations(graph, self.cache)
        self._check_input(feat, graph.num_nodes(NODE))
        structure, rate = self.prepare(graph, feat), self.config["feat_drop"]
        for depth in range(len(self.layers)):
            if depth > 0:
                feat, rate = F.relu(feat), self.config["dropout"]
            feat = self.step(depth, structure, feat, rate if self.training else 0.0)
        return feat

    def _check_input(self, feat: Tensor, rows: int) -> None:
        """Refuse features that do not fit the weights; autocast converts them by itself."""
        linear = self.first.linear
        assert isinstance(linear, nn.Linear)
        dtype = None if is_autocast(feat) else linear.weight.dtype
        # All begin with a linear map, to which an entry that is stored twice is a sum.
        check_feat(feat, self.config["in_feats"], rows=rows, dtype=dtype, distinct=False)
        if self.reach != 0:
            check_summable(feat)

    def set_up(self) -> None:
        """Make what the model has besides its layers; at the end of the constructor."""

    def make_layers(
        self, in_feats: int, hidden_feats: int, out_feats: int, num_layers: int
    ) -> Iterable[nn.Module]:
        """All layers, in their order."""
        widths = [in_feats, *[hidden_feats] * (num_layers - 1), out_feats]
        return (self.make_layer(*pair) for pair in pairwise(widths))

    def make_layer(self, in_feats: int, out_feats: int) -> nn.Module:
        """The parameters of one layer."""
        return Projection(in_feats, out_feats)

    def prepare(self, graph: dgl.DGLGraph, feat: Tensor) -> Any:
        """The structure that every layer works on."""
        return graph

    def step(self, depth: int, structure: Any, feat: Tensor, rate: float) -> Tensor:
        """One layer without its activation, after dropout at this rate."""
        layer = self.layers[depth]
        assert isinstance(layer, Projection)
        return self.propagate(depth, structure, layer(feat, rate)) + layer.linear.bias

    def propagate(self, depth: int, structure: Any, signal: Tensor) -> Tensor:
        """Spread the projected signal of one layer over the structure."""
        raise NotImplementedError(f"{type(self).__name__} does not say how a signal spreads")


def weights_of(graph: dgl.DGLGraph) -> list[Tensor | None]:
    """The hyperedge and incidence weights, which a derived structure depends on."""
    return [graph.nodes[HYPEREDGE].data.get("weight"), graph.edges[IN].data.get("weight")]
