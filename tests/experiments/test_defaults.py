"""The comparison of defaults: no test node, no run twice, and its winner is the default."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from experiments import defaults
from experiments.defaults import CANDIDATES, DATASETS, SPLITS, data_of, few_trips, read_comparison
from experiments.ledger import opened, read_lines
from hypersage_dgl import hypergraph
from hypersage_dgl.data import LabelledHypergraph, member_sets
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


def test_few_trips_keep_their_members_and_classes():
    labels = torch.tensor([4, 2, 2, 4, 7])
    trips = [[0, 1], [1, 2, 3], [3, 0], [2, 4]]
    whole = LabelledHypergraph(hypergraph(trips), name="trips", labels=labels)
    few = few_trips(whole, 2)
    kept = [trips[i] for i in sorted(np.random.default_rng(0).permutation(4)[:2])]
    nodes = sorted({node for trip in kept for node in trip})
    assert [[nodes[i] for i in sorted(trip)] for trip in member_sets(few.graph)] == [
        sorted(trip) for trip in kept
    ]
    order = sorted(set(labels[nodes].tolist()))
    assert [order[k] for k in few.labels.tolist()] == labels[nodes].tolist()
    assert few.feat.shape == (len(nodes), len(order))
    assert torch.equal(few.feat, few_trips(whole, 2).feat)


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
