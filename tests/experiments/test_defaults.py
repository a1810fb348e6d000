"""The comparison of defaults: no test node, no run twice, and its winner is the default."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from experiments import defaults
from experiments.defaults import CANDIDATES, DATASETS, SPLITS, data_of, read_comparison
from experiments.ledger import opened, read_lines
from hypersage_dgl.training import DEFAULT, PAPER

RESULTS = Path(__file__).parents[2] / "experiments" / "results" / "defaults.jsonl.gz"


def test_the_winner_is_the_default_of_the_command():
    found = read_comparison(RESULTS)
    assert CANDIDATES[found.best] == DEFAULT
    assert found.overall(found.best) >= max(map(found.overall, CANDIDATES))
    assert PAPER in CANDIDATES.values()


def test_no_test_node_has_a_class():
    data = data_of("synthetic", 1, None)
    train, val, test = data.split(1)
    assert (len(train), len(val), len(test)) == (80, 920, 0)
    debian = data_of("debian", 2, None)
    known = torch.cat([debian.part("train"), debian.part("val")])
    assert sorted(known.tolist()) == (debian.labels >= 0).nonzero().flatten().tolist()


def test_a_run_is_not_repeated_and_repeats_to_the_digit(tmp_path, monkeypatch):
    monkeypatch.setattr(defaults, "DATASETS", ("synthetic",))
    monkeypatch.setattr(defaults, "EPOCHS", 2)
    monkeypatch.setattr(defaults, "SPLITS", (1,))
    path = tmp_path / "defaults.jsonl.gz"
    assert defaults.compare(path, None, "command") == len(CANDIDATES)
    lines = read_lines(path)
    assert defaults.compare(path, None, "command") == 0
    assert read_lines(path) == lines
    found = read_comparison(path)
    run = {"dataset": "synthetic", "recipe": "the paper's", "split": 1}
    again = defaults.one_run(data_of("synthetic", 1, None), run)
    assert again["val_acc"] == found.means["the paper's", "synthetic"]


def test_results_that_are_missing_are_told(tmp_path):
    path = tmp_path / "defaults.jsonl.gz"
    row = {"dataset": DATASETS[0], "recipe": next(iter(CANDIDATES)), "split": SPLITS[0]}
    with opened(path) as ledger:
        ledger.add([{**row, "val_acc": 0.5}])
    with pytest.raises(defaults.UnfinishedComparisonError, match='1 of 2 runs of "the paper\'s"'):
        read_comparison(path)
