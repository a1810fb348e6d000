"""HyperSAGE between two linear maps: layers of one width that each add to what they were given."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import dgl
import torch
from torch import Tensor, nn

from hypersage_dgl.nn import AGGREGATORS, HyperSAGEConv, PowerMean
from hypersage_dgl.nn.baselines import Stacked


class Between(Stacked):
    """A linear map, HyperSAGE's layers with residuals and LayerNorm, and a linear map to logits.

    The layers take weights of hyperedges that are equal and do not scale to unit length. ``p`` is a
    number or two; ``intra`` and ``across`` are names of ``AGGREGATORS``; ``learn_p`` learns p
    inside, from p on; ``inter`` and ``hyperedge_feats`` are those of the layer.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1, 2], [2, 3]], num_nodes=5)
    >>> Between(4, 8, 3, intra="max")(g, torch.rand(5, 4)).shape
    torch.Size([5, 3])
    """

    kind = "hypersage"
    own: ClassVar[Mapping[str, Any]] = MappingProxyType(
        {
            **{"p": 1.0, "intra": "power", "learn_p": False},
            **{"across": "power", "inter": "mean", "hyperedge_feats": 0},
        }
    )

    def make_layer(self, in_feats: int, out_feats: int) -> nn.Module:
        """One layer of HyperSAGE."""
        p = self.options["p"]
        kinds = (AGGREGATORS[self.options[name]] for name in ("intra", "across"))
        intra, across = (None if kind is None else kind() for kind in kinds)
        return HyperSAGEConv(
            in_feats,
            out_feats,
            1.0 if self.options["learn_p"] else tuple(p) if isinstance(p, list) else p,
            inter=self.options["inter"],
            intra_aggr=PowerMean(p, learn=True) if self.options["learn_p"] else intra,
            inter_aggr=across,
            hyperedge_feats=self.options["hyperedge_feats"],
            normalize=False,
            norm=nn.LayerNorm(out_feats),
        )

    def prepare(self, graph: dgl.DGLGraph, feat: Tensor) -> Any:
        """The hypergraph as it is: a layer of HyperSAGE has its own self term."""
        return graph

    def step(self, depth: int, structure: Any, feat: Tensor, rate: float) -> Tensor:
        """What was given, and what a layer adds to it."""
        layer = self.layers[depth]
        if isinstance(layer, HyperSAGEConv):
            return feat + layer(structure, torch.dropout(feat, rate, train=rate > 0))
        return super().step(depth, structure, feat, rate)
