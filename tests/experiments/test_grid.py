"""The grid: full for every method, chosen on folds, and tested on ten splits by two weights."""

from __future__ import annotations

from dataclasses import replace

import pytest

from experiments.grid import DECAYS, EPOCHS, GRIDS, WITH_KNN, cells, choose, final_runs, run_grid
from experiments.protocol import BEST, METHODS, SEARCH
from experiments.search import FIRST, jobs_for


@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_the_same_full_grid(method):
    recipes = cells(method, 0)
    assert {(r.weight_decay, r.epochs) for r in recipes} == {(d, e) for d in DECAYS for e in EPOCHS}
    assert len({r.checksum() for r in recipes}) == len(recipes) == len(DECAYS) * len(EPOCHS)
    assert {(r.features, r.rounds, r.share, r.hidden, r.knn) for r in recipes} == {
        ("idf", 2, 0.5, 128, 0)
    }


def scored(name, method, knn, best):
    jobs = [job for r in cells(method, knn) for job in jobs_for(name, r, FIRST["few labels"])]
    return [replace(run, test_acc=0.6 + 0.1 * (recipe == best)) for run, recipe in jobs]


def test_the_best_cell_is_chosen_and_runs_on_all_splits():
    best = cells("hgnn", 5)[3]
    assert choose(scored("citeseer", "hgnn", 5, best), "citeseer", "hgnn", 5) == best
    jobs = final_runs("citeseer", best)
    assert [(run.init, run.split) for run, _ in jobs] == [
        (i, s) for i in (0, 1) for s in range(1, 11)
    ]
    assert {(run.column, run.recipe) for run, _ in jobs} == {(BEST, best.checksum())}


def test_rounds_of_a_grid(monkeypatch, tmp_path):
    best = cells("hypersage", GRIDS["grid-knn"])[0]
    rows = [row for m in WITH_KNN for row in scored("citeseer", m, 5, best)]
    monkeypatch.setattr("experiments.grid.read_results", lambda path: rows)
    done = []
    count = run_grid(lambda jobs: done.append(jobs) or len(jobs), tmp_path, 5, ["citeseer"])
    first, second = done
    assert count == len(first) + len(second)
    assert {run.method for run, _ in first} == set(WITH_KNN)
    assert {run.column for run, _ in first} == {SEARCH}
    assert len(second) == 2 * 20
