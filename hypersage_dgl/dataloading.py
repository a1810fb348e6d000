"""Sample a minibatch: alpha members of each hyperedge, beta hyperedges of each node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dgl
import numpy as np
import torch
from dgl.dataloading import BlockSampler, MultiLayerNeighborSampler
from torch import Tensor

from ._utils import GraphCache, PerLayer, per_layer, shown
from .hypergraphs import (
    CONTAINS,
    HYPEREDGE,
    IN,
    NODE,
    NUM_NEIGHBORS,
    as_ids,
    attach_counts,
    attach_neighbors,
    attach_stored,
    check_relations,
    check_stored,
    half_hop,
    is_distributed,
    num_neighbors,
    one_thread,
    priority_sample,
)

FanOut = PerLayer[int]
Sampled = tuple[dict[str, Tensor], dict[str, Tensor], list[tuple[dgl.DGLGraph, dgl.DGLGraph]]]


class HyperSAGESampler(BlockSampler):
    r"""Draw the pairs of blocks that :class:`~hypersage_dgl.nn.HyperSAGE` takes.

    A HyperSAGE layer is two half-hops of DGL's ``MultiLayerNeighborSampler``: from a node to its
    hyperedges, then from these to their members. ``sample`` (and so ``dgl.dataloading.DataLoader``)
    gives ``input_nodes, output_nodes, pairs``: one pair of blocks for each layer, from the input
    side. The sizes and degrees that the hypergraph has at this moment ride along in the blocks.

    The paper samples for each node and hyperedge again (its Definition 4). Here a hyperedge's
    members are drawn once for each layer and batch and shared by its nodes: the same
    distribution for every single node, at a fraction of the work. The aggregate's x^p is unbiased
    for ``beta=-1``; without self, from ``alpha=2`` on, since a sample that is v alone drops out.

    A ``dgl.distributed.DistGraph`` that :func:`hypersage_dgl.data.partition` wrote is sampled as a
    hypergraph is: its stored counts and weights are fetched by id.

    Parameters
    ----------
    num_layers
        Number of layers of the model.
    alpha
        Members drawn from each hyperedge, the paper's α; -1 takes all. One number, or one for each
        layer from the input side.
    beta
        Hyperedges drawn for each node, in the same way. On a graph as a 2-uniform hypergraph this
        is GraphSAGE's fan-out.
    num_neighbors
        ``hypersage_dgl.num_neighbors(g, include_self)``, needed by the weightings ``"paper"`` and
        ``"invariant"`` and by ``node_weight="hypermsg"``, and attached to the blocks. It is counted
        again once for each hypergraph, and refused where it differs.
    member_weight
        A positive number for each node: members are drawn the likelier the larger it is, by
        :func:`~hypersage_dgl.hypergraphs.priority_sample`, such as
        ``g.in_degrees(etype="contains")`` of nodes that all have a hyperedge. The ``weight`` of
        the incidences that were drawn is multiplied by what each stands for. So both sums of a
        mean, over x^p and over the weights, are unbiased; their quotient is not quite, its bias
        falls with 1/alpha. Aggregators that count no weights (max, min, LSTM) are biased towards
        heavy members. By default all are equally likely.
    prefetch_node_feats, prefetch_labels
        Names of node data to fetch for the input nodes and for the output nodes.
    output_device
        Device of the blocks.

    Examples
    --------
    >>> import torch
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1, 2], [2, 3], [3, 4]])
    >>> sampler = HyperSAGESampler(num_layers=2, alpha=2)
    >>> input_nodes, output_nodes, pairs = sampler.sample(g, {"node": torch.tensor([0])})
    >>> len(pairs), output_nodes["node"]
    (2, tensor([0]))
    """

    def __init__(
        self,
        num_layers: int,
        alpha: FanOut = -1,
        beta: FanOut = -1,
        *,
        num_neighbors: Tensor | None = None,
        member_weight: Tensor | None = None,
        prefetch_node_feats: Sequence[str] = (),
        prefetch_labels: Sequence[str] = (),
        output_device: Any = None,
    ) -> None:
        super().__init__(
            prefetch_node_feats={NODE: list(prefetch_node_feats)},
            prefetch_labels={NODE: list(prefetch_labels)},
            output_device=output_device,
        )
        self.alpha = _fan_outs(alpha, num_layers, "alpha")
        self.beta = _fan_outs(beta, num_layers, "beta")
        self.num_neighbors, self.member_weight = num_neighbors, member_weight
        self._cache = GraphCache()
        # fused=True, DGL's default, silently drops destination nodes from the source side of a
        # relation with fan-out 0: wrong results without an error. In DGL 1.1 always, in DGL 2
        # with more than one thread (docs/compatibility.md).
        self._layers = [
            MultiLayerNeighborSampler(
                # Members that are drawn by weight are drawn apart.
                [
                    {"in": members if member_weight is None or members == -1 else 0, "contains": 0},
                    {"in": 0, "contains": hyperedges},
                ],
                output_device=output_device,
                fused=False,
            )
            for members, hyperedges in zip(self.alpha, self.beta)
        ]

    def check(self, g: dgl.DGLGraph) -> None:
        """Refuse what cannot be sampled from; the incidences are looked at once for each graph."""
        if is_distributed(g):
            check_stored(g)
            if self.member_weight is not None:
                raise ValueError("member_weight is not known to draws from a DistGraph; leave it")
            return
        # Blocks have the gradients: of the graph, the forms that these would need stay unmade.
        with torch.no_grad():
            check_relations(g, self._cache)
        weight = self.member_weight
        if weight is not None:
            is_right = tuple(weight.shape) == (g.num_nodes(NODE),) and not weight.is_complex()
            if not is_right or not bool(((weight > 0) & torch.isfinite(weight)).all()):
                raise ValueError(
                    f"member_weight is {weight.dtype} of shape {tuple(weight.shape)} for "
                    f"{g.num_nodes(NODE)} nodes; give each a positive finite number"
                )
        if self.num_neighbors is not None:
            counts = self.num_neighbors
            self._cache.get(g, NUM_NEIGHBORS, lambda: _check_counts(g, counts), [counts])

    def sample(self, g: dgl.DGLGraph, seed_nodes: Any, exclude_eids: Any = None) -> Sampled:
        """Draw the pairs of blocks for the seed nodes, ids that differ or ``{"node": ids}``."""
        seeds, output_nodes, pairs = self.sample_blocks(g, seed_nodes, exclude_eids)
        self.assign_lazy_features(
            (seeds, output_nodes, [block for pair in pairs for block in pair])
        )
        return seeds, output_nodes, pairs

    def sample_blocks(self, g: dgl.DGLGraph, seed_nodes: Any, exclude_eids: Any = None) -> Sampled:
        """As ``sample``, without data to fetch: what ``DistNodeDataLoader`` calls."""
        self.check(g)
        if exclude_eids is not None and self.member_weight is not None:
            raise ValueError(
                "exclude is not known to draws by member_weight; take the hyperedges out with "
                "remove_hyperedges"
            )
        output_nodes = seeds = {NODE: _seed_ids(g, seed_nodes)}
        blocks: list[dgl.DGLGraph] = []
        with one_thread():
            for layer, members in zip(reversed(self._layers), reversed(self.alpha)):
                found, _, pair = layer.sample_blocks(g, seeds, exclude_eids)
                if self.member_weight is not None and members != -1:
                    pair[0] = self._weighted(g, pair[1], members)
                    found = {NODE: pair[0].srcnodes[NODE].data[dgl.NID]}
                blocks[:0] = pair
                # Hyperedges that only led here are not seeds of the layer below.
                seeds = {NODE: found[NODE]}
        pairs = list(zip(blocks[::2], blocks[1::2]))
        for pair in pairs:
            if is_distributed(g):
                attach_stored(g, pair, self.num_neighbors)
                continue
            attach_counts(g, pair[1])
            attach_neighbors(g, pair, self.num_neighbors)
        return seeds, output_nodes, pairs

    def _weighted(self, g: dgl.DGLGraph, second: dgl.DGLGraph, alpha: int) -> dgl.DGLGraph:
        """The first block of a pair, whose members are drawn by their weight."""
        assert self.member_weight is not None
        met = {t: second.srcnodes[t].data[dgl.NID].to(g.device) for t in (NODE, HYPEREDGE)}
        drawn, factor = priority_sample(g, met[HYPEREDGE], self.member_weight, alpha)
        block = half_hop(g, IN, met, drawn).to(second.device)
        data = block.edges[IN].data
        # As in DGL's own blocks, the ids of the whole graph.
        data[dgl.EID] = drawn.to(block.device)
        data["weight"] = factor.to(block.device) * data.get("weight", 1.0)
        return block


def _seed_ids(g: dgl.DGLGraph, seed_nodes: Any) -> Tensor:
    """Check the seeds, which DGL does not: an id that is none ends the process in its C++ code."""
    if isinstance(seed_nodes, Mapping):
        if set(seed_nodes) != {NODE}:
            raise ValueError(f"seeds are of types {sorted(seed_nodes)}; they must be 'node' alone")
        seed_nodes = seed_nodes[NODE]
    ids = as_ids(seed_nodes, NODE, g.num_nodes(NODE))
    if len(torch.unique(ids)) < len(ids):
        # In a block only one of several equal destinations gets the neighbours.
        raise ValueError("a seed node is repeated; give each once, and repeat its row afterwards")
    # Of a pinned graph a GPU samples by itself: the seeds stay where it finds them.
    return ids.to(ids.device if g.is_pinned() else g.device, g.idtype)


def _check_counts(g: dgl.DGLGraph, counts: Tensor) -> None:
    """Refuse |N(v)| of another hypergraph: counted again, since nothing less tells."""
    cure = "count again with num_neighbors(g, include_self)"
    if tuple(counts.shape) != (g.num_nodes(NODE),):
        raise ValueError(
            f"num_neighbors counts {len(counts)} nodes and the hypergraph has "
            f"{g.num_nodes(NODE)}; {cure}"
        )
    with_self = num_neighbors(g, method="sketch" if counts.is_floating_point() else "exact")
    is_other = counts.to(with_self) != with_self
    if bool(is_other.any()):
        is_other = counts.to(with_self) != with_self - (g.in_degrees(etype=CONTAINS) > 0).long()
    if bool(is_other.any()):
        node = int(is_other.nonzero()[0])
        raise ValueError(
            f"num_neighbors has {counts[node].item():g} for node {node}, which is not that of this "
            f"hypergraph; {cure}"
        )


def _fan_outs(value: FanOut, num_layers: int, name: str) -> list[int]:
    values = per_layer(value, num_layers, name)
    for v in values:
        if isinstance(v, bool) or not isinstance(v, (int, np.integer)) or (v < 1 and v != -1):
            raise ValueError(f"{name} is {shown(v)}; it must be a positive integer, or -1 for all")
        if v >= 2**63:
            raise ValueError(f"{name} is {shown(v)}; it must be below 2**63, or -1 for all")
    return [int(v) for v in values]
