"""Trials train as the loop does, without the test; a study belongs to one search."""

from __future__ import annotations

import sys
from dataclasses import fields, replace

import pytest
import torch

from hypersage_dgl.data import Split, generate
from hypersage_dgl.training import (
    FullGraph,
    Recipe,
    accuracy_on,
    fit,
    require_optuna,
    seed_everything,
)
from hypersage_dgl.training.tuning.search import STARTS
from hypersage_dgl.training.tuning.trials import (
    SPACE,
    STUDY,
    Bench,
    identity_of,
    open_study,
    quiet,
    space_for,
    without_test,
)

DATA = generate(120, 80, num_classes=3, num_feats=24, feats_per_node=3, max_size=8, seed=1)
SPLIT = DATA.with_split(1, val_fraction=0.25)


def test_the_test_is_gone():
    seen = without_test(SPLIT)
    train, val, test = SPLIT.split(1)
    known = torch.cat([train, val])
    assert torch.equal(seen.labels[known], SPLIT.labels[known])
    assert seen.labels[test].unique().tolist() == [-1]
    assert [len(part) for part in seen.split(1)] == [len(train), len(val), 0]
    # The data that were given are as they were.
    assert int(SPLIT.labels.min()) == 0


def test_rows_of_labels_are_hidden_too():
    rows = torch.nn.functional.one_hot(DATA.labels, 3)
    seen = without_test(replace(SPLIT, labels=rows))
    assert int(seen.labels[SPLIT.part("test")].sum()) == 0
    assert torch.equal(seen.labels[SPLIT.part("val")], rows[SPLIT.part("val")])


def test_the_space_holds_options_of_a_recipe_and_the_starts():
    assert SPACE.keys() <= {field.name for field in fields(Recipe)}
    for start in STARTS:
        assert all(getattr(start, name) in values for name, values in SPACE.items())


def test_negative_features_keep_the_mean():
    assert space_for(SPLIT) == SPACE
    shifted = replace(SPLIT, feat=SPLIT.feat.to_dense() - 0.5)
    assert space_for(shifted) == {**SPACE, "p": (1.0,)}


def test_a_trial_is_the_training_loop():
    recipe, told = Recipe(8, dropout=0.2, p=2.0), []
    bench = Bench(without_test(SPLIT), 3, epochs=4, seed=5)
    history = bench.train(recipe, lambda epoch, accuracy: told.append((epoch, accuracy)))
    seed_everything(5)
    model = recipe.build(24, 3)
    parts = (SPLIT.graph, SPLIT.feat, SPLIT.labels)
    wanted = fit(
        model,
        FullGraph(*parts, SPLIT.part("train"), model=model),
        epochs=4,
        validate=accuracy_on(*parts, SPLIT.part("val"), model=model),
        seed=5,
    )
    assert [(e.loss, e.val) for e in history.epochs] == [(e.loss, e.val) for e in wanted.epochs]
    assert told == [(e.epoch, e.val) for e in wanted.epochs]


def test_a_split_of_ones_own():
    own = DATA.with_split(Split([0, 1], [2], [3]))
    assert (without_test(own).labels >= 0).nonzero().flatten().tolist() == [0, 1, 2]


optuna = pytest.importorskip("optuna")


def bench(seed=0, epochs=3, val_fraction=0.25, **changes):
    data = replace(DATA.with_split(1, val_fraction=val_fraction), **changes)
    return Bench(without_test(data), 3, epochs, seed)


def test_without_optuna_one_line_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(ModuleNotFoundError, match=r'pip install "hypersage_dgl\[tune\]"') as error:
        require_optuna()
    assert "\n" not in str(error.value)


def test_a_study_is_kept_and_belongs_to_its_search(tmp_path):
    with open_study(optuna, tmp_path, "this") as study:
        study.add_trial(optuna.trial.create_trial(value=0.5))
    assert (tmp_path / STUDY).is_file()
    with open_study(optuna, tmp_path, "this") as study:
        assert [trial.value for trial in study.trials] == [0.5]
    with pytest.raises(ValueError, match="another split, seed"), open_study(optuna, tmp_path, "x"):
        pass


def test_what_a_killed_process_left_running_has_failed(tmp_path):
    with open_study(optuna, tmp_path, "this") as study:
        study.ask()
    with open_study(optuna, tmp_path, "this") as study:
        assert [trial.state.name for trial in study.trials] == ["FAIL"]


def test_searches_are_told_apart():
    same = identity_of(bench(), SPACE)
    assert identity_of(bench(), SPACE) == same
    others = [
        bench(seed=1),
        bench(epochs=4),
        bench(val_fraction=0.5),
        bench(feat=DATA.feat.to_dense() * 2),
        bench(graph=generate(120, 80, mean_size=4, max_size=8, num_feats=64, seed=2).graph),
    ]
    assert len({same, *(identity_of(other, SPACE) for other in others)}) == 6
    assert identity_of(bench(), {**SPACE, "p": (1.0,)}) != same


def test_optuna_is_quiet_for_a_while():
    before = optuna.logging.get_verbosity()
    with quiet(optuna):
        assert optuna.logging.get_verbosity() == optuna.logging.ERROR
    assert optuna.logging.get_verbosity() == before
