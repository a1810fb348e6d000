"""Models and their options are saved by name and come back; strangers and wrong types do not."""

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
from hypersage_dgl.training.saving.model_json import described, fill, rebuilt

from ..cases import record_of, rewrite, write_record


@pytest.mark.parametrize(
    "changes",
    [
        {"callback": "os.system"},
        {"__class__": "x"},
        {"activation": "os.system"},
        {"activation": "__import__('os')"},
        {"activation": None},
        {"norm": "Linear"},
        {"norm": {}},
        {"intra_aggr": "Aggregator"},
        {"intra_aggr": {"LSTM": {}}},
        {"intra_aggr": {"PowerMean": {"p": 1, "more": 1}}},
        {"inter_aggr": ["Max"]},
        {"p": "nan"},
        {"p": "one"},
        {"p": [1]},
        {"p": [1, [2, 3]]},
        {"p": {"PowerMean": [1]}},
        {"p": {"PowerMean": {"p": 1, "eps": -1}}},
        {"p": {}},
        {"p": True},
        {"include_self": "no"},
        {"normalize": 1},
        {"normalize": [True, 1]},
        {"normalize": [True]},
        {"bias": "false"},
        {"in_feats": "5"},
        {"in_feats": 4},
        {"hidden_feats": -1},
        {"hidden_feats": 2.5},
        {"hidden_feats": 10**15},
        {"num_layers": 0},
        {"num_layers": 10**9},
        {"num_layers": 3},
        {"num_layers": 2.0},
        {"dropout": 1.5},
        {"dropout": "0.5"},
        {"dropout": [0.5, "0.5"]},
        {"dropout": [0.5, 0.5, 0.5]},
        {"eps": 0},
        {"inter": "none"},
        {"inter": None},
        {"node_weight": "none"},
        {"node_weight": True},
    ],
    ids=str,
)
def test_options_that_are_not_ours_are_refused(saved, changes):
    rewrite(saved, model=changes)
    with pytest.raises(ValueError, match="does not describe its weights"):
        load_checkpoint(saved)


def test_missing_options_are_refused(saved):
    for key in record_of(saved)["model"]:
        record = record_of(saved)
        del record["model"][key]
        (saved / "changed").mkdir(exist_ok=True)
        for file in saved.glob("*.safetensors"):
            (saved / "changed" / file.name).write_bytes(file.read_bytes())
        write_record(saved / "changed", record)
        with pytest.raises(ValueError, match=f"has no '{key}'"):
            load_checkpoint(saved / "changed")


def test_options_by_layer_come_back(tmp_path):
    model = HyperSAGE(5, 4, 3, dropout=(0.0, 0.5), normalize=[True, False])
    save_checkpoint(tmp_path / "model", model)
    loaded = load_checkpoint(tmp_path / "model").model
    assert [layer.dropout for layer in loaded.layers] == [0.0, 0.5]
    assert [layer.normalize for layer in loaded.layers] == [True, False]


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
