"""Batches of hyperedges: to tell them from sets that are none, or to learn their labels."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence

import dgl
import torch
from torch import Tensor, nn

from ..._utils import check_feat, is_sparse, require_count, select_rows
from ...data import NEGATIVES, HyperedgeSplit, NegativeSampler, NodeSet, member_sets
from ...dataloading import HyperSAGESampler
from ...hypergraphs import (
    HYPEREDGE,
    NODE,
    hypergraph,
    hypergraph_from_incidence,
    remove_hyperedges,
    require_types,
)
from ...nn import Question
from ..batches import Batch
from ..checks import TRAIN, as_labels, check_fits, node_ids

MOST = 256


class HyperedgeBatches:
    """Batches of training hyperedges and as many negatives, for a ``HyperedgePredictor``.

    The hyperedges of a batch, and all others with the same members, are cut out of the graph that
    its messages pass on. A model that finds a set in the graph again would otherwise learn to
    look it up, and fail where hyperedges are new. The cut is a hypergraph of its own: no size,
    degree or fan-out remembers what was taken out.

    Parameters
    ----------
    split
        What :func:`~hypersage_dgl.data.split_hyperedges` made.
    feat
        Features of all nodes, dense or sparse, on the device of the model.
    negatives
        Kinds of negatives, drawn again in each epoch; each positive gets one of these, in turn.
    batch_size
        Positives at once; by default a tenth of all, at most 256: messages lack what a batch takes
        out, so a large batch learns from a graph that is thinner than that of the test.
    sampler
        Draws blocks around the nodes of a batch; by default messages pass on the whole graph.
        One with ``num_neighbors`` counted what was cut out, so it is refused.

    Examples
    --------
    >>> from hypersage_dgl.data import split_hyperedges
    >>> from hypersage_dgl.nn import CandidateScorer, HyperedgePredictor, HyperSAGE
    >>> from hypersage_dgl.training import fit
    >>> g = hypergraph([[0, 1, 2], [1, 2, 3], [0, 3], [2, 4], [3, 4, 5]])
    >>> model = HyperedgePredictor(HyperSAGE(6, 8, 4), CandidateScorer(4))
    >>> batches = HyperedgeBatches(split_hyperedges(g), torch.eye(6), batch_size=2)
    >>> len(fit(model, batches, epochs=2).epochs)
    2
    """

    def __init__(
        self,
        split: HyperedgeSplit,
        feat: Tensor,
        *,
        negatives: Sequence[str] = NEGATIVES,
        batch_size: int | None = None,
        sampler: HyperSAGESampler | None = None,
    ) -> None:
        self.graph, self.train = split.graph, split.train
        check_feat(feat, rows=self.graph.num_nodes(NODE), finite=True)
        self.feat = feat.to_sparse_csr() if is_sparse(feat) else feat
        usual = min(MOST, -(-len(self.train) // 10))
        self.batch_size = usual if batch_size is None else require_count(batch_size, "batch_size")
        unknown = [kind for kind in negatives if kind not in NEGATIVES]
        if unknown or not negatives or isinstance(negatives, str):
            raise ValueError(f"negatives are {negatives!r}; give some of {NEGATIVES} in a list")
        if sampler is not None and sampler.num_neighbors is not None:
            raise ValueError(
                "the sampler has counted the neighbours on the uncut hypergraph; leave out the "
                "sampler, or take a model that needs no counts: inter='size' or 'mean', and "
                "node_weight='equal'"
            )
        self.negatives, self.sampler = tuple(negatives), sampler
        self.not_real = NegativeSampler(self.graph, split.real)
        self.ids_of: dict[NodeSet, list[int]] = {}
        for i, members in enumerate(member_sets(self.graph)):
            self.ids_of.setdefault(members, []).append(i)

    @property
    def options(self) -> dict[str, object]:
        """What decides the curve besides features and hypergraph."""
        sampled = self.sampler
        fan_outs = {} if sampled is None else {"alpha": sampled.alpha, "beta": sampled.beta}
        return {
            "batches": "HyperedgeBatches",
            "batch_size": self.batch_size,
            "negatives": list(self.negatives),
            "positives": zlib.crc32(repr(self.train).encode()),
            **fan_outs,
        }

    def check(self, model: nn.Module) -> None:
        """Refuse a model that the features do not fit."""
        check_fits(self.feat, getattr(model, "encoder", model))

    def __len__(self) -> int:
        return -(-len(self.train) // self.batch_size)

    def __iter__(self) -> Iterator[Batch]:
        order = torch.randperm(len(self.train)).tolist()
        for start in range(0, len(order), self.batch_size):
            positives = [self.train[i] for i in order[start : start + self.batch_size]]
            yield self.batch(positives, self._negatives(positives))

    def batch(self, positives: Sequence[NodeSet], negatives: Sequence[NodeSet]) -> Batch:
        """A batch of these sets, with the graph that lacks the positives."""
        gone = [i for members in positives for i in self.ids_of[members]]
        cut = remove_hyperedges(self.graph, torch.tensor(gone, dtype=torch.int64))
        labels = torch.zeros(len(positives) + len(negatives), 1, device=self.feat.device)
        labels[: len(positives)] = 1
        sets = [*positives, *negatives]
        if self.sampler is None:
            candidates = as_candidates(sets, cut)
            return Batch(Question(cut, candidates), self.feat, labels)
        seeds = torch.tensor(sorted({node for members in sets for node in members}))
        found, _, pairs = self.sampler.sample(cut, {NODE: seeds})
        feat = select_rows(self.feat, found[NODE].long().to(self.feat.device))
        places = {node: row for row, node in enumerate(seeds.tolist())}
        rows = [[places[node] for node in members] for members in sets]
        candidates = hypergraph(rows, len(seeds), device=self.feat.device)
        blocks = [tuple(block.to(self.feat.device) for block in pair) for pair in pairs]
        return Batch(Question(blocks, candidates), feat, labels)

    def _negatives(self, positives: Sequence[NodeSet]) -> list[NodeSet]:
        # The loop seeds torch before each epoch, so a resumed run draws the same.
        seed = int(torch.randint(2**31, (1,)))
        drawn = []
        for k, kind in enumerate(self.negatives):
            drawn += self.not_real.draw(kind, positives[k :: len(self.negatives)], seed + k)
        return drawn


def as_candidates(sets: Sequence[NodeSet], graph: dgl.DGLGraph) -> dgl.DGLGraph:
    """Sets of nodes of a hypergraph as the hyperedges of one of their own."""
    # Flat, since a check of each set alone takes longer than the model.
    nodes = [node for members in sets for node in members]
    sizes = torch.tensor([len(members) for members in sets], dtype=torch.int64)
    of = torch.repeat_interleave(sizes)
    counts = (graph.num_nodes(NODE), len(sets))
    return hypergraph_from_incidence(nodes, of, *counts, device=graph.device)


class HyperedgeLabels:
    """Some hyperedges and their labels as one batch of a ``HyperedgePredictor``, for ``fit``.

    The head pools the embeddings of the members, and its ``out_feats`` are the classes. Messages
    pass on the whole hypergraph: a hyperedge is there for all to see, its label is not.

    Parameters
    ----------
    graph, feat
        The hypergraph, and features of its nodes.
    labels
        A class, a 0/1 row of labels, or a number for each hyperedge.
    hyperedges
        Ids of those to train on, or a boolean mask.

    Examples
    --------
    >>> import torch
    >>> from hypersage_dgl import hypergraph
    >>> from hypersage_dgl.nn import CandidateScorer, HyperedgePredictor, HyperSAGE, Mean
    >>> from hypersage_dgl.training import fit
    >>> g, sizes = hypergraph([[0, 1], [1, 2, 3], [0, 3]]), torch.tensor([2.0, 3.0, 2.0])
    >>> model = HyperedgePredictor(HyperSAGE(4, 8, 8), CandidateScorer(8, aggr=Mean()))
    >>> batches = HyperedgeLabels(g, torch.eye(4), sizes, torch.tensor([0, 1]))
    >>> len(fit(model, batches, epochs=2, task="regression").epochs)
    2
    """

    def __init__(
        self, graph: dgl.DGLGraph, feat: Tensor, labels: Tensor, hyperedges: Tensor
    ) -> None:
        require_types(graph)
        check_feat(feat, rows=graph.num_nodes(NODE), finite=True)
        count = graph.num_nodes(HYPEREDGE)
        self.graph, self.feat = graph, feat
        self.nodes = node_ids(hyperedges, count, TRAIN, HYPEREDGE)
        self.targets = as_labels(labels, count, HYPEREDGE)[self.nodes]
        self.options = {"batches": "HyperedgeLabels"}

    def check(self, model: nn.Module) -> None:
        """Refuse a model that the features do not fit."""
        check_fits(self.feat, getattr(model, "encoder", model))

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[Batch]:
        # Its own hyperedges are the sets to pool.
        yield Batch(Question(self.graph, self.graph), self.feat, self.targets, self.nodes)
