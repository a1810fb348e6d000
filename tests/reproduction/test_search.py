"""The search keeps what does better on validation nodes, all of them training nodes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from plain_arrays import arrays_of

from hypersage_dgl.data import load_dataset
from hypersage_dgl.reproduction import search as module
from hypersage_dgl.reproduction.chosen import read_recipes
from hypersage_dgl.reproduction.ledger import opened
from hypersage_dgl.reproduction.nodes import FOLDS, fold_split, ratio_split
from hypersage_dgl.reproduction.search import (
    FINALISTS,
    FIRST,
    SECOND,
    UnfinishedSearchError,
    choose,
    finalists,
    jobs_for,
    read,
    search,
)
from hypersage_dgl.reproduction.space import FEW, GROUPS, RECIPES, candidates

RESULTS = Path(__file__).parents[2] / "results" / "search.jsonl"


def judge(path, score):
    """Something that does jobs: each gets a score by its data set, its recipe and its fold."""

    def run(jobs):
        with opened(path) as ledger:
            new = [
                {**trial.identity("validation"), "test_acc": score(trial, recipe)}
                for trial, recipe in jobs
                if trial.identity("validation") not in ledger
            ]
            ledger.add(new)
        return len(new)

    return run


def number(group, recipe):
    return candidates(group, recipe.method).index(recipe)


def test_the_best_of_the_first_round_go_on(tmp_path):
    path = tmp_path / "search.jsonl"
    run = judge(path, lambda trial, recipe: number(FEW, recipe) / 100)
    done = search(run, path, ["hgnn"], [FEW])
    assert finalists(read(path), FEW, "hgnn") == candidates(FEW, "hgnn")[-FINALISTS:]
    first, second = set(FIRST[FEW]), set(SECOND[FEW])
    assert first < second
    folds = RECIPES * len(first) + FINALISTS * len(second - first)
    assert done == folds * len(GROUPS[FEW])
    assert search(run, path, ["hgnn"], [FEW]) == 0


def test_who_goes_on_is_decided_by_the_whole_group_and_the_first_round_alone(tmp_path):
    path = tmp_path / "search.jsonl"

    def score(trial, recipe):
        place = number(FEW, recipe)
        if (trial.split, trial.fold) not in FIRST[FEW]:
            return 0.0
        # The first is far ahead on one set and behind on the others.
        return {0: 0.9 if trial.dataset == "citeseer" else 0.1}.get(place, 0.4 + place / 1000)

    search(judge(path, score), path, ["hgnn"], [FEW])
    assert finalists(read(path), FEW, "hgnn") == candidates(FEW, "hgnn")[-FINALISTS:]


def test_each_data_set_takes_the_finalist_that_is_best_there(tmp_path, monkeypatch):
    path, last = tmp_path / "search.jsonl", {"citeseer": RECIPES - 2, "pubmed": RECIPES - 4}

    def score(trial, recipe):
        group = FEW if trial.dataset in GROUPS[FEW] else "many labels"
        place = number(group, recipe)
        if (trial.split, trial.fold) in FIRST[group]:
            return place / 1000
        return 0.5 + 0.1 * (place == last.get(trial.dataset, RECIPES - 1))

    monkeypatch.setattr(module, "METHODS", ("mlp",))
    search(judge(path, score), path, ["mlp"])
    chosen = choose(read(path))
    for group, datasets in GROUPS.items():
        for dataset in datasets:
            assert number(group, chosen[dataset]["mlp"]) == last.get(dataset, RECIPES - 1)


def test_the_earlier_of_two_equals_is_taken(tmp_path, monkeypatch):
    path = tmp_path / "search.jsonl"
    monkeypatch.setattr(module, "METHODS", ("mlp",))
    search(judge(path, lambda trial, recipe: 0.5), path, ["mlp"])
    for group in GROUPS:
        assert finalists(read(path), group, "mlp") == candidates(group, "mlp")[:FINALISTS]
    for dataset, of_dataset in choose(read(path)).items():
        group = FEW if dataset in GROUPS[FEW] else "many labels"
        assert of_dataset["mlp"] == candidates(group, "mlp")[0]


def test_half_a_search_chooses_nothing(tmp_path):
    path = tmp_path / "search.jsonl"
    search(judge(path, lambda trial, recipe: 0.5), path, ["mlp"], [FEW])
    rows = read(path)
    with pytest.raises(ValueError, match=r"has 15 of 16 results of .*; let .* finish"):
        finalists([row for row in rows if row != rows[0]], FEW, "mlp")
    with pytest.raises(ValueError, match=r"has 0 of .* results"):
        choose(rows)


def test_the_order_of_the_lines_decides_nothing(tmp_path, monkeypatch):
    """Two recipes have the same scores in another order, whose plain sums differ."""
    path = tmp_path / "search.jsonl"
    parts = [0.1, 0.2, 0.3, 0.6]

    def score(trial, recipe):
        place = number(FEW, recipe)
        if place not in (2, 9):
            return 0.0
        fold = FIRST[FEW].index((trial.split, trial.fold)) if trial.split <= 4 else 0
        return parts[fold if place == 2 else -1 - fold]

    monkeypatch.setattr(module, "FINALISTS", 1)
    search(judge(path, score), path, ["mlp"], [FEW])
    rows = read(path)
    sums = [
        sum(
            row["test_acc"]
            for row in rows
            if row["recipe"] == recipe.to_json() and row["split"] < 5
        )
        for recipe in (candidates(FEW, "mlp")[2], candidates(FEW, "mlp")[9])
    ]
    assert sums[0] != sums[1] == pytest.approx(sums[0])
    # Level, so the earlier one, whichever line is read first.
    for lines in (rows, rows[::-1]):
        assert finalists(lines, FEW, "mlp") == [candidates(FEW, "mlp")[2]]


def test_of_two_lines_for_one_run_the_first_counts(tmp_path):
    path = tmp_path / "search.jsonl"
    search(judge(path, lambda trial, recipe: number(FEW, recipe) / 100), path, ["mlp"], [FEW])
    rows = read(path)
    again = [{**row, "test_acc": 1 - row["test_acc"]} for row in rows]
    assert finalists(rows + again, FEW, "mlp") == finalists(rows, FEW, "mlp")
    one = [row for row in rows if row["recipe"] == rows[0]["recipe"]][:1]
    with pytest.raises(UnfinishedSearchError, match="has 1 of 16 results"):
        finalists(one * 16, FEW, "mlp")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"dataset": "citeseer"}', "line 1: .*recipe"),
        ('{"dataset": "a", "recipe": "", "split": 1, "fold": 0, "test_acc": null}', "test_acc"),
    ],
)
def test_a_line_that_is_no_result_is_named(tmp_path, line, said):
    path = tmp_path / "search.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(ValueError, match=rf"search\.jsonl: {said}|{said}.*correct or remove"):
        read(path)


def test_jobs_are_trials_on_validation_nodes():
    recipe = candidates(FEW, "hypersage")[3]
    jobs = jobs_for("citeseer", recipe, [(1, 2), (5, 0)])
    assert [(trial.split, trial.fold) for trial, _ in jobs] == [(1, 2), (5, 0)]
    assert {trial.parts for trial, _ in jobs} == {("validation",)}
    assert {text for trial, _ in jobs for text in [trial.recipe]} == {recipe.to_json()}


@pytest.mark.parametrize("rounds", [FIRST, SECOND])
def test_folds_of_a_round_are_all_different(rounds):
    for folds in rounds.values():
        assert len(set(folds)) == len(folds)
        assert {fold for _, fold in folds} <= set(range(FOLDS))


def test_folds_part_the_training_nodes_class_by_class():
    arrays = arrays_of(load_dataset("debian").data)
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
    labels = load_dataset("debian").labels.numpy()
    split = ratio_split(labels, ratio, seed=1)
    assert len(split.train) + len(split.test) == len(labels)
    assert len(np.intersect1d(split.train, split.test)) == 0
    train, test = (np.bincount(labels[ids]) for ids in (split.train, split.test))
    np.testing.assert_allclose(train / test, ratio, rtol=0.05)
    assert not np.array_equal(split.train, ratio_split(labels, ratio, seed=2).train)


def test_chosen_recipes_are_those_of_the_committed_search():
    assert read_recipes() == choose(read(RESULTS))


def test_the_committed_search_read_validation_nodes_only():
    rows = read(RESULTS)
    assert rows
    assert {row["part"] for row in rows} == {"validation"}
    assert all(json.loads(row["recipe"])["method"] == row["method"] for row in rows)
