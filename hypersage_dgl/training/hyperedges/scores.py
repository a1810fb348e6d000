"""Score candidate sets with a trained model, and the model on hyperedges that were held out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import dgl
import torch
from torch import Tensor, nn

from ...data import NEGATIVES, HyperedgeSplit, NegativeSampler, NodeSet
from ...hypergraphs import HYPEREDGE, NODE
from ...nn import Baseline, HyperSAGE, Question, in_evaluation
from ..checks import check_fits, node_ids, require_finite
from ..evaluator import SCORE
from ..metrics import auroc, average_precision, score_of
from .batches import HyperedgeLabels, as_candidates

MEAN = "mean"
CURE = "give a HyperedgePredictor whose head has one output"


class RankScores(NamedTuple):
    """How well hyperedges are ranked before negatives; 0.5 is chance for both, 1 the best."""

    auroc: float
    average_precision: float


def score_candidates(
    model: nn.Module, graph: dgl.DGLGraph, feat: Tensor, sets: Iterable[Sequence[int]]
) -> Tensor:
    """Probability that each of some sets of nodes is a hyperedge.

    Parameters
    ----------
    model
        A :class:`~hypersage_dgl.nn.HyperedgePredictor`.
    graph, feat
        What messages pass on, and the features of its nodes.
    sets
        Ids of the nodes of each candidate, of any size; ``argsort(descending=True)`` of the result
        ranks them.

    Raises
    ------
    FloatingPointError
        If a score is not finite, as after a training that failed.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> from hypersage_dgl.nn import CandidateScorer, HyperedgePredictor, HyperSAGE
    >>> model = HyperedgePredictor(HyperSAGE(3, 8, 4), CandidateScorer(4))
    >>> score_candidates(model, hypergraph([[0, 1]], 3), torch.eye(3), [(0, 1), (0, 1, 2)]).shape
    torch.Size([2])
    """
    if isinstance(model, (HyperSAGE, Baseline)):
        raise TypeError(f"the model is a {type(model).__name__}, which scores nodes; {CURE}")
    check_fits(feat, getattr(model, "encoder", model), graph.num_nodes(NODE), finite=True)
    candidates = [tuple(members) for members in sets]
    asked = Question(graph, as_candidates(candidates, graph))
    with torch.no_grad():
        logits: Tensor = in_evaluation(model)(asked, feat)
    if tuple(logits.shape) != (len(candidates), 1):
        raise ValueError(
            f"the model gives the shape {tuple(logits.shape)} for {len(candidates)} sets, and each "
            f"has one score; {CURE}"
        )
    require_finite(logits, rows="set")
    return logits[:, 0].sigmoid()


def draw_negatives(
    g: dgl.DGLGraph,
    split: HyperedgeSplit,
    part: str = "test",
    kinds: Sequence[str] = NEGATIVES,
    seed: int = 0,
) -> dict[str, list[NodeSet]]:
    """Negatives of each kind for the held-out hyperedges of a part, to score models on.

    ``g`` is the whole hypergraph: neighbours by hyperedges that are held out count as well, since
    a negative is the harder the more it looks like a hyperedge.
    """
    sampler = NegativeSampler(g, split.real)
    return {kind: sampler.draw(kind, _part(split, part), seed) for kind in kinds}


def evaluate_hyperedges(
    model: nn.Module,
    split: HyperedgeSplit,
    feat: Tensor,
    negatives: Mapping[str, Sequence[NodeSet]],
    part: str = "test",
) -> dict[str, RankScores]:
    """AUROC and average precision on held-out hyperedges, for each kind of negatives.

    Parameters
    ----------
    model
        A :class:`~hypersage_dgl.nn.HyperedgePredictor`; messages pass on ``split.graph``, which
        has no held-out hyperedge.
    split, feat
        What it was trained on.
    negatives
        Sets for each kind, of :func:`draw_negatives`.
    part
        ``"val"``, or ``"test"``.

    Returns
    -------
    dict
        The scores by kind and, last, as ``"mean"``, their mean.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> from hypersage_dgl.data import split_hyperedges
    >>> from hypersage_dgl.nn import CandidateScorer, HyperedgePredictor, HyperSAGE
    >>> g = hypergraph([[0, 1, 2], [1, 2, 3], [0, 3], [2, 4], [3, 4, 5]])
    >>> split = split_hyperedges(g)
    >>> model = HyperedgePredictor(HyperSAGE(6, 8, 4), CandidateScorer(4))
    >>> list(evaluate_hyperedges(model, split, torch.eye(6), draw_negatives(g, split)))
    ['sized', 'motif', 'clique', 'mean']
    """
    positives = _part(split, part)
    sets = [*positives, *(members for each in negatives.values() for members in each)]
    found = score_candidates(model, split.graph, feat, sets).cpu()
    of_positives, start, scores = found[: len(positives)], len(positives), {}
    for kind, each in negatives.items():
        ranked = torch.cat([of_positives, found[start : start + len(each)]])
        truth = torch.arange(len(ranked)) < len(positives)
        scores[kind] = RankScores(
            auroc(truth.long(), ranked), average_precision(truth.long(), ranked)
        )
        start += len(each)
    means = (sum(values) / len(scores) for values in zip(*scores.values()))
    return {**scores, MEAN: RankScores(*means)}


def auroc_on(
    split: HyperedgeSplit, feat: Tensor, negatives: Mapping[str, Sequence[NodeSet]]
) -> Callable[[nn.Module], float]:
    """Make the ``validate`` of ``fit`` for hyperedges: mean AUROC on the validation hyperedges."""
    return lambda model: evaluate_hyperedges(model, split, feat, negatives, "val")[MEAN].auroc


def _part(split: HyperedgeSplit, part: str) -> tuple[NodeSet, ...]:
    if part not in ("val", "test"):
        raise ValueError(f"part is {part!r}; it must be val or test, which are held out")
    positives: tuple[NodeSet, ...] = getattr(split, part)
    if not positives:
        raise ValueError(f"the split has no hyperedge in {part}; give it a share")
    return positives


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
