"""A checkpoint remembers which nodes it was trained on, and nobody takes them for a test."""

from __future__ import annotations

import json
from argparse import Namespace

import pytest

from hypersage_dgl.cli.reminders import recalled_split, training_of
from hypersage_dgl.data import load
from hypersage_dgl.training import About

OWN = ("--hypergraph", "recipes.npz")
SHORT = ("--epochs", "3", "--hidden", "8")


@pytest.fixture
def model(data, hypersage):
    words = ("train", *OWN, "--split", "random", "--seed", "3", "--out", "new", *SHORT)
    done = hypersage(*words)
    assert done.code == 0
    return next(line for line in done.out.splitlines() if line.startswith("test accuracy"))


def test_evaluate_takes_the_split_of_the_training(model, hypersage):
    done = hypersage("evaluate", "new", *OWN)
    assert (done.out.splitlines()[-1], done.err) == (model, "")
    same = hypersage("evaluate", "new", *OWN, "--split", "random", "--seed", "3")
    assert (same.out, same.err) == (done.out, "")


@pytest.mark.parametrize("told", [("--split", "1"), ("--seed", "4")])
def test_trained_nodes_are_no_test(model, hypersage, told):
    done = hypersage("evaluate", "new", *OWN, "--split", "random", *told)
    assert done.code == 0
    assert "test accuracy" not in done.out
    assert "nodes seen in training (full): " in done.out
    assert f"warning: this is not how the model was trained: {' '.join(told)} (the" in done.err
    assert "were trained or validated on, so this is no test" in done.err
    seen = json.loads(hypersage("evaluate", "new", *OWN, *told, "--json").out)["seen"]
    assert seen > 0


def test_other_validation_nodes_leave_the_test_a_test(model, hypersage):
    done = hypersage("evaluate", "new", *OWN, "--val-fraction", "0.3")
    assert done.out.splitlines()[-1] == model
    assert "--val-fraction 0.3 (the training had --val-fraction 0.0)" in done.err


def test_other_nodes_are_said(model, hypersage):
    done = hypersage("evaluate", "new", "--hypergraph", "saved", "--split", "1")
    assert "has other nodes than the model was trained on" in done.err


def test_label_and_seed_are_remembered(data, hypersage):
    done = hypersage("evaluate", "hif-model", "--hypergraph", "recipes.json")
    assert (done.code, done.err) == (0, "")
    words = ("--dataset", "synthetic", "--seed", "5", *SHORT)
    trained = hypersage("train", *words, "--out", "five").out.splitlines()
    found = hypersage("evaluate", "five", "--dataset", "synthetic").out.splitlines()
    assert found[-1] in trained


def test_columns_are_remembered_for_tables_alone(data, hypersage):
    tables = ("--incidences", "memberships.csv", "--nodes", "nodes.csv")
    columns = ("--node", "recipe", "--hyperedge", "ingredient")
    more = ("--label", "topic", "--ignore", "text", "--out", "new", *SHORT)
    assert hypersage("train", *tables, *columns, *more).code == 0
    (data / "turned.csv").write_text(
        "\n".join(
            ";".join(reversed(line.split(";")))
            for line in (data / "memberships.csv").read_text().splitlines()
        )
    )
    words = ("predict", "new", "--nodes", "nodes.csv", "--incidences")
    assert hypersage(*words, "turned.csv").out == hypersage(*words, "memberships.csv").out
    assert hypersage("predict", "new", "--hypergraph", "recipes.json").code == 0


def test_a_split_of_ones_own_needs_its_file_only_once(data, hypersage):
    parts = ("train", "val", "test")
    lines = ["node,split", *(f"{i},{parts[i % 3]}" for i in range(90))]
    (data / "parts.csv").write_text("\n".join(lines))
    done = hypersage("train", *OWN, "--split", "parts.csv", "--out", "new", *SHORT)
    assert "train 30, val 30, test 30" in done.out
    (data / "parts.csv").unlink()
    found = hypersage("evaluate", "new", *OWN)
    assert found.out.splitlines()[-1] in done.out.splitlines()


def test_the_best_epoch_counts_where_there_are_validation_nodes(data, hypersage):
    words = ("train", *OWN, "--split", "stratified", *SHORT)
    assert "best epoch" in hypersage(*words).out
    assert "best epoch" not in hypersage(*words, "--keep", "last").out


def test_nodes_are_known_by_counted_degrees(data):
    data, args = (
        load(data / "recipes.npz"),
        Namespace(split=0, seed=0, val_fraction=0.0, label=None),
    )
    args.node = args.hyperedge = args.separator = None
    args.ranges = args.hyperedge_columns = {}
    about = About(training=training_of(args, data))
    data.graph.nodes["node"].data["degree"] += 1
    assert recalled_split(about, data) is not None
    joined = data.graph.in_edges([0], form="eid", etype="contains")
    for etype in ("in", "contains"):
        data.graph.remove_edges(joined, etype=etype)
    assert recalled_split(about, data) is None
