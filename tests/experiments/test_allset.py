"""AllSet's protocol: equal budgets, a choice without test nodes, ten seeds, no run twice."""

from __future__ import annotations

import pytest
import torch

from experiments import allset
from experiments.allset import (
    CHOICE,
    METHODS,
    PRECOMPUTED,
    SEEDS,
    SHARED,
    budget_of,
    candidates,
    choose,
    finished,
    prepared,
    read_rows,
    run_protocol,
)
from hypersage_dgl.data import generate
from hypersage_dgl.nn import HyperSAGE, Max

DATA = generate(120, 90, max_size=6, seed=1)


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(allset, "_loaded", lambda name, data_dir: DATA)
    monkeypatch.setattr(allset, "USUAL", allset.USUAL._replace(width=8, epochs=1))


def test_the_choice_is_not_among_the_ten():
    assert len(SEEDS) == 10
    assert not set(CHOICE) & set(SEEDS)


def test_all_methods_have_one_budget():
    for method in METHODS:
        given = candidates(method)
        assert len(given) == len(SHARED)
        for one, shared in zip(given, SHARED):
            assert {k: one[k] for k in ("lr", "dropout", "weight_decay")} == {
                k: shared[k] for k in ("lr", "dropout", "weight_decay")
            }


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("number", range(len(SHARED)))
def test_every_candidate_makes_a_model(quick, method, number):
    options = candidates(method)[number]
    for name in ("lr", "weight_decay"):
        del options[name]
    data, make = prepared(method, DATA, options, 8)
    assert make()(data.graph, data.require_feat()).shape == (120, DATA.num_classes)


def test_precomputed_rows_are_the_library_s(quick):
    data, _ = prepared(PRECOMPUTED, DATA, {"hops": 2, "intra": "max", "num_layers": 2}, 8)
    expected = HyperSAGE.precompute(DATA.graph, DATA.feat, 2, inter="mean", intra_aggr=Max())
    assert torch.equal(data.feat, expected)


def test_runs_are_kept_chosen_and_not_repeated(quick, tmp_path):
    path = tmp_path / "allset.jsonl.gz"
    where = (path, None, "command", ["citeseer"], ["mlp"])
    assert run_protocol(*where) == len(SHARED) + len(SEEDS)
    rows = read_rows(path)
    assert run_protocol(*where) == 0
    assert all(("test_acc" in row) == (row["seed"] in SEEDS) for row in rows)
    best = max(
        (row for row in rows if row["seed"] in CHOICE),
        key=lambda row: (row["val_acc"], -row["candidate"]),
    )
    tested = [row for row in rows if row["seed"] in SEEDS]
    assert {row["candidate"] for row in tested} == {best["candidate"]}
    ((name, method, found),) = finished(rows)
    assert (name, method, found) == ("citeseer", "mlp", tested)
    assert all(row["peak_mib"] > 0 for row in rows)
    assert list(finished(rows[:-1])) == []


def test_large_sets_have_one_smaller_budget_for_every_method():
    assert budget_of("dblp") == allset.SMALLER
    walmart = {budget_of(name) for name in allset.LARGE if name.startswith("walmart")}
    assert walmart == {allset.SMALLER._replace(seeds=SEEDS[:5])}
    assert budget_of("citeseer") == allset.USUAL
    assert set(allset.SMALLER.candidates) < set(allset.USUAL.candidates)


def test_five_seeds_are_enough_for_walmart_alone():
    def ran(name):
        run = {"dataset": name, "method": "mlp", "val_acc": 0.5}
        search = [
            {**run, "candidate": i, "seed": seed}
            for i in budget_of(name).candidates
            for seed in CHOICE
        ]
        return [*search, *({**run, "candidate": 0, "seed": seed} for seed in SEEDS[:5])]

    (cell,) = finished([*ran("walmart-trips"), *ran("dblp")])
    assert (cell[0], len(cell[2])) == ("walmart-trips", 5)


def test_who_was_chosen_from_fewer_candidates_does_not_count():
    scores = [
        {"dataset": "citeseer", "method": "mlp", "seed": CHOICE[0], "candidate": i, "val_acc": v}
        for i, v in enumerate((0.8, 0.5, 0.5, 0.5, 0.5, 0.5, 0.9, 0.5))
    ]

    def ten(candidate):
        return [{**scores[candidate], "seed": seed, "test_acc": 0.8} for seed in SEEDS]

    assert list(finished([*scores, *ten(0)])) == []
    assert list(finished([*scores[:6], *ten(0)])) == []
    assert list(finished([*scores, *ten(0), *ten(6)])) == [("citeseer", "mlp", ten(6))]


def test_the_first_of_equal_candidates_is_taken():
    rows = [
        {"dataset": "a", "method": "m", "seed": CHOICE[0], "candidate": i, "val_acc": v}
        for i, v in ((2, 0.7), (1, 0.7), (0, 0.5))
    ]
    other = {**rows[0], "dataset": "b", "val_acc": 0.9, "candidate": 3}
    assert choose([*rows, other], "a", "m") == 1
