"""Features that do better without hyperedges are said, by validation nodes alone."""

from __future__ import annotations

from dataclasses import replace

import torch

from hypersage_dgl.cli.features_only import features_only, features_only_of
from hypersage_dgl.data import Split, generate

# Words tell the class and hyperedges do not: they mislead.
DATA = generate(
    400, 300, num_feats=64, homophily=0.0, feature_noise=0.1, train_per_class=25, seed=1
)
SPLIT = DATA.with_split("random")


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


def test_the_command_warns(place, hypersage):
    SPLIT.save("data.npz")
    # The maximum of all members drowns what a node itself says.
    words = ("train", "--hypergraph", "data.npz", "--epochs", "20", "--intra", "max")
    assert "warning: features alone do better" in hypersage(*words).err
    done = hypersage("train", "--hypergraph", "data.npz", "--model", "mlp", "--epochs", "20")
    assert "features alone" not in done.err
