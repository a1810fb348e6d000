"""The search is honest: no test node, no worse than where it starts, resumed as if unbroken."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from hypersage_dgl.data import Split, generate
from hypersage_dgl.training import DEFAULT, read_recipe, tune
from hypersage_dgl.training.saving.progress import History
from hypersage_dgl.training.tuning import search as module
from hypersage_dgl.training.tuning.trials import SPACE, Bench

optuna = pytest.importorskip("optuna")
DATA = generate(
    120, 80, num_classes=3, num_feats=24, feats_per_node=3, max_size=8, train_per_class=12, seed=1
).with_split(1, val_fraction=0.25)
SHORT = {"epochs": 3, "seed": 4}


@pytest.fixture
def scores(monkeypatch):
    """Trials that cost nothing: the wider and the more dropout the better; they are listed."""
    tried = []

    def train(self, recipe, report):
        tried.append(recipe)
        score = (recipe.hidden_feats / 256 + recipe.dropout) / 2
        for epoch in range(1, self.epochs + 1):
            report(epoch, score)
        return History(best_val=score)

    monkeypatch.setattr(Bench, "train", train)
    return tried


def told(folder):
    study = optuna.load_study(study_name="hypersage", storage=f"sqlite:///{folder}/study.db")
    # FAIL without its attribute is a trial that was broken off.
    return [
        (t.params, t.value, t.state.name, t.intermediate_values)
        for t in study.trials
        if module.DONE in t.user_attrs
    ]


@pytest.mark.parametrize(
    "change", ["scrambled", pytest.param("removed", marks=pytest.mark.exhaustive)]
)
def test_no_test_node_is_looked_at(tmp_path, change):
    train, val, test = DATA.split(1)
    labels, split = DATA.labels.clone(), DATA.split(1)
    if change == "removed":
        labels[test], split = -1, Split(train, val, test[:0])
    else:
        labels[test] = (labels[test].flip(0) + 1) % 3
    assert not torch.equal(labels, DATA.labels)
    changed = replace(DATA, labels=labels, splits=(split,))
    found = tune(DATA, trials=5, folder=tmp_path / "a", **SHORT)
    blind = tune(changed, trials=5, folder=tmp_path / "b", **SHORT)
    assert blind == found
    assert told(tmp_path / "a") == told(tmp_path / "b")
    files = [(tmp_path / name / "recipe.json").read_bytes() for name in "ab"]
    assert files[0] == files[1]


def test_the_starts_come_first_and_the_best_counts(scores, tmp_path):
    found = tune(DATA, trials=12, folder=tmp_path, **SHORT)
    assert [replace(recipe, epochs=None) for recipe in scores[:2]] == list(module.STARTS)
    assert found.val == max((r.hidden_feats / 256 + r.dropout) / 2 for r in scores)
    assert (found.recipe.hidden_feats / 256 + found.recipe.dropout) / 2 == found.val
    assert (found.trials, found.stopped) == (12, "all trials done")
    assert found.pruned > 0
    assert read_recipe(tmp_path / "recipe.json") == found.recipe
    assert found.recipe.epochs == 3


@pytest.mark.exhaustive
def test_a_broken_search_goes_on_as_if_unbroken(scores, tmp_path, monkeypatch):
    tune(DATA, trials=9, folder=tmp_path / "whole", **SHORT)
    whole = scores.copy()
    scores.clear()
    tune(DATA, trials=4, folder=tmp_path / "broken", **SHORT)

    def interrupted(self, recipe, report):
        return History(stopped="interrupted")

    with monkeypatch.context() as patch:
        patch.setattr(Bench, "train", interrupted)
        assert tune(DATA, trials=9, folder=tmp_path / "broken", **SHORT).stopped == "interrupted"
    again = tune(DATA, trials=9, folder=tmp_path / "broken", **SHORT)
    assert scores == whole
    assert told(tmp_path / "broken") == told(tmp_path / "whole")
    # Nothing is left to do.
    assert tune(DATA, trials=9, folder=tmp_path / "broken", **SHORT) == again
    assert len(scores) == 9


def test_another_search_does_not_go_on_in_the_folder(scores, tmp_path):
    tune(DATA, trials=1, folder=tmp_path, **SHORT)
    with pytest.raises(ValueError, match="holds a search on other data"):
        tune(DATA, trials=2, folder=tmp_path, seed=4, epochs=5)


def test_one_trial_ends_however_few_the_minutes(scores):
    found = tune(DATA, minutes=1e-9, **SHORT)
    assert (found.trials, found.stopped) == (1, "the minutes are over")
    assert found.recipe == replace(DEFAULT, epochs=3)


def test_a_trial_whose_loss_is_infinite_does_not_end_the_search(monkeypatch, scores):
    train = Bench.train

    def fails(self, recipe, report):
        if recipe.hidden_feats == DEFAULT.hidden_feats:
            raise FloatingPointError("the loss of epoch 1 is nan")
        return train(self, recipe, report)

    monkeypatch.setattr(Bench, "train", fails)
    found = tune(DATA, trials=8, **SHORT)
    assert found.trials == 8
    assert found.recipe.hidden_feats != DEFAULT.hidden_feats
    monkeypatch.setattr(Bench, "train", lambda *_: fails(None, DEFAULT, None))
    with pytest.raises(ValueError, match="every trial failed"):
        tune(DATA, trials=2, **SHORT)


def test_an_error_ends_the_search_and_the_trial_is_done_again(monkeypatch, scores, tmp_path):
    with monkeypatch.context() as patch:
        patch.setattr(Bench, "train", lambda *_: [][0])
        with pytest.raises(IndexError):
            tune(DATA, trials=2, folder=tmp_path, **SHORT)
    tune(DATA, trials=2, folder=tmp_path, **SHORT)
    assert [replace(recipe, epochs=None) for recipe in scores] == list(module.STARTS)


def test_all_that_is_proposed_is_in_the_space(scores):
    tune(DATA, trials=25, **SHORT)
    for recipe in scores:
        assert all(getattr(recipe, name) in values for name, values in SPACE.items())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"trials": 0}, "trials is 0"),
        ({"minutes": 0}, "minutes is 0; it must be a positive number"),
        ({"epochs": 0}, "epochs is 0"),
    ],
)
def test_budgets_that_are_none(options, said):
    with pytest.raises(ValueError, match=said):
        tune(DATA, **options)


def test_without_validation_nodes_there_is_nothing_to_choose_by():
    with pytest.raises(ValueError, match="no validation nodes to choose by"):
        tune(generate(seed=0), trials=1)
