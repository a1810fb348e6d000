"""Learn of hyperedges: which sets of nodes are one, and what class or number each has."""

from .batches import HyperedgeBatches, HyperedgeLabels
from .scores import (
    RankScores,
    auroc_on,
    draw_negatives,
    evaluate_hyperedges,
    hyperedge_score_on,
    score_candidates,
)
