"""Embeddings without labels: nodes that share a hyperedge are near, by GraphSAGE's loss."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import dgl
import torch
from torch import Tensor, nn

from .._utils import check_feat, is_sparse, require_count, select_rows
from ..dataloading import HyperSAGESampler
from ..hypergraphs import CONTAINS, HYPEREDGE, IN, NODE, require_types
from ..nn import HyperSAGE, in_evaluation
from .batches import Batch
from .checks import check_fits, require_finite

# What a negative is drawn by: the degree to this power, as in word2vec and GraphSAGE.
SMOOTHING = 0.75


class NodePairs(NamedTuple):
    """What messages pass on, and rows of the encoder's output, two by two."""

    graph: dgl.DGLGraph
    left: Tensor
    right: Tensor


class CoMembership(nn.Module):
    r"""Score pairs of nodes by the product of their embeddings, :math:`z_u \cdot z_v`.

    With the usual loss of ``fit`` on :class:`CoMembershipBatches` this is GraphSAGE's,

    .. math:: -\log\sigma(z_u \cdot z_v) - \sum_{n=1}^{Q} \log\sigma(-z_u \cdot z_{v_n})

    divided by 1+Q.

    Parameters
    ----------
    encoder
        Called as ``encoder(graph, feat)``, with a row for each node; afterwards it embeds other
        hypergraphs as well.
    """

    def __init__(self, encoder: nn.Module) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(self, graph: NodePairs, feat: Tensor) -> Tensor:
        """Logits (pairs, 1): above 0 two nodes are likelier to share a hyperedge than not."""
        embed = self.encoder(graph.graph, feat)
        return (embed[graph.left] * embed[graph.right]).sum(dim=1, keepdim=True)


class CoMembershipBatches:
    """Pairs that share a hyperedge, and pairs with nodes drawn by degree; no labels.

    In each epoch every node that has a neighbour is the left of one positive: a hyperedge of it,
    then another member of that, each uniformly. Its ``negatives`` partners are drawn from all nodes
    in a hyperedge with chances in proportion to degree^0.75; some of them may be neighbours.

    Parameters
    ----------
    graph, feat
        The hypergraph, and features of its nodes, dense or sparse.
    sampler
        Draws blocks around the nodes of a batch; by default messages pass on the whole graph.
    batch_size
        Positives at once; by default all.
    negatives
        Q, the negatives of each positive.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> from hypersage_dgl.training import fit
    >>> g, encoder = hypergraph([[0, 1, 2], [2, 3], [4, 5]]), HyperSAGE(6, 8, 4)
    >>> batches = CoMembershipBatches(g, torch.eye(6), batch_size=4)
    >>> len(fit(CoMembership(encoder), batches, epochs=2).epochs)
    2
    >>> embed(encoder, g, torch.eye(6)).shape
    torch.Size([6, 4])
    """

    def __init__(
        self,
        graph: dgl.DGLGraph,
        feat: Tensor,
        sampler: HyperSAGESampler | None = None,
        *,
        batch_size: int | None = None,
        negatives: int = 5,
    ) -> None:
        require_types(graph)
        check_feat(feat, rows=graph.num_nodes(NODE), finite=True)
        self.graph, self.sampler = graph, sampler
        self.feat = feat.to_sparse_csr() if is_sparse(feat) else feat
        # Incidences by hyperedge, those of singletons left out: they make no pair.
        members, edges = (ids.long().cpu() for ids in graph.edges(etype=IN))
        sizes = torch.bincount(edges, minlength=graph.num_nodes(HYPEREDGE))
        kept = (sizes[edges] > 1).nonzero().flatten()
        kept = kept[edges[kept].argsort(stable=True)]
        self.members, self.edges = members[kept], edges[kept]
        self.sizes = torch.where(sizes > 1, sizes, 0)
        self.starts = self.sizes.cumsum(0) - self.sizes
        # Places of each node among these incidences.
        self.order = self.members.argsort(stable=True)
        self.counts = torch.bincount(self.members, minlength=graph.num_nodes(NODE))
        self.firsts = self.counts.cumsum(0) - self.counts
        self.nodes = (self.counts > 0).nonzero().flatten()
        if len(self.nodes) == 0:
            raise ValueError("no two nodes share a hyperedge, so there is nothing to learn from")
        self.chances = graph.in_degrees(etype=CONTAINS).cpu().double() ** SMOOTHING
        self.negatives = require_count(negatives, "negatives")
        usual = len(self.nodes)
        self.batch_size = usual if batch_size is None else require_count(batch_size, "batch_size")
        fan_outs = {} if sampler is None else {"alpha": sampler.alpha, "beta": sampler.beta}
        numbers = {"batch_size": self.batch_size, "negatives": self.negatives}
        self.options = {"batches": "CoMembershipBatches", **numbers, **fan_outs}

    def check(self, model: nn.Module) -> None:
        """Refuse a model that the features do not fit."""
        check_fits(self.feat, getattr(model, "encoder", model))

    def __len__(self) -> int:
        return -(-len(self.nodes) // self.batch_size)

    def __iter__(self) -> Iterator[Batch]:
        order = torch.randperm(len(self.nodes))
        for start in range(0, len(order), self.batch_size):
            left = self.nodes[order[start : start + self.batch_size]]
            yield self.batch(left, self.partners(left), self.strangers(len(left)))

    def partners(self, nodes: Tensor) -> Tensor:
        """Another member of a hyperedge of each node, both drawn uniformly."""
        own = self.order[self.firsts[nodes] + _below(self.counts[nodes])]
        edge = self.edges[own]
        # One of the others: those from the node's own place on move up by one.
        place = _below(self.sizes[edge] - 1)
        place = place + (place >= own - self.starts[edge]).long()
        return self.members[self.starts[edge] + place]

    def strangers(self, count: int) -> Tensor:
        """Rows of nodes drawn by degree, for so many positives."""
        drawn = torch.multinomial(self.chances, count * self.negatives, replacement=True)
        return drawn.reshape(count, self.negatives)

    def batch(self, left: Tensor, right: Tensor, strangers: Tensor) -> Batch:
        """A batch of positives and the negatives of each."""
        pairs = torch.stack(
            [
                torch.cat([left, left.repeat_interleave(strangers.shape[1])]),
                torch.cat([right, strangers.flatten()]),
            ]
        )
        device = self.feat.device
        labels = torch.zeros(pairs.shape[1], 1, device=device)
        labels[: len(left)] = 1
        if self.sampler is None:
            return Batch(NodePairs(self.graph, *pairs.to(device)), self.feat, labels)
        seeds, rows = torch.unique(pairs, return_inverse=True)
        found, _, blocks = self.sampler.sample(self.graph, {NODE: seeds})
        feat = select_rows(self.feat, found[NODE].long().to(device))
        moved = [tuple(block.to(device) for block in pair) for pair in blocks]
        return Batch(NodePairs(moved, *rows.to(device)), feat, labels)


def embed(
    encoder: nn.Module, graph: dgl.DGLGraph, feat: Tensor, batch_size: int | None = None
) -> Tensor:
    """Embeddings of all nodes, also of a hypergraph that the encoder has never seen.

    ``batch_size`` streams a HyperSAGE in chunks of that many nodes.
    """
    check_fits(feat, encoder, graph.num_nodes(NODE), finite=True)
    with torch.no_grad():
        if batch_size is not None and isinstance(encoder, HyperSAGE):
            embedded = encoder.inference(graph, feat, batch_size)
        else:
            embedded = in_evaluation(encoder)(graph, feat)
    require_finite(embedded, what="embeddings")
    return embedded


def _below(counts: Tensor) -> Tensor:
    """An integer from 0 below each count, uniformly."""
    return (torch.rand(len(counts), dtype=torch.float64) * counts).long().minimum(counts - 1)
