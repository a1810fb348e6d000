"""What went wrong in a run is said: few classes, a low fit, features that do better alone."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace

import numpy as np
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.cli.doubts import (
    collapse_of,
    features_only,
    features_only_of,
    underfit_of,
    warn_of_weakness,
)
from hypersage_dgl.data import LabelledHypergraph, Split, generate

from .own_data import ARRAYS, labelled

# Words tell the class and hyperedges do not: they mislead.
DATA = generate(
    400, 300, num_feats=64, homophily=0.0, feature_noise=0.1, train_per_class=25, seed=1
)
SPLIT = DATA.with_split("random")


def scores(*predicted):
    return torch.eye(4)[list(predicted)]


def test_half_of_the_classes_missing_is_a_collapse():
    labels, nodes, names = torch.tensor([0, 1, 2, 3]), torch.arange(4), ("a", "b", "c", "d")
    assert collapse_of(scores(0, 1, 2, 3), labels, nodes, names) is None
    assert collapse_of(scores(0, 1, 2, 0), labels, nodes, names) is None
    said = collapse_of(scores(0, 1, 0, 1), labels, nodes, names)
    assert said.startswith("the model found 2 of the 4 classes: no c, d is predicted; try more")
    # Where one class occurs alone there is nothing to tell apart.
    assert collapse_of(scores(1, 1, 1, 1), torch.zeros(4).long(), nodes, names) is None


def test_the_command_warns_of_a_collapse(data, hypersage):
    # Without features all nodes look alike.
    path = labelled(data, feature_values=np.zeros_like(ARRAYS.features.data))
    done = hypersage("train", "--hypergraph", path, "--epochs", "2")
    assert done.code == 0
    assert "hypersage train: warning: the model found 1 of the 3 classes" in done.err


def test_low_is_below_seven_in_ten():
    labels, nodes = torch.zeros(12).long(), torch.arange(10)
    for wrong, is_low in ((0, False), (3, False), (4, True), (10, True)):
        scores = torch.eye(2)[torch.tensor([1] * wrong + [0] * (10 - wrong) + [1, 1])]
        assert (underfit_of(scores, labels, nodes) is not None) == is_low
    said = underfit_of(torch.eye(2)[torch.ones(12).long()], labels, nodes)
    assert said.startswith("training accuracy is only 0.00 %: the model underfits; try ")


def test_the_command_warns_of_low_accuracy(data, hypersage):
    # Without features all nodes look alike.
    path = labelled(data, feature_values=np.zeros_like(ARRAYS.features.data))
    done = hypersage("train", "--hypergraph", path, "--epochs", "2")
    assert done.code == 0
    assert "hypersage train: warning: training accuracy is only 33.33 %: " in done.err
    good = hypersage("train", "--hypergraph", "recipes.npz", "--epochs", "60", "--dropout", "0")
    assert "underfits" not in good.err


def test_who_is_better_by_more_than_chance():
    nodes, truth = SPLIT.part("val"), torch.eye(4)[DATA.labels]
    alone = features_only(SPLIT, 0)
    accuracy = float((alone[nodes].argmax(1) == DATA.labels[nodes]).double().mean())
    assert accuracy > 0.9
    said = features_only_of(truth.roll(1, 1), SPLIT, 0)
    assert said.startswith(
        f"features alone do better: a quick MLP has {100 * accuracy:.2f} % of the validation nodes "
        "right, this model 0.00 %; try "
    )
    assert features_only_of(truth, SPLIT, 0) is None
    assert features_only_of(alone, SPLIT, 0) is None
    # Three nodes more are chance.
    slightly = alone.clone()
    slightly[nodes[:3]] = truth[nodes[:3]].roll(1, 1)
    assert features_only_of(slightly, SPLIT, 0) is None


def test_no_test_node_is_looked_at():
    scores = torch.eye(4)[DATA.labels].roll(1, 1)
    test = SPLIT.part("test")
    changed = DATA.labels.clone()
    changed[test] = (changed[test] + 1) % 4
    assert features_only_of(scores, replace(SPLIT, labels=changed), 0) == features_only_of(
        scores, SPLIT, 0
    )


def test_without_validation_nodes_nothing_is_said():
    train, _, test = SPLIT.split(1)
    scores = torch.eye(4)[DATA.labels].roll(1, 1)
    assert features_only_of(scores, DATA.with_split(Split(train, [], test)), 0) is None


def test_the_command_warns_of_features_that_do_better(place, hypersage):
    SPLIT.save("data.npz")
    # The maximum of all members drowns what a node itself says.
    words = ("train", "--hypergraph", "data.npz", "--epochs", "20", "--intra", "max")
    assert "warning: features alone do better" in hypersage(*words).err
    done = hypersage("train", "--hypergraph", "data.npz", "--model", "mlp", "--epochs", "20")
    assert "features alone" not in done.err


def test_a_run_without_weakness_is_not_warned_of(capsys):
    args = Namespace(model="hypersage", seed=0, prog="hypersage train")
    labels, ids = torch.tensor([0, 1, 0, 1, 0, 1]), torch.arange(6)
    split = Split(ids[:4], ids[:0], ids[4:])
    graph = hypergraph([[0, 2, 4], [1, 3, 5]], 6)
    task = LabelledHypergraph(graph, feat=torch.eye(6), labels=labels, splits=(split,))
    warn_of_weakness(args, task, {"full": torch.eye(2)[labels]})
    assert capsys.readouterr().err == ""
    warn_of_weakness(args, task, {"full": torch.eye(2)[1 - labels]})
    assert "training accuracy is only 0.00 %" in capsys.readouterr().err
