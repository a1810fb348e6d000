"""``hypersage tune`` writes a recipe that ``train`` takes, and repeats its accuracy with it."""

from __future__ import annotations

import re
import sys

import pytest

from hypersage_dgl.training import DEFAULT, Tuned, load_checkpoint, read_recipe

pytest.importorskip("optuna")
OWN = ("--hypergraph", "recipes.npz", "--val-fraction", "0.25")
TUNE = ("tune", *OWN, "--epochs", "6", "--out", "tuned")


def accuracy(text):
    return re.search(r"^best (?:epoch \d+, )?validation accuracy (\S+)$", text, re.M)[1]


def test_train_with_the_recipe_scores_as_the_search_says(data, hypersage):
    found = hypersage(*TUNE, "--trials", "3")
    assert found.code == 0, found
    assert "3 trials, 0 of them given up early (all trials done)\n" in found.out
    assert "test" not in found.out
    assert found.err == ""
    recipe = read_recipe("tuned/recipe.json")
    assert re.search(rf"^hidden_feats +{recipe.hidden_feats}$", found.out, re.M)
    done = hypersage("train", *OWN, "--recipe", "tuned/recipe.json", "--out", "new")
    assert "trained 6 epochs" in done.out
    assert accuracy(done.out) == accuracy(found.out)
    assert load_checkpoint("new").model.config.hidden_feats == recipe.hidden_feats


def test_the_same_command_goes_on(data, hypersage):
    assert "2 trials" in hypersage(*TUNE, "--trials", "2").out
    assert "3 trials" in hypersage(*TUNE, "--trials", "3").out
    assert "3 trials" in hypersage(*TUNE, "--minutes", "1e-9").out


def test_a_split_without_validation_nodes_gets_some(data, hypersage, fails):
    words = ("tune", "--hypergraph", "recipes.npz", "--trials", "1", "--epochs", "2")
    done = hypersage(*words, "--out", "tuned")
    assert done.err == (
        "hypersage tune: note: recipes.npz has no validation nodes: 25% of the training nodes "
        "validate\n"
    )
    assert "; train 18, val 6\n" in done.out
    assert "--val-fraction 0.25" in fails(*words, "--val-fraction", "0", "--out", "other")


def test_without_optuna_one_line_says_how_to_get_it(data, fails, monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    assert 'get it with: pip install "hypersage_dgl[tune]"' in fails(*TUNE, "--trials", "1")
    assert not (data / "tuned").exists()


def test_what_is_not_searched_holds_for_all_trials(data, hypersage, fails):
    given = ("--intra", "max", "--learn-p", "--exclude-self")
    found = hypersage(*TUNE, *given, "--trials", "2")
    assert found.code == 0, found
    recipe = read_recipe("tuned/recipe.json")
    assert (recipe.intra, recipe.learn_p, recipe.include_self) == ("max", True, False)
    done = hypersage("train", *OWN, "--recipe", "tuned/recipe.json")
    assert accuracy(done.out) == accuracy(found.out)
    assert "or option; continue it with the same" in fails(*TUNE, "--trials", "3")


def test_a_folder_of_another_search(data, hypersage, fails):
    assert hypersage(*TUNE, "--trials", "1").code == 0
    assert "holds a search on other data" in fails(*TUNE, "--trials", "2", "--seed", "3")


def test_it_needs_a_folder(fails):
    assert "--out" in fails("tune", "--dataset", "synthetic", code=2)


def test_ctrl_c_shows_what_was_found(data, hypersage, monkeypatch):
    found = Tuned(DEFAULT, 0.5, 1, 0, "interrupted")
    monkeypatch.setattr("hypersage_dgl.cli.commands.tune.tune", lambda *_, **__: found)
    done = hypersage(*TUNE)
    assert done.code == 130
    assert "(interrupted)" in done.out
