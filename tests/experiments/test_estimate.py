"""How long the protocol of random splits still takes, by rows of known seconds."""

from __future__ import annotations

import json

import pytest

from experiments import allset
from experiments.allset import CHOICE, SEEDS, budget_of, read_rows, run_protocol
from experiments.estimate import TIMED, Left, estimate, runs_left, told
from experiments.ledger import opened
from hypersage_dgl.data import generate

DATA = generate(120, 90, max_size=6, seed=1)
ALL = budget_of("citeseer").candidates


def scored(*numbers):
    run = {
        "dataset": "citeseer",
        "method": "mlp",
        "seed": CHOICE[0],
        "seconds": 4.0,
        "epochs_run": 30,
    }
    return [{**run, "candidate": i, "val_acc": i / 10} for i in numbers]


def ten(candidate, *seeds):
    run = {
        "dataset": "citeseer",
        "method": "mlp",
        "candidate": candidate,
        "seconds": 6.0,
        "epochs_run": 30,
    }
    return [{**run, "seed": seed, "val_acc": 0.5, "test_acc": 0.5} for seed in seeds]


def test_what_is_left_ends_when_the_ten_of_the_choice_are_there():
    left = runs_left(scored(0, 1), "citeseer", "mlp")
    assert left[: len(ALL) - 2] == [(i, CHOICE[0]) for i in ALL[2:]]
    assert left[len(ALL) - 2 :] == [(None, seed) for seed in SEEDS]
    best = ALL[-1]
    # Those that another candidate ran do not count.
    rows = [*scored(*ALL), *ten(0, *SEEDS), *ten(best, 0, 1)]
    assert runs_left(rows, "citeseer", "mlp") == [(best, seed) for seed in SEEDS[2:]]
    assert runs_left([*rows, *ten(best, *SEEDS)], "citeseer", "mlp") == []


def test_runs_that_are_there_tell_the_seconds_and_few_epochs_where_there_are_none(tmp_path):
    path, asked = tmp_path / "allset.jsonl.gz", []

    def once(run, data_dir, most):
        asked.append((run["dataset"], run["method"], most))
        return {"seconds": 5.0 + 2.0 * most}

    elsewhere = [{**row, "dataset": "pubmed"} for row in scored(0)]
    with opened(path) as ledger:
        ledger.add([*scored(0), *ten(0, 0), *elsewhere])
    first, second = estimate(path, None, ["citeseer"], ["mlp", "hgnn"], once)
    whole = len(ALL) + len(SEEDS)
    assert first == Left("citeseer", "mlp", whole - 1, 5.0, measured=True)
    assert second.runs == whole
    assert second.seconds == 5.0 + 2.0 * budget_of("citeseer").epochs
    assert asked == [("citeseer", "hgnn", n) for n in (1, 1, 1 + TIMED)]
    # As many epochs as its runs on another set had, which are fewer than are allowed.
    (third,) = estimate(path, None, ["dblp"], ["mlp"], once)
    assert third.seconds == 5.0 + 2.0 * 30
    *_, last = told(iter([Left("a", "b", 18, 200.0, measured=False)]))
    assert last == "1.0 hours of one core"


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(allset, "_loaded", lambda name, data_dir: DATA)
    monkeypatch.setattr(allset, "USUAL", allset.USUAL._replace(width=8, epochs=1))


def test_it_says_how_many_runs_the_protocol_then_does(quick, tmp_path, command):
    out = ("--set", "citeseer", "--model", "mlp", "--out", str(tmp_path))
    line, total = command("allset", "--dry-run", *out).out.splitlines()
    assert line.split()[:4] == ["citeseer", "mlp", str(len(ALL) + len(SEEDS)), "runs"]
    assert line.endswith("s a run, guessed")
    assert total == "0.0 hours of one core"
    path = tmp_path / "allset.jsonl.gz"
    assert not path.exists()
    assert run_protocol(path, None, "command", ["citeseer"], ["mlp"]) == int(line.split()[2])
    assert command("allset", "--dry-run", *out).out.split()[2] == "0"
    assert json.dumps(read_rows(path)).count("test_acc") == len(SEEDS)
