"""Options of a model in a checkpoint: only ours, of the right types, and no code by name."""

from __future__ import annotations

import pytest

from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import load_checkpoint, save_checkpoint

from .cases import record_of, rewrite, write_record


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
