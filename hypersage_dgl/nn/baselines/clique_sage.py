"""CliqueSAGE: GraphSAGE on the clique expansion."""

from __future__ import annotations

import dgl
from dgl.nn.pytorch import SAGEConv
from torch import Tensor, nn

from ..._utils import dropped, is_sparse
from ..fast import dropped_linear
from .base import Baseline
from .clique_gcn import bare_clique


class SparseLinear(nn.Linear):
    """``nn.Linear`` whose gradient for CSR rows does not take torch's long way."""

    def forward(self, rows: Tensor) -> Tensor:
        """Project dense or CSR rows."""
        out = dropped_linear(rows, self.weight, 0.0)
        return out if self.bias is None else out + self.bias


class SAGELayer(nn.Module):
    """``dgl.nn.SAGEConv`` with the mean, after dropout on dense or sparse rows."""

    def __init__(self, in_feats: int, out_feats: int) -> None:
        super().__init__()
        self.in_feats, self.out_feats = in_feats, out_feats
        self.conv = SAGEConv(in_feats, out_feats, "mean")
        self.conv.fc_self = SparseLinear(in_feats, out_feats)
        self.conv.fc_neigh = SparseLinear(in_feats, out_feats, bias=False)
        self.conv.reset_parameters()

    @property
    def linear(self) -> nn.Linear:
        """The weights of the neighbours."""
        return self.conv.fc_neigh

    def reset_parameters(self) -> None:
        """Draw W and b as a new layer of DGL does."""
        # DGL draws W alone; b belongs to the Linear of the node itself.
        self.conv.fc_self.reset_parameters()
        self.conv.reset_parameters()

    def forward(self, graph: dgl.DGLGraph, feat: Tensor, rate: float) -> Tensor:
        """Compute the layer."""
        if is_sparse(feat):
            # DGL projects before it aggregates where that makes rows shorter, else it needs them
            # dense.
            feat = feat.to_sparse_csr() if self.in_feats > self.out_feats else feat.to_dense()
        return self.conv(graph, dropped(feat, rate) if rate > 0 else feat)


class CliqueSAGE(Baseline):
    r"""GraphSAGE by Hamilton, Ying and Leskovec on the clique expansion, by ``dgl.nn.SAGEConv``.

    .. math::
        h'_v = \sigma\Big(W_1 h_v + W_2 \frac{1}{|N(v)|} \sum_{u \in N(v)} h_u + b\Big)

    where N(v) are the nodes that share a hyperedge with v. A node in no hyperedge has a mean of 0
    and gets :math:`W_1 h_v + b`.

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
    >>> CliqueSAGE(4, 8, 3)(g, torch.rand(5, 4)).shape
    torch.Size([5, 3])
    """

    kind = "clique-sage"

    def make_layer(self, in_feats: int, out_feats: int) -> SAGELayer:
        """The parameters of one layer."""
        return SAGELayer(in_feats, out_feats)

    def prepare(self, graph: dgl.DGLGraph, feat: Tensor) -> dgl.DGLGraph:
        """The clique expansion, made at the first call for this graph."""
        return self.cache.get(graph, "clique", lambda: bare_clique(graph))

    def step(self, depth: int, structure: dgl.DGLGraph, feat: Tensor, rate: float) -> Tensor:
        """One layer without its activation."""
        layer = self.layers[depth]
        assert isinstance(layer, SAGELayer)
        return layer(structure, feat, rate)
