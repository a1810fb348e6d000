"""The epoch that counts is the best on validation nodes, and a part without nodes has no score."""

from __future__ import annotations

from functools import partial

import torch

from experiments.best_epoch import train_and_test
from hypersage_dgl.data import generate
from hypersage_dgl.nn.baselines import MLP
from hypersage_dgl.training import evaluate, without_test

DATA = generate(120, 90, max_size=6, seed=2).with_split(1, val_fraction=0.5)
TRAINING = {"lr": 0.05, "weight_decay": 0.0, "seed": 3}


def made(made_models):
    model = MLP(DATA.num_feats, 8, DATA.num_classes)
    made_models.append(model)
    return model


def test_scores_are_those_of_the_model_of_the_best_epoch():
    models = []
    found = train_and_test(partial(made, models), DATA, epochs=12, **TRAINING)
    logits = models[0].eval()(DATA.graph, DATA.feat)
    for part in ("train", "val", "test"):
        score = evaluate(logits, DATA.labels, DATA.part(part)).accuracy
        assert found[f"{part}_acc"] == score
    curve = [
        train_and_test(partial(made, []), DATA, epochs=n, **TRAINING)["val_acc"] for n in (1, 12)
    ]
    assert curve == sorted(curve)
    assert 1 <= found["best_epoch"] <= found["epochs_run"] == 12


def test_without_test_nodes_there_is_no_test():
    found = train_and_test(partial(made, []), without_test(DATA), epochs=2, **TRAINING)
    assert "test_acc" not in found
    assert "val_acc" in found


def test_the_seed_decides_and_patience_ends():
    first, again = (train_and_test(partial(made, []), DATA, epochs=5, **TRAINING) for _ in "ab")
    assert first == again
    short = train_and_test(partial(made, []), DATA, epochs=500, patience=2, **TRAINING)
    assert short["epochs_run"] == short["best_epoch"] + 2
    assert torch.is_grad_enabled()
