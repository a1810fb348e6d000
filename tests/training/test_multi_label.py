"""Models with any number of labels for each node, from training to prediction."""

import pytest
import torch
from small_hypergraph import CLASSES, model_for

from hypersage_dgl.cli import main
from hypersage_dgl.training import Objective, Predictor, balanced_weights, fit

from .cases import full, small

TRAIN = torch.arange(8)


def rows():
    targets = torch.zeros(len(small().labels), CLASSES)
    targets[:, 0] = 1
    targets[::2, 1] = 1
    targets[1::3, 2] = 1
    return targets


def test_prediction_gives_each_label_its_own_probability(tmp_path):
    case, model = small(), model_for(dropout=0.0)
    batches = full(model, case.graph, case.feat, rows(), TRAIN)
    fit(model, batches, epochs=3, folder=tmp_path)
    loaded = Predictor.load(tmp_path)
    prediction = loaded.predict(case.graph, case.feat)
    with torch.no_grad():
        expected = model(case.graph, case.feat).sigmoid()
    torch.testing.assert_close(prediction.probabilities, expected)
    assert torch.equal(prediction.label, (expected > 0.5).long())


def test_the_command_says_that_the_features_are_others(tmp_path, capsys):
    case, model = small(), model_for()
    fit(model, full(model, case.graph, case.feat, rows(), TRAIN), epochs=1, folder=tmp_path)
    assert main(["predict", str(tmp_path), "--dataset", "debian"]) != 0
    assert capsys.readouterr().err.count("\n") == 1


def test_labels_that_cannot_be_learned_are_refused():
    case, model, targets = small(), model_for(), rows()
    targets[:, 1] = 0
    batches = full(model, case.graph, case.feat, targets, TRAIN)
    with pytest.warns(UserWarning, match="label 1 has no training node"):
        fit(model, batches, epochs=1)
    with pytest.raises(ValueError, match="label 0 is on every training node"):
        balanced_weights(rows()[TRAIN], CLASSES)


@pytest.mark.parametrize("weight", [[1.0, -1, 1], [float("nan"), 1, 1], [0, 0, 0], [[1.0]]])
def test_class_weights_are_checked(weight):
    with pytest.raises(ValueError, match="class_weight"):
        Objective(weight)


def test_class_weights_of_another_number_of_classes():
    case, model = small(), model_for()
    batches = full(model, *case, TRAIN)
    with pytest.raises(ValueError, match="2 class weights for 3"):
        fit(model, batches, epochs=1, objective=Objective([1.0, 2.0]))


def test_a_predictor_never_drops_out():
    case, model = small(), model_for(dropout=0.5)
    predictor = Predictor(model)
    expected = predictor.predict(case.graph, case.feat).probabilities
    model.train()
    assert torch.equal(predictor.predict(case.graph, case.feat).probabilities, expected)
