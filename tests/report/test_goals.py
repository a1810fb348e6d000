"""The table of goals: what is missing says so, and rounded tenths decide."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hypersage_dgl.report import goals

from .made_up import all_experiments, parsed, runs, shuffled

BASELINES = ("mlp", "mlp+hlr", "hgnn", "fasthypergcn", "hypergcn", "clique-gcn", "clique-sage")
NOT_YET = "not measured yet"


def best(accuracies, method="hypersage", **fields):
    return runs(accuracies, **{"column": "best", "method": method, **fields})


def rows(results):
    (table,) = parsed(goals(results))
    return {name: row for name, (row,) in table.items()}


def all_baselines(accuracies):
    return [run for method in BASELINES for run in best(accuracies, method)]


def test_without_results_there_are_the_goals_and_nothing_else():
    found = rows([])
    assert {name: row.pop("goal") for name, row in found.items()} == {
        "DBLP": "90.0",
        "Cora (co-authorship)": "76.0",
        "Pubmed": "76.0",
        "Citeseer": "65.0",
        "Cora (co-citation)": "71.0",
    }
    assert {cell for row in found.values() for cell in row.values()} == {NOT_YET}


def test_a_row_by_hand():
    others = [run for run in all_baselines([0.80, 0.82]) if run.method != "hypergcn"]
    results = best([0.91, 0.93]) + others + best([0.90, 0.904], "hypergcn")
    assert rows(results)["DBLP"] == {
        "goal": "90.0",
        "HyperSAGE": "92.0 ± 1.4, 2 runs",
        "reached?": "yes (+2.0)",
        "best baseline": "HyperGCN 90.2 ± 0.3",
        "ahead?": "yes (+1.8)",
    }


@pytest.mark.parametrize(
    ("accuracy", "reached"),
    [(0.8994, "no (-0.1)"), (0.8996, "yes (+0.0)"), (0.9, "yes (+0.0)"), (0.5, "no (-40.0)")],
)
def test_a_goal_is_reached_from_its_tenth_on(accuracy, reached):
    assert rows(best([accuracy]))["DBLP"]["reached?"] == reached


@pytest.mark.parametrize(
    ("ours", "ahead"),
    [(0.8004, "no (+0.0)"), (0.8006, "yes (+0.1)"), (0.7996, "no (+0.0)"), (0.79, "no (-1.0)")],
)
def test_ahead_is_a_tenth_above_the_best_baseline(ours, ahead):
    assert rows(best([ours]) + all_baselines([0.8]))["DBLP"]["ahead?"] == ahead


def test_equal_baselines_are_named_in_the_order_of_the_tables():
    assert rows(all_baselines([0.8]))["DBLP"]["best baseline"] == "MLP 80.0, 1 run"


def test_a_baseline_says_its_runs_where_hypersage_has_another_number():
    ours, theirs = best([0.8, 0.8]), all_baselines([0.7, 0.7])
    assert rows(ours + theirs)["DBLP"]["best baseline"] == "MLP 70.0 ± 0.0"
    more = replace(theirs[0], init=1)
    assert rows([*ours, *theirs, more])["DBLP"]["best baseline"] == "MLP 70.0 ± 0.0, 3 runs"


def test_while_a_baseline_is_missing_hypersage_may_be_behind_but_not_ahead():
    rivals = best([0.8], "hgnn") + best([0.7], "mlp")
    leads, trails = (rows(best([share]) + rivals)["DBLP"] for share in (0.9, 0.75))
    assert leads["best baseline"] == "HGNN 80.0 (2 of 7 baselines have runs)"
    assert (leads["ahead?"], trails["ahead?"]) == (NOT_YET, "no (-5.0)")


def test_without_hypersage_the_baselines_still_show():
    row = rows(all_baselines([0.8, 0.8]))["DBLP"]
    assert row["best baseline"] == "MLP 80.0 ± 0.0, 2 runs"
    assert [row[name] for name in ("HyperSAGE", "reached?", "ahead?")] == [NOT_YET] * 3


@pytest.mark.parametrize(
    "change", [{"column": "paper"}, {"alpha": 3}, {"ratio": 0.25}, {"part": "seen"}, {"p": 1.0}]
)
def test_only_runs_of_table_1_by_a_searched_recipe_count(change):
    assert rows(best([0.95], **change)) == rows([])


def test_the_order_of_the_results_is_nothing():
    results = all_experiments() + best([0.7, 0.8])
    assert {goals(shuffled(results, seed)) for seed in range(4)} == {goals(results)}
