"""What a run notes: a command that repeats it, its options and scores; damage is an error."""

from __future__ import annotations

import json
import shlex
from argparse import Namespace
from pathlib import Path

import pytest
import torch

from hypersage_dgl.cli.run_record import (
    RunRecord,
    command_of,
    options_of,
    read_run_record,
    scores_of,
)
from hypersage_dgl.training import evaluate

from .own_data import losses


def args(*words, **more):
    return Namespace(prog="hypersage train", words=words, runs=1, seed=0, out="x", **more)


def test_a_record_comes_back(tmp_path):
    record = RunRecord("hypersage train", {"p": 2.0}, {"accuracy (full)": 0.5}, "done")
    record.write(tmp_path)
    assert read_run_record(tmp_path) == record
    assert read_run_record(tmp_path / "nothing") == RunRecord()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"version": 2}, "is not a run of hypersage_dgl"),
        ({"scores": {"accuracy": "high"}}, "the score 'accuracy' is 'high'; it must be a number"),
        ({"command": 3}, "must be of type string"),
    ],
)
def test_a_changed_record_is_an_error(tmp_path, changes, said):
    RunRecord().write(tmp_path)
    file = tmp_path / "run.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **changes}))
    with pytest.raises(ValueError, match=said):
        read_run_record(tmp_path)


def test_the_command_quotes_and_forgets_that_it_resumed():
    words = ("train", "--hypergraph", "my data.npz", "--resume", "--out", "x")
    assert command_of(args(*words)) == "hypersage train --hypergraph 'my data.npz' --out x"


def test_one_of_several_runs_is_named_by_its_seed():
    given = args("train", "--runs", "3", "--out", "x")
    given.runs, given.seed, given.out = 3, 2, "x/seed-2"
    assert command_of(given).endswith("--runs 3 --out x --runs 1 --seed 2 --out x/seed-2")


def test_options_are_those_that_decide_and_json_holds_them():
    given = args(p=(float("inf"), 1.0), split=Path("a.csv"), label=None, learn_p=False, text=[])
    found = options_of(given, epochs=7)
    assert found == {"seed": 0, "p": "inf,1.0", "split": "a.csv", "epochs": 7}
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_scores_without_a_value_are_left_out():
    logits = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    isolated = evaluate(logits, torch.tensor([0, 0]), torch.arange(2))
    assert scores_of({"full": isolated})["accuracy (full)"] == 0.5
    assert scores_of({}) == {}


def test_the_noted_command_trains_the_same(data, hypersage):
    words = ("train", "--hypergraph", "recipes.npz", "--epochs", "3", "--seed", "4", "--out", "one")
    assert hypersage(*words).code == 0
    record = read_run_record("one")
    again = shlex.split(record.command.replace("--out one", "--out two"))
    assert hypersage(*again[1:]).code == 0
    assert losses(data / "one" / "log.csv") == losses(data / "two" / "log.csv")
    assert read_run_record("two").scores == record.scores
    assert (record.options["seed"], record.options["data"]) == (4, "recipes.npz")
