"""``hypersage info``: hypergraphs are measured, checkpoints described, and the rest refused."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from hypersage_dgl import summary
from hypersage_dgl.cli.commands.info import node_facts
from hypersage_dgl.data import load
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import save_checkpoint

from ..own_data import ARRAYS, DATA, WORDS, labelled


def facts(text):
    """Lines of a report as a mapping."""
    return dict(re.split(r"  +", line, maxsplit=1) for line in text.splitlines()[1:])


@pytest.mark.parametrize("name", ["recipes.npz", "saved", "recipes.json", "incidence.npz"])
def test_a_hypergraph_is_measured(data, hypersage, name):
    done = hypersage("info", name)
    assert done.code == 0
    assert done.out.startswith(name + "\n")
    found = facts(done.out)
    for line in str(summary(DATA.graph)).splitlines():
        key, value = re.split(r"  +", line)
        assert found[key] == value
    if name in ("recipes.npz", "saved"):
        assert found["features"] == "12"
        assert found["not zero"] == str(ARRAYS.features.nnz)
        assert found["classes"] == "class 0, class 1, class 2"
        count = 2 if name == "recipes.npz" else 1
        assert found["splits"] == f"{count}; split 1: train 24, val 0, test 66"
    if name == "recipes.json":
        assert found["node attributes"] == ", ".join(["kind", *WORDS])


def test_a_data_set_is_measured(hypersage):
    found = facts(hypersage("info", "debian").out)
    assert (found["nodes"], found["isolated nodes"]) == ("26,476", "10,172")
    assert found["splits"] == "10; split 1: train 1,320, val 1,320, test 23,836"


def test_a_checkpoint_is_described(data, hypersage):
    text = hypersage("info", "hif-model").out
    assert text.startswith("hif-model: checkpoint of HyperSAGE\n")
    found = facts(text)
    # 12 x 8 + 8 weights and biases, then 8 x 3 + 3.
    assert (found["in feats"], found["p"], found["parameters"]) == ("12", "1", "131")
    assert found["classes"] == "class 0, class 1, class 2"
    assert found["feature names"] == "word 00, word 01, word 02, word 03, word 04, ..."
    assert (found["data: nodes"], found["epochs"], found["best epoch"]) == ("90", "25", "25")
    assert "torch" in found["made with"]


def test_a_data_set_goes_before_a_file_of_its_name(data, hypersage):
    (data / "saved").rename(data / "debian")
    assert "nodes                 26,476\n" in hypersage("info", "debian").out
    assert "nodes                 90\n" in hypersage("info", "./debian").out


def test_what_is_nothing(data, fails):
    assert "nothing is neither a file or folder nor a data set" in fails("info", "nothing")
    (data / "empty").mkdir()
    assert "empty holds no hypergraph" in fails("info", "empty")
    (data / "notes.txt").write_text("hello")
    assert "suffix '.txt'" in fails("info", "notes.txt", code=2)
    record = json.loads((data / "own-model" / "checkpoint.json").read_text())
    record["model"]["in_feats"] = 13
    (data / "own-model" / "checkpoint.json").write_text(json.dumps(record))
    assert "was changed since it was saved" in fails("info", "own-model")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"labels": np.zeros(89, dtype=np.int64)}, "there are 89 labels for the 90 nodes"),
        ({"labels": np.zeros(90)}, "labels are float64; they must be integers"),
        ({"labels": np.full(90, 3)}, "labels go from 3 to 3"),
        ({"node_ids": np.full(len(ARRAYS.node_ids), 99)}, "99"),
        ({"feature_indices": np.full(ARRAYS.features.nnz, 2**30)}, "changed.npz"),
        ({"split_ids": np.array([95]), "split_sizes": np.array([[1, 0, 0]])}, "node id 95"),
    ],
)
def test_labelled_files_that_do_not_fit_together(data, fails, changes, said):
    error = fails("info", labelled(data, **changes))
    assert said in error
    assert "changed.npz" in error


@pytest.mark.parametrize("progress", [{}, {"epochs": 3}, {"epochs": [], "best_val": "high"}])
def test_progress_of_ones_own_is_no_error(hypersage, place, progress):
    save_checkpoint(place / "own", HyperSAGE(2, 4, 2), progress=progress)
    done = hypersage("info", "own")
    assert (done.code, done.err) == (0, "")


def test_sizes_are_counted_and_not_those_that_were_stored(data):
    data = load(data / "recipes.npz")
    edge = int(data.graph.in_edges([0], etype="contains")[0][0])
    data.graph.nodes["hyperedge"].data["size"] += 1000
    members = int(data.graph.in_degrees(edge, etype="in"))
    name = str(data.node_names[0])
    assert node_facts(data, name)[f"in {data.hyperedge_names[edge]}"] == f"{members} members"
