"""A study stays in its folder, belongs to one search, and says how to get optuna."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from hypersage_dgl.data import generate
from hypersage_dgl.training import require_optuna, without_test
from hypersage_dgl.training.study import STUDY, identity_of, open_study, quiet
from hypersage_dgl.training.trials import SPACE, Bench

DATA = generate(120, 80, num_classes=3, num_feats=24, feats_per_node=3, max_size=8, seed=1)
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
