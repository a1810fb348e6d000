"""What every page on a run shows, whatever was learned."""

from __future__ import annotations

import platform
import sys
from dataclasses import replace

import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.data import LabelledHypergraph, Split
from hypersage_dgl.drawing.run import picture_of, run_content
from hypersage_dgl.training import Epoch, History

DATA = LabelledHypergraph(hypergraph([[0, 1, 2], [2, 3]]), ["a", "b", "c", "d"], name="letters")


def test_curves_are_those_of_the_history():
    history = History([Epoch(1, 2.0, None, 0.1), Epoch(2, 1.0, None, 0.1)], 2, None)
    content = run_content(DATA, history, {"p": 1.0}, "hypersage train")
    assert list(content["curves"]) == ["training loss"]
    history.epochs[1] = Epoch(2, 1.0, 0.5, 0.1)
    assert list(run_content(DATA, history, {}, "")["curves"]) == [
        "training loss",
        "validation score",
    ]
    assert run_content(DATA, None, {}, "")["curves"] == {}


def test_configuration_data_and_environment_are_told():
    content = run_content(DATA, None, {"p": 1.0}, "hypersage train")
    assert content["options"] == {"p": "1"}
    assert (content["name"], content["command"]) == ("letters", "hypersage train")
    assert content["statistics"]["nodes"] == "4"
    assert content["environment"]["torch"] == torch.__version__
    assert content["environment"]["Python"] == platform.python_version()


def test_only_what_there_is_has_measurements():
    nodes = {"classes", "train", "isolated_train", "val", "isolated_val", "test", "isolated_test"}
    assert not nodes & {*run_content(DATA, None, {}, "")["statistics"]}
    split = Split(*torch.arange(4).split([2, 0, 2]))
    labelled = replace(DATA, labels=torch.tensor([0, 1, 1, 0]), splits=[split])
    found = run_content(labelled, None, {}, "")["statistics"]
    assert (found["classes"], found["train"], found["val"]) == ("2", "2", "0")


def test_without_matplotlib_there_is_no_picture(monkeypatch):
    assert "<svg" in picture_of(DATA, 2, "It is a letter.")["svg"]
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert picture_of(DATA, 2, "It is a letter.") is None
