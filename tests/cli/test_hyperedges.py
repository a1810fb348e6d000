"""``--task hyperedge``: train and evaluate, of tables, by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hypersage_dgl.cli import hyperedges
from hypersage_dgl.convert import read_table
from hypersage_dgl.data import from_tables, split_hyperedges
from hypersage_dgl.nn import CandidateScorer, HyperedgePredictor, HyperSAGE
from hypersage_dgl.training import (
    PREDICTION,
    About,
    draw_negatives,
    evaluate_hyperedges,
    load_checkpoint,
    save_checkpoint,
)

from .circles import SHORT, TABLES, TRAIN, write

KINDS = ("sized", "motif", "clique")


@pytest.fixture
def model(circles_model):
    """What its training printed."""
    return circles_model


def rows_of(text):
    """The table of scores: AUROC and AP in percent, by kind of negatives."""
    lines = [line.split() for line in text.splitlines()]
    return {line[0]: line[1:] for line in lines if line and line[0] in (*KINDS, "mean")}


def test_a_planted_structure_is_learned_and_scored_by_kind(model):
    assert "hyperedges train 42, val 14, test 14" in model
    found = rows_of(model)
    assert list(found) == [*KINDS, "mean"]
    # Whoever knows the circles tells hyperedges from any three people.
    assert float(found["sized"][0]) > 80
    assert f"test AUROC (mean): {found['mean'][0]}" in model


def test_scores_are_those_of_the_library(model, hypersage):
    found = json.loads(hypersage("evaluate", "model", *TABLES, "--json").out)
    assert rows_of(hypersage("evaluate", "model", *TABLES).out) == rows_of(model)
    kept = load_checkpoint("model")
    assert (kept.about.task, kept.about.training["seed"]) == ("hyperedge", 0)
    noted = json.loads(Path("model/run.json").read_text())["scores"]
    data = from_tables(read_table("members.csv"), read_table("people.csv"))
    graph = data.graph
    split = split_hyperedges(graph, (0.6, 0.2, 0.2), seed=0)
    negatives = draw_negatives(graph, split, "test", seed=1)
    expected = evaluate_hyperedges(kept.model, split, data.feat, negatives)
    assert found["count"] == len(split.test)
    for kind, scores in expected.items():
        assert found[kind] == pytest.approx(scores._asdict())
        assert noted[f"AUROC ({kind})"] == pytest.approx(scores.auroc)


def test_the_split_is_remembered_by_name(place, model, hypersage, monkeypatch):
    held_out, evaluated = [], hyperedges.evaluate_hyperedges

    def spy(model, split, feat, *rest):
        names = spy.names
        held_out.append({frozenset(names[i] for i in members) for members in split.test})
        return evaluated(model, split, feat, *rest)

    monkeypatch.setattr(hyperedges, "evaluate_hyperedges", spy)
    names_of_sets = hyperedges._names_of_sets

    def names(data):
        spy.names = [str(name) for name in data.node_names]
        return names_of_sets(data)

    monkeypatch.setattr(hyperedges, "_names_of_sets", names)
    for order in (0, 5):
        write(place, order)
        assert hypersage("evaluate", "model", *TABLES).code == 0
    assert held_out[0] == held_out[1]
    assert len(held_out[0]) == 14


def test_other_hyperedges_are_no_test(place, model, hypersage):
    with (place / "members.csv").open("a") as file:
        file.write("ann0,new\nbob0,new\n")
    done = hypersage("evaluate", "model", *TABLES)
    assert done.code == 1
    assert "other hyperedges than model was trained on" in done.err


def test_a_resumed_run_ends_as_an_unbroken_one(place, model, hypersage):
    task = (*TRAIN, *SHORT, "--out", "other")
    assert hypersage(*task, "--epochs", "6").code == 0
    done = hypersage(*task, "--epochs", "15", "--resume")
    assert rows_of(done.out) == rows_of(model)
    assert "holds a checkpoint already" in hypersage(*task).err


@pytest.mark.parametrize(
    "options",
    [
        ("--model", "hgnn"),
        ("--mode", "minibatch", "--alpha", "2", "--batch-size", "8"),
        ("--keep", "last", "--exclude-self", "--p", "2"),
        ("--runs", "2"),
    ],
    ids=lambda words: words[0][2:],
)
def test_options_of_the_model(place, hypersage, options):
    write(place)
    done = hypersage(*TRAIN, *SHORT, "--epochs", "2", "--out", "model", *options)
    assert done.code == 0, done
    if "--runs" in options:
        assert "test AUROC (mean) of 2 runs: " in done.out
    else:
        assert rows_of(hypersage("evaluate", "model", *TABLES).out) == rows_of(done.out)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("train", "--task", "hyperedge", "--split", "1"), "--split is for the labels of nodes"),
        (("train", "--task", "hyperedge", "--eval", "both"), "full neighbourhood"),
        (("train", "--task", "hyperedge", "--alpha", "2"), "without --mode minibatch"),
        (("evaluate", "model", *TABLES, "--part", "train"), "that were held out"),
        (("evaluate", "model", *TABLES, "--seed", "3"), "remembers which hyperedges"),
        (("predict", "model", *TABLES), "name them by --candidates"),
    ],
    ids=["split", "eval", "alpha", "part", "seed", "nodes"],
)
def test_what_makes_no_sense_is_refused(model, fails, words, told):
    assert told in fails(*words, code=2)


def test_a_model_of_nodes_ranks_no_candidates(data, fails):
    words = ("predict", "model", "--dataset", "synthetic", "--candidates", "sets.csv")
    assert "--candidates needs a model of `train --task hyperedge`" in fails(*words, code=2)


def test_a_model_without_notes_of_its_training_is_no_test(place, fails, hypersage):
    model = HyperedgePredictor(HyperSAGE(64, 8, 4), CandidateScorer(4))
    for noted in ({}, {"seed": 0}, {"hyperedges": {}}):
        save_checkpoint("bare", model, About(task=PREDICTION, training=noted))
        told = fails("evaluate", "bare", "--dataset", "synthetic")
        assert "than bare was trained on and notes, so it is not known which" in told
    Path("sets.csv").write_text("node,candidate\n0,x\n1,x\n")
    words = ("predict", "bare", "--dataset", "synthetic", "--candidates", "sets.csv")
    assert hypersage(*words).code == 0
    assert "/dev/full: No space left on device" in fails(*words, "--out", "/dev/full")
