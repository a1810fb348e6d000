"""The search keeps what does better on validation nodes, all of them training nodes."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import reduce
from operator import add
from pathlib import Path

import pytest

from experiments import search as module
from experiments.ledger import opened
from experiments.protocol import FEW, FOLDS, GROUPS
from experiments.reading import read_results
from experiments.recipe import read_recipes
from experiments.search import (
    FINALISTS,
    FIRST,
    SECOND,
    UnfinishedSearchError,
    choose,
    finalists,
    jobs_for,
    search,
)
from experiments.space import RECIPES, candidates

RESULTS = Path(__file__).parents[2] / "experiments" / "results" / "search.jsonl.gz"


def judge(path, score):
    """Something that does jobs: each gets a score by its data set, its recipe and its fold."""

    def run(jobs):
        with opened(path) as ledger:
            new = [
                replace(trial, test_acc=score(trial, recipe), seconds=1.0).to_row()
                for trial, recipe in jobs
                if trial.to_row() not in ledger
            ]
            ledger.add(new)
        return len(new)

    return run


def number(group, recipe):
    return candidates(group, recipe.method).index(recipe)


def test_the_best_of_the_first_round_go_on(tmp_path):
    path = tmp_path / "search.jsonl.gz"
    run = judge(path, lambda trial, recipe: number(FEW, recipe) / 100)
    done = search(run, path, ["hgnn"], [FEW])
    assert finalists(read_results(path), FEW, "hgnn") == candidates(FEW, "hgnn")[-FINALISTS:]
    first, second = set(FIRST[FEW]), set(SECOND[FEW])
    assert first < second
    folds = RECIPES * len(first) + FINALISTS * len(second - first)
    assert done == folds * len(GROUPS[FEW])
    assert search(run, path, ["hgnn"], [FEW]) == 0


def test_who_goes_on_is_decided_by_the_whole_group_and_the_first_round_alone(tmp_path):
    path = tmp_path / "search.jsonl.gz"

    def score(trial, recipe):
        place = number(FEW, recipe)
        if (trial.split, trial.fold) not in FIRST[FEW]:
            return 0.0
        # The first is far ahead on one set and behind on the others.
        return {0: 0.9 if trial.dataset == "citeseer" else 0.1}.get(place, 0.4 + place / 1000)

    search(judge(path, score), path, ["hgnn"], [FEW])
    assert finalists(read_results(path), FEW, "hgnn") == candidates(FEW, "hgnn")[-FINALISTS:]


def test_each_data_set_takes_the_finalist_that_is_best_there(tmp_path, monkeypatch):
    path, last = tmp_path / "search.jsonl.gz", {"citeseer": RECIPES - 2, "pubmed": RECIPES - 4}

    def score(trial, recipe):
        group = FEW if trial.dataset in GROUPS[FEW] else "many labels"
        place = number(group, recipe)
        if (trial.split, trial.fold) in FIRST[group]:
            return place / 1000
        return 0.5 + 0.1 * (place == last.get(trial.dataset, RECIPES - 1))

    monkeypatch.setattr(module, "METHODS", {"mlp": None})
    search(judge(path, score), path, ["mlp"])
    chosen = choose(read_results(path))
    for group, datasets in GROUPS.items():
        for dataset in datasets:
            assert number(group, chosen[dataset]["mlp"]) == last.get(dataset, RECIPES - 1)


def test_the_earlier_of_two_equals_is_taken(tmp_path, monkeypatch):
    path = tmp_path / "search.jsonl.gz"
    monkeypatch.setattr(module, "METHODS", {"mlp": None})
    search(judge(path, lambda trial, recipe: 0.5), path, ["mlp"])
    for group in GROUPS:
        assert finalists(read_results(path), group, "mlp") == candidates(group, "mlp")[:FINALISTS]
    for dataset, of_dataset in choose(read_results(path)).items():
        group = FEW if dataset in GROUPS[FEW] else "many labels"
        assert of_dataset["mlp"] == candidates(group, "mlp")[0]


def test_half_a_search_chooses_nothing(tmp_path):
    path = tmp_path / "search.jsonl.gz"
    search(judge(path, lambda trial, recipe: 0.5), path, ["mlp"], [FEW])
    rows = read_results(path)
    with pytest.raises(ValueError, match=r"has 15 of 16 results of .*; let .* finish"):
        finalists([row for row in rows if row != rows[0]], FEW, "mlp")
    with pytest.raises(ValueError, match=r"has 0 of .* results"):
        choose(rows)


def test_the_order_of_the_lines_decides_nothing(tmp_path, monkeypatch):
    """Two recipes have the same scores in another order, whose plain sums differ."""
    path = tmp_path / "search.jsonl.gz"
    parts = [0.1, 0.2, 0.3, 0.6]

    def score(trial, recipe):
        place = number(FEW, recipe)
        if place not in (2, 9):
            return 0.0
        fold = FIRST[FEW].index((trial.split, trial.fold)) if trial.split <= 4 else 0
        return parts[fold if place == 2 else -1 - fold]

    monkeypatch.setattr(module, "FINALISTS", 1)
    search(judge(path, score), path, ["mlp"], [FEW])
    rows = read_results(path)
    # Added one by one: from Python 3.12 on, sum() itself corrects the rounding.
    sums = [
        reduce(add, (r.test_acc for r in rows if r.recipe == recipe.to_json() and r.split < 5))
        for recipe in (candidates(FEW, "mlp")[2], candidates(FEW, "mlp")[9])
    ]
    assert sums[0] != sums[1] == pytest.approx(sums[0])
    # Level, so the earlier one, whichever line is read first.
    for lines in (rows, rows[::-1]):
        assert finalists(lines, FEW, "mlp") == [candidates(FEW, "mlp")[2]]


def test_of_two_lines_for_one_run_the_first_counts(tmp_path):
    path = tmp_path / "search.jsonl.gz"
    search(judge(path, lambda trial, recipe: number(FEW, recipe) / 100), path, ["mlp"], [FEW])
    rows = read_results(path)
    again = [replace(row, test_acc=1 - row.test_acc) for row in rows]
    assert finalists(rows + again, FEW, "mlp") == finalists(rows, FEW, "mlp")
    one = [row for row in rows if row.recipe == rows[0].recipe][:1]
    with pytest.raises(UnfinishedSearchError, match="has 1 of 16 results"):
        finalists(one * 16, FEW, "mlp")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"recipe": None}, "has 'search', a fold, 'validation' and its recipe"),
        ({"fold": None}, "has 'search', a fold, 'validation' and its recipe"),
        ({"part": "test"}, "has 'search', a fold, 'validation' and its recipe"),
        ({"column": "best"}, "has 'search', a fold, 'validation' and its recipe"),
        ({"test_acc": None}, "test_acc"),
        ({"dataset": "a"}, "dataset"),
    ],
)
def test_a_line_that_is_no_result_of_a_search_is_named(tmp_path, change, said):
    path = tmp_path / "search.jsonl.gz"
    run, _ = jobs_for("citeseer", candidates(FEW, "mlp")[0], [(1, 2)])[0]
    row = replace(run, test_acc=0.5, seconds=1.0).to_row()
    path.with_suffix("").write_text(json.dumps(row) + "\n")
    assert len(read_results(path)) == 1
    path.with_suffix("").write_text(json.dumps({**row, **change}) + "\n")
    with pytest.raises(ValueError, match=rf"search\.jsonl: line 1: .*{said}.*correct or remove"):
        read_results(path)


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


def test_chosen_recipes_are_those_of_the_committed_search():
    assert read_recipes() == choose(read_results(RESULTS))


def test_the_committed_search_read_validation_nodes_only():
    rows = read_results(RESULTS)
    assert rows
    assert {row.part for row in rows} == {"validation"}
    assert all(json.loads(row.recipe)["method"] == row.method for row in rows)
