"""What a model was trained for, and names that do not fit it."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest
import torch
from small_hypergraph import model_for
from torch import nn

from hypersage_dgl import hypergraph, summary
from hypersage_dgl._utils import json_digest
from hypersage_dgl.data import LabelledHypergraph, Split
from hypersage_dgl.training import PREDICTION, About, load_checkpoint, save_checkpoint

NAMES = ("a", "b", "c", "d", "e")


def test_as_many_names_as_the_model_has_ends_or_none():
    model = model_for()
    About().check(model)
    About(classes=NAMES[:3], feature_names=NAMES).check(model)
    with pytest.raises(ValueError, match="2 classes are named, the model has 3; name all or none"):
        About(classes=NAMES[:2]).check(model)
    with pytest.raises(ValueError, match="4 feature_names are named, the model has 5"):
        About(feature_names=NAMES[:4]).check(model)


def test_a_module_of_ones_own_does_not_say_its_ends():
    About(classes=("a",)).check(nn.Linear(2, 2))


def test_of_data_with_a_split():
    data = LabelledHypergraph(
        hypergraph([[0, 1], [1, 2]]),
        feat=torch.eye(3),
        feature_names=NAMES[:3],
        labels=torch.tensor([0, 1, 1]),
        class_names=("red", "blue"),
        splits=[Split([0, 1], [], [2])],
    )
    measured = {
        **asdict(summary(data.graph)),
        "features": 3,
        **{"train": 2, "val": 0, "test": 1},
        "checksum": data.checksum(),
    }
    assert About.of(data) == About(("red", "blue"), NAMES[:3], measured)


def test_of_data_that_is_a_bare_hypergraph():
    about = About.of(LabelledHypergraph(hypergraph([[0, 1], [1, 2]])))
    assert (about.classes, about.feature_names) == ((), ())
    assert about.statistics["features"] == 0
    assert not {"train", "val", "test"} & set(about.statistics)


@pytest.mark.parametrize(
    ("noted", "told"),
    [
        ({"separator": 5}, r"\$\.separator is 5; it must be of type string"),
        ({"node": ["a"]}, r"\$\.node is \['a'\]"),
        ({"hyperedge": None}, r"\$\.hyperedge is None"),
        ({"val_fraction": "x"}, r"\$\.val_fraction is 'x'"),
        ({"seed": "1"}, r"\$\.seed is '1'"),
        ({"split": [1]}, r"\$\.split is \[1\]"),
        ({"ranges": []}, r"\$\.ranges is \[\]"),
        ({"hyperedges": 3}, r"\$\.hyperedges is 3"),
    ],
)
def test_what_is_noted_of_a_training_has_its_types(tmp_path, noted, told):
    about = About(training={**noted, "my own": object})
    with pytest.raises(ValueError, match=f"training: {told}"):
        about.check(model_for())
    save_checkpoint(tmp_path, model_for(), About(training={"split": 1, "my own": [2]}))
    record = json.loads((tmp_path / "checkpoint.json").read_text())
    del record["sha256"]
    record["training"] = noted
    (tmp_path / "checkpoint.json").write_text(json.dumps({**record, "sha256": json_digest(record)}))
    with pytest.raises(ValueError, match=rf"checkpoint\.json .*training: {told}"):
        load_checkpoint(tmp_path)


def test_a_model_of_nodes_predicts_no_hyperedges():
    with pytest.raises(ValueError, match="needs a HyperedgePredictor"):
        About(task=PREDICTION).check(model_for())
