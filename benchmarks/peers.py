"""Layers of other libraries, each as its users have it: two of them, with the same dropout."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import hypersage_dgl  # noqa: F401
from hypersage_dgl.convert import to_coo, to_hyperedges
from hypersage_dgl.data import LabelledHypergraph

import dgl
import torch
import torch.nn.functional as F
from dgl.nn import SAGEConv
from torch import Tensor, nn

HIDDEN = 32


class Peer(NamedTuple):
    """A model of another library, what it is called with, and what it has no way to do."""

    name: str
    package: str
    build: Callable[[LabelledHypergraph, float], tuple[nn.Module, tuple[Any, ...]]]
    cannot: str


class DropsFirst(nn.Module):
    """The mask that a peer leaves out: on the features."""

    def __init__(self, model: nn.Module, dropout: float) -> None:
        super().__init__()
        self.model, self.dropout = model, dropout

    def forward(self, x: Tensor, *structure: Any) -> Tensor:
        """Mask, then the model."""
        return self.model(F.dropout(x, self.dropout, self.training), *structure)


class TwoConvs(nn.Module):
    """Two layers with dropout before the second, as PyG's users write them."""

    def __init__(self, first: nn.Module, second: nn.Module, dropout: float) -> None:
        super().__init__()
        self.first, self.second, self.dropout = first, second, dropout

    def forward(self, x: Tensor, *structure: Any) -> Tensor:
        """First, then second."""
        x = F.dropout(F.relu(self.first(x, *structure)), self.dropout, self.training)
        return self.second(x, *structure)


class BothHops(nn.Module):
    """DGL's ``SAGEConv`` from nodes to hyperedges and from hyperedges to nodes, twice."""

    def __init__(self, width: int, classes: int, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        sizes = [(width, HIDDEN), (HIDDEN, classes)]
        self.inside = nn.ModuleList(SAGEConv((i, 1), HIDDEN, "mean") for i, _ in sizes)
        self.across = nn.ModuleList(SAGEConv((HIDDEN, i), o, "mean") for i, o in sizes)

    def forward(self, pairs: Any, x: Tensor) -> Tensor:
        """Both half-hops of each layer, of a whole hypergraph or of sampled blocks."""
        pairs = [(pairs, pairs)] * 2 if isinstance(pairs, dgl.DGLGraph) else pairs
        for i, (intra, inter) in enumerate(pairs):
            x = F.dropout(F.relu(x) if i else x, self.dropout, self.training)
            # Hyperedges have no features of their own.
            blank = x.new_zeros(intra.num_dst_nodes("hyperedge"), 1)
            hyperedges = F.relu(self.inside[i](intra["in"], (x, blank)))
            own = x[: inter.num_dst_nodes("node")]
            x = self.across[i](inter["contains"], (hyperedges, own))
        return x


def dense(data: LabelledHypergraph) -> Tensor:
    """Features as peers want them."""
    feat = data.require_feat()
    return feat if feat.layout == torch.strided else feat.to_dense()


def pyg(data: LabelledHypergraph, dropout: float) -> tuple[nn.Module, tuple[Any, ...]]:
    """PyG's ``HypergraphConv``."""
    conv = import_module("torch_geometric.nn").HypergraphConv
    model = TwoConvs(conv(data.num_feats, HIDDEN), conv(HIDDEN, data.num_classes), dropout)
    return DropsFirst(model, dropout), (dense(data), to_coo(data.graph))


def dhg(data: LabelledHypergraph, dropout: float) -> tuple[nn.Module, tuple[Any, ...]]:
    """DHG's ``UniSAGE``."""
    library = import_module("dhg")
    model = library.models.UniSAGE(data.num_feats, HIDDEN, data.num_classes, drop_rate=dropout)
    whole = library.Hypergraph(data.num_nodes, to_hyperedges(data.graph))
    return DropsFirst(model, dropout), (dense(data), whole)


def hypertorch(data: LabelledHypergraph, dropout: float) -> tuple[nn.Module, tuple[Any, ...]]:
    """HyperTorch's ``HNHN``, its fastest."""
    make = import_module("hypertorch.models").HNHN
    model = make(data.num_feats, HIDDEN, data.num_classes, drop_rate=dropout)
    return DropsFirst(model, dropout), (dense(data), to_coo(data.graph))


def sage(data: LabelledHypergraph, dropout: float) -> tuple[nn.Module, tuple[Any, ...]]:
    """DGL's ``SAGEConv`` on the same heterograph."""
    model = BothHops(data.num_feats, data.num_classes, dropout)
    return model, (data.graph, dense(data))


PEERS = (
    Peer(
        *("PyG HypergraphConv", "torch_geometric", pyg),
        "no power mean; no sampling of hyperedges (its NeighborLoader is for graphs, and needs "
        "pyg-lib or torch-sparse); a new node costs a forward over everything",
    ),
    Peer(
        *("DHG UniSAGE", "dhg", dhg),
        "merges equal hyperedges; dense features; no power mean, no sampling, no minibatches; a "
        "new node costs the hypergraph built again and a forward over everything",
    ),
    Peer(
        *("HyperTorch HNHN", "hypertorch", hypertorch),
        "not in the extra, since 0.1.13 allows no torch beyond 2.12 and no PyG beyond 2.7 (here "
        "installed without its dependencies' bounds); dense features; no power mean, no sampled "
        "neighbourhoods; a new node costs a forward over everything",
    ),
    Peer(
        *("DGL SAGEConv, both half-hops", "dgl", sage),
        "a graph convolution, put together from parts: no sizes of hyperedges in the weights, no "
        "power mean, dense features; a new node costs a forward over everything",
    ),
)


def present() -> tuple[list[Peer], dict[str, str]]:
    """Peers that can be imported here, and why the others cannot."""
    found, missing = [], {}
    for peer in PEERS:
        try:
            import_module(peer.package)
        except ImportError as error:
            missing[peer.name] = f"{type(error).__name__}: {error}"
        else:
            found.append(peer)
    return found, missing
