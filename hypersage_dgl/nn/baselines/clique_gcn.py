"""CliqueGCN: GCN on the clique expansion."""

from __future__ import annotations

import dgl
from dgl.nn.pytorch import GraphConv
from torch import Tensor

from ...convert import clique_expansion
from .base import Baseline


class CliqueGCN(Baseline):
    r"""GCN by Kipf and Welling on the clique expansion, by ``dgl.nn.GraphConv``.

    .. math:: X' = \sigma\big(\tilde D^{-1/2} (A + I) \tilde D^{-1/2} X \Theta + b\big)

    where A joins any two nodes that share a hyperedge, with weight 1 however many they share. A
    node in no hyperedge gets :math:`\Theta^\top x_v + b`.

    The clique expansion has up to :math:`\sum_e |e|(|e| - 1)` edges.

    Parameters
    ----------
    in_feats, hidden_feats, out_feats, num_layers, dropout, feat_drop
        As in :class:`~hypersage_dgl.nn.baselines.Baseline`.

    Examples
    --------
    >>> import torch
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1, 2], [2, 3]], num_nodes=5)
    >>> CliqueGCN(4, 8, 3)(g, torch.rand(5, 4)).shape
    torch.Size([5, 3])
    """

    kind = "clique-gcn"

    def set_up(self) -> None:
        """Make DGL's convolution."""
        # Without parameters of its own, so of no width: the projection comes first, as features may
        # be sparse.
        self.conv = GraphConv(1, 1, norm="both", weight=False, bias=False)

    def prepare(self, graph: dgl.DGLGraph, feat: Tensor) -> dgl.DGLGraph:
        """The clique expansion with self-loops, made at the first call for this graph."""
        return self.cache.get(graph, "clique", lambda: dgl.add_self_loop(bare_clique(graph)))

    def propagate(self, depth: int, structure: dgl.DGLGraph, signal: Tensor) -> Tensor:
        """Convolve on the clique expansion."""
        return self.conv(structure, signal)


def bare_clique(graph: dgl.DGLGraph) -> dgl.DGLGraph:
    """The clique expansion without data, so that what is kept holds no features."""
    clique = clique_expansion(graph)
    for key in list(clique.ndata):
        clique.ndata.pop(key)
    return clique
