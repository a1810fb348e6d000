"""Learn a class, labels or a number of each hyperedge."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import dgl
import torch
from torch import Tensor, nn

from .._utils import check_feat
from ..hypergraphs import HYPEREDGE, NODE, require_types
from ..nn import Question, in_evaluation
from .batches import Batch
from .checks import TRAIN, as_labels, check_fits, node_ids
from .evaluator import SCORE
from .metrics import score_of


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


def hyperedge_score_on(
    graph: dgl.DGLGraph,
    feat: Tensor,
    labels: Tensor,
    hyperedges: Tensor,
    *,
    task: str = "classification",
) -> Callable[[nn.Module], float]:
    """Make the ``validate`` of a task of hyperedges: accuracy, micro-F1 or R² on some of them."""
    node_ids(hyperedges, graph.num_nodes(HYPEREDGE), SCORE, HYPEREDGE)
    batches = HyperedgeLabels(graph, feat, labels, hyperedges)

    def score(model: nn.Module) -> float:
        batches.check(model)
        (batch,) = batches
        with torch.no_grad():
            found = in_evaluation(model)(batch.graph, batch.feat)[batch.rows]
        return score_of(found, batch.labels, task)

    return score
