"""The score of a set of nodes, against plain float64 loops."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import (
    LSTM,
    CandidateScorer,
    HyperedgePredictor,
    HyperSAGE,
    Max,
    Mean,
    Min,
    PowerMean,
    Question,
    Sum,
)

SETS = [[3, 0], [1, 2, 4], [5], [0, 1, 2, 3, 4, 5], [2, 4, 1]]
EMBED = torch.rand(6, 3, generator=torch.Generator().manual_seed(1), dtype=torch.float64) + 0.1
POOLS = {
    "max-min": (None, lambda rows: rows.max(0).values - rows.min(0).values),
    "mean": (Mean(), lambda rows: rows.sum(0) / len(rows)),
    "sum": (Sum(), lambda rows: rows.sum(0)),
    "max": (Max(), lambda rows: rows.max(0).values),
    "min": (Min(), lambda rows: rows.min(0).values),
    "p=2": (PowerMean(2), lambda rows: ((rows**2).sum(0) / len(rows)).sqrt()),
    "p=0": (PowerMean(0), lambda rows: rows.log().mean(0).exp()),
}


def scorer(aggr=None) -> CandidateScorer:
    torch.manual_seed(2)
    return CandidateScorer(3, 7, aggr).double()


@pytest.mark.parametrize("name", POOLS)
def test_a_score_is_an_mlp_of_the_pooled_members(name):
    aggr, pool = POOLS[name]
    head = scorer(aggr)
    found = head(hypergraph(SETS), EMBED)
    for row, members in zip(found, SETS):
        pooled = pool(EMBED[members])
        hidden = (head.hidden.weight @ pooled + head.hidden.bias).clamp_min(0)
        torch.testing.assert_close(row, head.out.weight @ hidden + head.out.bias)


@pytest.mark.parametrize("name", POOLS)
def test_the_order_of_members_and_other_candidates_change_nothing(name):
    head = scorer(POOLS[name][0])
    found = head(hypergraph(SETS), EMBED)
    torch.testing.assert_close(found[1], found[4])
    alone = torch.cat([head(hypergraph([s], 6), EMBED) for s in SETS])
    torch.testing.assert_close(found, alone)


def test_an_lstm_serves_too_and_gradients_reach_the_members_alone():
    head, embed = scorer(LSTM(3).double()), EMBED.clone().requires_grad_()
    head(hypergraph([[3, 0], [1, 3]], 6), embed).sum().backward()
    is_met = embed.grad.abs().sum(1) > 0
    assert is_met.tolist() == [True, True, False, True, False, False]


def test_members_that_agree_are_zero_by_max_min():
    assert not scorer().pool(hypergraph(SETS), torch.ones(6, 3)).any()


def test_the_predictor_encodes_and_scores():
    torch.manual_seed(0)
    encoder = HyperSAGE(4, 8, 3, dropout=0.0).double()
    model = HyperedgePredictor(encoder, scorer())
    g, feat = hypergraph([[0, 1], [1, 2, 3], [4, 5]]), torch.rand(6, 4, dtype=torch.float64)
    candidates = hypergraph(SETS)
    expected = model.head(candidates, encoder(g, feat))
    assert torch.equal(model(Question(g, candidates), feat), expected)
    assert {name.split(".")[0] for name, _ in model.named_parameters()} == {"encoder", "head"}


def test_weights_can_be_drawn_again_and_options_are_checked():
    head = scorer(LSTM(3).double())
    before = nn.utils.parameters_to_vector(head.parameters()).clone()
    head.reset_parameters()
    assert (nn.utils.parameters_to_vector(head.parameters()) != before).all()
    assert "max-min" in repr(scorer())
    for options in ({"in_feats": 0}, {"in_feats": 3, "hidden_feats": 0}):
        with pytest.raises(ValueError, match="must be a positive integer"):
            CandidateScorer(**options)
    with pytest.raises(ValueError, match="dropout"):
        CandidateScorer(3, dropout=1.5)


def test_parts_that_do_not_fit_are_refused():
    with pytest.raises(TypeError, match="aggr is 'max'; it must be an Aggregator"):
        CandidateScorer(4, aggr="max")
    g = hypergraph([[0, 1], [1, 2]])
    model = HyperedgePredictor(HyperSAGE(3, 8, 5), CandidateScorer(4))
    with pytest.raises(ValueError, match="have 5 columns and the head takes 4"):
        model(Question(g, g), torch.rand(3, 3))
