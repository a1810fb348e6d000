"""The search keeps what does better on validation nodes, all of them training nodes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from hypersage_dgl.data import load_dataset
from hypersage_dgl.reproduction import search as module
from hypersage_dgl.reproduction.chosen import read_recipes
from hypersage_dgl.reproduction.ledger import opened
from hypersage_dgl.reproduction.nodes import FOLDS, fold_split, ratio_split
from hypersage_dgl.reproduction.recipe import METHODS, Recipe
from hypersage_dgl.reproduction.search import (
    CHANGES,
    GROUPS,
    STEPS,
    changed,
    choose,
    jobs_for,
    read,
    search,
    walk,
)

RESULTS = Path(__file__).parents[2] / "results" / "search.jsonl"


def judge(score):
    """Something that does jobs: each gets the score of its recipe."""

    def make(path):
        def run(jobs):
            with opened(path) as ledger:
                new = [
                    {**trial.identity("validation"), "test_acc": score(recipe)}
                    for trial, recipe in jobs
                    if trial.identity("validation") not in ledger
                ]
                ledger.add(new)
            return len(new)

        return run

    return make


def test_every_method_gets_the_same_number_of_changes():
    for group, changes in CHANGES.items():
        assert set(changes) == set(METHODS)
        assert {len(of_method) for of_method in changes.values()} == {STEPS[group] - 1}


def test_it_ends_with_all_changes_that_help_and_no_other(tmp_path):
    def score(recipe):
        # Not enough for row-scaled features: less than the margin.
        return 0.5 + 0.1 * (recipe.hidden == 128) + 0.004 * (recipe.features == "rows")

    path = tmp_path / "search.jsonl"
    run = judge(score)(path)
    count = search(run, path, ["hgnn", "hypersage"])
    runs = sum(STEPS[group] * len(jobs_for(group, Recipe("hgnn"))) for group in GROUPS)
    assert count == 2 * runs
    for group in GROUPS:
        assert walk(read(path), group, "hgnn")[-1] == changed(Recipe("hgnn"), {"hidden": 128})
    assert search(run, path, ["hgnn", "hypersage"]) == 0


def test_groups_choose_apart(tmp_path, monkeypatch):
    path = tmp_path / "search.jsonl"

    def run(jobs):
        with opened(path) as ledger:
            ledger.add(
                {
                    **trial.identity("validation"),
                    "test_acc": 0.5 + 0.1 * (recipe.hidden == 128) * (trial.dataset == "dblp"),
                }
                for trial, recipe in jobs
            )
        return len(jobs)

    monkeypatch.setattr(module, "METHODS", ("mlp",))
    search(run, path, ["mlp"])
    chosen = choose(read(path))
    assert chosen["dblp"]["mlp"].hidden == 128
    assert chosen["citeseer"]["mlp"] == chosen["pubmed"]["mlp"] == Recipe("mlp")


def test_folds_part_the_training_nodes_class_by_class():
    arrays = load_dataset("debian").arrays
    train = arrays.splits[0].train
    parts = [fold_split(train, arrays.labels, fold, seed=3) for fold in range(FOLDS)]
    assert np.array_equal(np.sort(np.concatenate([part.val for part in parts])), train)
    for part in parts:
        assert np.array_equal(np.union1d(part.train, part.val), train)
        assert len(np.intersect1d(part.train, part.val)) == 0
        held_out = np.bincount(arrays.labels[part.val])
        assert np.abs(held_out - np.bincount(arrays.labels[train]) / FOLDS).max() < 1


@pytest.mark.parametrize("ratio", [1 / 30, 1 / 3])
def test_ratio_split_has_the_ratio_in_every_class(ratio):
    labels = load_dataset("debian").arrays.labels
    split = ratio_split(labels, ratio, seed=1)
    assert len(split.train) + len(split.test) == len(labels)
    assert len(np.intersect1d(split.train, split.test)) == 0
    train, test = (np.bincount(labels[ids]) for ids in (split.train, split.test))
    np.testing.assert_allclose(train / test, ratio, rtol=0.05)
    assert not np.array_equal(split.train, ratio_split(labels, ratio, seed=2).train)


def test_chosen_recipes_are_those_of_the_committed_search():
    recipes = choose(read(RESULTS))
    assert set(recipes) == {name for names in GROUPS.values() for name in names}
    for dataset, of_dataset in recipes.items():
        for method, recipe in of_dataset.items():
            assert read_recipes()[dataset][method] == recipe


def test_the_committed_search_read_validation_nodes_only():
    rows = read(RESULTS)
    assert rows
    assert {row["part"] for row in rows} == {"validation"}
    assert all(json.loads(row["recipe"])["method"] == row["method"] for row in rows)
