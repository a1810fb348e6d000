"""Scores of candidate sets, and of a model on hyperedges that were held out."""

from __future__ import annotations

import pytest
import torch
from sklearn import metrics
from torch import nn

from hypersage_dgl.data import NEGATIVES, split_hyperedges
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.nn.baselines import MLP
from hypersage_dgl.training import (
    RankScores,
    auroc_on,
    draw_negatives,
    evaluate_hyperedges,
    score_candidates,
)

from .test_batches import NODES, made, predictor

G, FEAT = made(planted=True, count=80)
SPLIT = split_hyperedges(G)


def test_a_score_is_a_probability_of_the_set_alone():
    model = predictor().train()
    sets = [(3, 1), (5, 6, 7, 8), (1, 3)]
    found = score_candidates(model, SPLIT.graph, FEAT, sets)
    assert model.training
    assert ((found > 0) & (found < 1)).all()
    assert found[0] == found[2]
    alone = torch.cat([score_candidates(model, SPLIT.graph, FEAT, [s]) for s in sets])
    torch.testing.assert_close(found, alone)
    assert score_candidates(model, SPLIT.graph, FEAT, []).shape == (0,)
    with pytest.raises(ValueError, match="too large"):
        score_candidates(model, SPLIT.graph, FEAT, [(0, NODES)])


@pytest.mark.parametrize("part", ["val", "test"])
def test_scores_by_kind_and_their_mean(part):
    model, positives = predictor(), getattr(SPLIT, part)
    negatives = draw_negatives(G, SPLIT, part, seed=3)
    found = evaluate_hyperedges(model, SPLIT, FEAT, negatives, part)
    assert list(found) == [*NEGATIVES, "mean"]
    for kind in NEGATIVES:
        sets = [*positives, *negatives[kind]]
        truth = [1] * len(positives) + [0] * len(negatives[kind])
        scores = score_candidates(model, SPLIT.graph, FEAT, sets).numpy()
        expected = (
            metrics.roc_auc_score(truth, scores),
            metrics.average_precision_score(truth, scores),
        )
        assert found[kind] == pytest.approx(expected)
    for k in (0, 1):
        mean = sum(found[kind][k] for kind in NEGATIVES) / 3
        assert found["mean"][k] == pytest.approx(mean)
    if part == "val":
        assert auroc_on(SPLIT, FEAT, negatives)(model) == found["mean"].auroc


def test_negatives_of_held_out_hyperedges():
    negatives = draw_negatives(G, SPLIT, "val", ("sized", "clique"), seed=1)
    assert list(negatives) == ["sized", "clique"]
    for drawn in negatives.values():
        assert [len(s) for s in drawn] == [len(s) for s in SPLIT.val]
        assert not set(drawn) & SPLIT.real


class Oracle(nn.Module):
    """Knows the hyperedges."""

    def forward(self, question, feat):
        from hypersage_dgl.data import member_sets

        known = [s in SPLIT.real for s in member_sets(question.candidates)]
        assert not set(member_sets(question.graph)) & {*SPLIT.val, *SPLIT.test}
        return torch.tensor(known).float().unsqueeze(1)


def test_who_knows_them_has_all_right():
    negatives = draw_negatives(G, SPLIT)
    found = evaluate_hyperedges(Oracle(), SPLIT, FEAT, negatives)
    assert set(found.values()) == {RankScores(1.0, 1.0)}


def test_only_what_was_held_out_is_scored():
    with pytest.raises(ValueError, match="val or test, which are held out"):
        draw_negatives(G, SPLIT, "train")
    without = split_hyperedges(G, (0.8, 0, 0.2))
    with pytest.raises(ValueError, match="no hyperedge in val"):
        draw_negatives(G, without, "val")


@pytest.mark.parametrize("value", [torch.nan, torch.inf, 2e38])
def test_what_is_no_number_is_never_a_score(value):
    feat = FEAT.clone()
    feat[0] = value
    sets = [(0, 1), (3, 4)]
    with pytest.raises((ValueError, FloatingPointError), match="NaN or infinite"):
        score_candidates(predictor(), SPLIT.graph, feat, sets)
    broken = predictor()
    with torch.no_grad():
        broken.encoder.first.linear.weight.fill_(torch.nan)
    for scored in (
        lambda: score_candidates(broken, SPLIT.graph, FEAT, sets),
        lambda: auroc_on(SPLIT, FEAT, draw_negatives(G, SPLIT, "val"))(broken),
    ):
        with pytest.raises(FloatingPointError, match=r"logits of \d+ sets, first of set 0"):
            scored()


def test_a_model_that_does_not_score_sets_is_refused():
    class Wide(nn.Module):
        def forward(self, question, feat):
            return feat

    width = FEAT.shape[1]
    for model in (HyperSAGE(width, 4, 2), MLP(width, 4, 1)):
        with pytest.raises(TypeError, match="scores nodes; give a HyperedgePredictor"):
            score_candidates(model, SPLIT.graph, FEAT, [(0, 1)])
    with pytest.raises(ValueError, match="for 1 sets, and each has one score"):
        score_candidates(Wide(), SPLIT.graph, FEAT, [(0, 1)])
