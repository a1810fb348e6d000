"""A predictor of hyperedges is saved by name and comes back by itself; strangers do not."""

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
    Mean,
    PowerMean,
    Question,
)
from hypersage_dgl.nn.baselines import HGNN
from hypersage_dgl.training import load_checkpoint, save_checkpoint
from hypersage_dgl.training.model_json import described, fill, rebuilt

ASKED = Question(hypergraph([[0, 1, 2], [2, 3]]), hypergraph([[0, 3], [1, 2, 3]], num_nodes=4))
FEAT = torch.rand(4, 5)


@pytest.mark.parametrize("encoder", [HyperSAGE, HGNN])
@pytest.mark.parametrize("aggr", [None, Mean(), PowerMean(1, learn=True)], ids=str)
@pytest.mark.filterwarnings("ignore:PowerMean")
def test_a_predictor_comes_back_with_its_scores(tmp_path, encoder, aggr):
    head = CandidateScorer(4, 6, aggr, dropout=0.3)
    model = HyperedgePredictor(encoder(5, 8, 4), head).eval()
    save_checkpoint(tmp_path, model)
    found = load_checkpoint(tmp_path).model.eval()
    assert described(found) == described(model)
    assert repr(found) == repr(model)
    assert torch.equal(found(ASKED, FEAT), model(ASKED, FEAT))


@pytest.mark.parametrize(
    "model",
    [
        HyperedgePredictor(nn.Linear(5, 4), CandidateScorer(4)),
        HyperedgePredictor(HyperSAGE(5, 8, 4), CandidateScorer(4, aggr=LSTM(4))),
    ],
    ids=["encoder", "aggregator"],
)
def test_what_has_no_name_here_asks_for_the_module(tmp_path, model):
    assert described(model) == {"module": "HyperedgePredictor"}
    save_checkpoint(tmp_path, model)
    with pytest.raises(ValueError, match="holds a HyperedgePredictor"):
        load_checkpoint(tmp_path)
    assert load_checkpoint(tmp_path, model).model is model


def test_a_record_cannot_ask_for_more_than_its_weights():
    model = HyperedgePredictor(HyperSAGE(5, 8, 4), CandidateScorer(4))
    coded, weights = described(model), model.state_dict()
    for part, wrong in (("head", {"hidden_feats": 10**12}), ("encoder", {"num_layers": 10**9})):
        with pytest.raises((RuntimeError, ValueError)):
            rebuilt({**coded, part: {**coded[part], **wrong}}, weights)
    with pytest.raises(ValueError, match="it was saved with head="):
        fill(HyperedgePredictor(HyperSAGE(5, 8, 4), CandidateScorer(4, 7)), coded, weights)
