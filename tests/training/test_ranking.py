"""AUROC and average precision, against their definitions."""

from __future__ import annotations

import pytest
import torch

from hypersage_dgl.training import auroc, average_precision
from hypersage_dgl.training.ranking import can_rank

# Few scores for many: ties are the hard part.
GENERATOR = torch.Generator().manual_seed(4)
TRUTH = torch.randint(0, 2, (60,), generator=GENERATOR)
SCORES = torch.randint(0, 9, (60,), generator=GENERATOR).double()


def test_auroc_is_the_share_of_pairs_in_the_right_order():
    pairs = [
        1.0 if p > n else 0.5 if p == n else 0.0
        for p in SCORES[TRUTH == 1].tolist()
        for n in SCORES[TRUTH == 0].tolist()
    ]
    assert auroc(TRUTH, SCORES) == pytest.approx(sum(pairs) / len(pairs))
    assert auroc(TRUTH, -SCORES) == pytest.approx(1 - sum(pairs) / len(pairs))


def test_average_precision_is_a_sum_over_thresholds():
    total, before = 0.0, 0.0
    for threshold in sorted(set(SCORES.tolist()), reverse=True):
        chosen = threshold <= SCORES
        hits = float(TRUTH[chosen].sum())
        recall = hits / float(TRUTH.sum())
        total += (recall - before) * hits / float(chosen.sum())
        before = recall
    assert average_precision(TRUTH, SCORES) == pytest.approx(total)


def test_a_ranking_needs_both_kinds():
    assert can_rank()
    for truth in (torch.ones(3), torch.zeros(3), torch.tensor([0, 1, 2])):
        with pytest.raises(ValueError, match="positives, 1, and negatives, 0"):
            auroc(truth, torch.rand(3))


def test_without_scikit_learn_the_extra_is_named(monkeypatch):
    def missing(name, *rest):
        raise ImportError(name)

    monkeypatch.setattr("hypersage_dgl.training.ranking.import_module", missing)
    with pytest.raises(ImportError, match=r"hypersage-dgl\[scores\]"):
        auroc(TRUTH, SCORES)
