"""The scores of a run, and how they are shown."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from argparse import Namespace
from types import SimpleNamespace

import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.cli.results import (
    Shown,
    chunk_for,
    document,
    named_scores,
    outputs_of,
    predict_all,
    print_history,
    print_scores,
    score,
    score_table,
)
from hypersage_dgl.data import LabelledHypergraph, Split, load
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.nn.baselines import HGNN
from hypersage_dgl.training import Epoch, History, Prediction, Predictor, load_checkpoint

from .own_data import ARRAYS, DATA

TABLES = ("--incidences", "memberships.csv", "--nodes", "tasks.csv")
OPTIONS = ("--ignore", "topic", "--epochs", "40", "--hidden", "16", "--dropout", "0.2")
NAMES = ("x", "y", "z")
# What the classes 0, 1 and 2 are, as labels and as a number.
TAGS, PRICES = ("x", "y", "x|y|z"), (1000.0, 1100.0, 1250.0)
ARGS = Namespace(
    task="classification", eval="full", model="hypersage", seed=0, prog="hypersage train"
)
LABELS = torch.tensor([0, 1, 0, 1, 0, 1])


@pytest.fixture
def tables(data):
    """The nodes with tags and a price; every eleventh has neither."""
    heading, *rows = (data / "nodes.csv").read_text().split("\n")
    made = [heading.replace(",text", ",tags,price")]
    for i, row in enumerate(rows):
        kind = int(ARRAYS.labels[i])
        known = (TAGS[kind], str(PRICES[kind])) if i % 11 else ("", "")
        made.append(",".join((*row.split(",")[:-1], *known)))
    (data / "tasks.csv").write_text("\n".join(made))
    return data


def last(out):
    return float(re.findall(r"\(full\): (\S+)", out)[-1])


def test_labels_from_training_to_prediction(tables, hypersage):
    options = ("--label", "tags", "--ignore", "price", "--task", "multilabel", "--separator", "|")
    done = hypersage("train", *TABLES, *options, *OPTIONS, "--out", "tags")
    assert done.code == 0, done.err
    assert "validation micro-F1" in done.out
    # A model without a clue that says x and y of all has 2 * 2/3 / (2/3 + 1) of them right.
    assert last(done.out) > 80
    about = load_checkpoint("tags").about
    assert (about.task, about.classes) == ("multilabel", NAMES)
    again = hypersage("evaluate", "tags", *TABLES)
    assert last(again.out) == last(done.out)
    assert re.search(r"label, F1 +all +connected\nx ", again.out)
    found = json.loads(hypersage("evaluate", "tags", *TABLES, "--json").out)
    assert found["task"] == "multilabel"
    assert set(found["all"]["f1"]) == set(NAMES)
    assert 100 * found["all"]["micro_f1"] == pytest.approx(last(done.out), abs=0.006)
    assert found["all"]["mean_average_precision"] > 0.8
    out = hypersage("predict", "tags", *TABLES, "--probabilities").out
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == len(ARRAYS.labels)
    for row in rows:
        on = [k for k in NAMES if float(row[f"probability of {k}"]) > 0.5]
        assert row["labels"] == "|".join(on)
    right = sum(row["labels"] == TAGS[ARRAYS.labels[int(row["node"].split()[1])]] for row in rows)
    assert right > 0.7 * len(rows)


def test_numbers_from_training_to_prediction(tables, hypersage):
    options = ("--label", "price", "--ignore", "tags", "--task", "regression")
    done = hypersage("train", *TABLES, *options, *OPTIONS, "--out", "price", "--eval", "both")
    assert done.code == 0, done.err
    assert "validation R²" in done.out
    assert last(done.out) > 0.6
    assert load_checkpoint("price").about.task == "regression"
    found = json.loads(hypersage("evaluate", "price", *TABLES, "--json").out)["all"]
    assert found["r2"] == pytest.approx(last(done.out), abs=1e-3)
    assert found["mae"] <= found["rmse"] < 120
    rows = list(csv.DictReader(io.StringIO(hypersage("predict", "price", *TABLES).out)))
    errors = [
        abs(float(row["value"]) - PRICES[ARRAYS.labels[int(row["node"].split()[1])]])
        for row in rows
    ]
    assert sum(errors) / len(errors) < 60
    assert list(rows[0]) == ["node", "value"]
    refused = hypersage("predict", "price", *TABLES, "--probabilities")
    assert (refused.code, "price predicts numbers, which have no prob" in refused.err) == (2, True)
    # A run goes on as it was, and is another one with other labels.
    more = (*options, *OPTIONS, "--out", "price", "--eval", "both", "--resume")
    assert hypersage("train", *TABLES, *more, "--epochs", "42").code == 0
    assert hypersage("train", *TABLES, *more, "--seed", "1").code == 1


def test_runs_are_summed_up_by_the_score_of_the_task(tables, hypersage):
    options = ("--label", "price", "--ignore", "tags", "--task", "regression", "--epochs", "3")
    done = hypersage("train", *TABLES, *options, "--ignore", "topic", "--runs", "2")
    values = [float(v) for v in re.findall(r"test R² \(full\): (\S+)", done.out)]
    mean = re.search(r"test R² \(full\) of 2 runs: (\S+) ±", done.out)[1]
    assert float(mean) == pytest.approx(sum(values) / 2, abs=1e-3)


def test_numbers_in_a_file_need_no_key(data, hypersage):
    numbers = DATA.labels.float() * 10
    fields = {"feat": DATA.feat, "numbers": numbers, "name": "n"}
    LabelledHypergraph(DATA.graph, **fields).save("numbers.npz")
    assert torch.equal(load("numbers.npz").numbers, numbers)
    options = ("--hypergraph", "numbers.npz", "--task", "regression", "--epochs", "2")
    done = hypersage("train", *options, "--out", "n")
    assert done.code == 0, done.err
    assert hypersage("evaluate", "n", "--hypergraph", "numbers.npz").code == 0


def test_words_are_no_numbers_and_rows_no_classes(tables, fails, hypersage):
    line = fails("train", "--hypergraph", "recipes.json", "--task", "regression", "--label", "kind")
    assert "regression learns finite numbers, and words are classes" in line
    rows = torch.eye(3, dtype=torch.int64)[DATA.labels]
    fields = {"feat": DATA.feat, "labels": rows, "class_names": NAMES, "splits": DATA.splits}
    LabelledHypergraph(DATA.graph, **fields).save("rows.npz")
    assert "--task multilabel learns them" in fails("train", "--hypergraph", "rows.npz")
    options = ("--hypergraph", "rows.npz", "--task", "multilabel", "--epochs", "2")
    assert hypersage("train", *options).code == 0


def test_what_is_scored():
    logits = torch.tensor([[40.0, -2.0]])
    sure = Prediction(torch.ones(1, 2), logits.sigmoid(), logits.sigmoid())
    assert torch.isfinite(outputs_of(sure, "multilabel")).all()
    assert outputs_of(sure, "multilabel")[0, 1] == pytest.approx(-2)
    assert torch.equal(outputs_of(sure, "classification"), sure.probabilities)
    numbers = Prediction(torch.tensor([3.0]), torch.empty(1, 0), torch.empty(1, 0))
    assert outputs_of(numbers, "regression").tolist() == [3.0]


def test_scores_as_text_and_json():
    data = LabelledHypergraph(DATA.graph, numbers=DATA.labels.float())
    found = score(DATA.labels.float() + 1, data, torch.arange(90), "regression")
    assert (found.scores["mae"], found.nodes) == (1, 90)
    assert score_table("part", {"all": found}).splitlines()[0].split() == [
        "part", "MAE", "RMSE", "R²", "nodes",
    ]  # fmt: skip
    none = Shown({"micro_f1": 0.5, "mean_average_precision": math.nan}, (math.nan, 1.0), 2)
    assert document(none, ("a", "b")) == {
        "nodes": 2,
        "micro_f1": 0.5,
        "mean_average_precision": None,
        "f1": {"a": None, "b": 1.0},
    }
    assert score_table("part", {"all": none}).splitlines()[1].split() == ["all", "50.00", "-", "2"]


def labelled(test=(4, 5)):
    ids = (torch.tensor(part, dtype=torch.long) for part in ([0, 1, 2, 3], [], test))
    graph = hypergraph([[0, 2, 4], [1, 3, 5]], 6)
    return LabelledHypergraph(
        graph, feat=torch.eye(6), labels=LABELS, class_names=("red", "blue"), splits=(Split(*ids),)
    )


def test_the_history_names_the_best_epoch_only_where_some_validated(capsys):
    epochs = [Epoch(1, 0.5, None, 0.1), Epoch(2, 0.25, None, 0.1)]
    print_history(ARGS, History(epochs, 2, None, "all epochs done"), 1.25)
    out = capsys.readouterr().out
    assert out == "trained 2 epochs in 1.2 s, last loss 0.2500 (all epochs done)\n"
    print_history(ARGS, History(epochs, 2, 0.75, "all epochs done"), 1.25)
    assert capsys.readouterr().out.endswith("best epoch 2, validation accuracy 75.00\n")


def test_predictions_are_those_of_the_predictor():
    data, model = labelled(), HyperSAGE(6, 4, 2)
    found = predict_all(ARGS, model, data, {})
    expected = Predictor(model).predict(data.graph, data.feat).probabilities
    assert list(found) == ["full"]
    torch.testing.assert_close(found["full"], expected)


def test_scores_are_counted_on_test_nodes(capsys):
    wrong_at_five = torch.eye(2)[torch.tensor([0, 1, 0, 1, 0, 0])]
    main, rows = print_scores(ARGS, labelled(), {"full": wrong_at_five})
    assert main == {"full": 0.5}
    assert rows["accuracy (full)"] == 0.5
    # F1 of red is 2/3, of blue 0.
    assert rows["macro-F1 (full)"] == pytest.approx(1 / 3)
    assert capsys.readouterr().out.endswith("test accuracy (full): 50.00\n")


def test_without_test_nodes_nothing_is_scored(capsys):
    assert print_scores(ARGS, labelled(()), {}) == ({}, {})
    assert capsys.readouterr().out == "no test nodes to score\n"


def test_scores_without_a_value_are_left_out():
    data = LabelledHypergraph(hypergraph([], num_nodes=2), labels=torch.tensor([0, 0]))
    isolated = score(torch.eye(2), data, torch.arange(2), "classification", data.graph)
    named = named_scores({"full": isolated})
    assert (named["accuracy (full)"], list(named)) == (0.5, ["accuracy (full)", "macro-F1 (full)"])
    assert named_scores({}) == {}


@pytest.mark.parametrize(
    ("count", "model", "chunk"),
    [
        (999_999, HyperSAGE(4, 2, 2), None),
        (1_000_000, HyperSAGE(4, 2, 2), 4096),
        # A baseline predicts all at once, whatever their number.
        (1_000_000, HGNN(4, 2, 2), None),
    ],
)
def test_many_nodes_are_predicted_in_chunks(count, model, chunk):
    assert chunk_for(model, SimpleNamespace(num_nodes=count)) == chunk
