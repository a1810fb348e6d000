"""The end of a run: what is printed of its history and scores, and what it is warned of."""

from __future__ import annotations

from argparse import Namespace
from types import SimpleNamespace

import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.cli.results import (
    chunk_for,
    predict_all,
    print_history,
    print_scores,
    warn_of_weakness,
)
from hypersage_dgl.data import LabelledHypergraph, Split
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.nn.baselines import HGNN
from hypersage_dgl.training import Epoch, History, Predictor

ARGS = Namespace(
    task="classification", eval="full", model="hypersage", seed=0, prog="hypersage train"
)
LABELS = torch.tensor([0, 1, 0, 1, 0, 1])


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


def test_a_run_without_weakness_is_not_warned_of(capsys):
    warn_of_weakness(ARGS, labelled(), {"full": torch.eye(2)[LABELS]})
    assert capsys.readouterr().err == ""
    warn_of_weakness(ARGS, labelled(), {"full": torch.eye(2)[1 - LABELS]})
    assert "training accuracy is only 0.00 %" in capsys.readouterr().err


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
