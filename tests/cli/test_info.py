"""``hypersage info`` and ``hypersage datasets``."""

from __future__ import annotations

import hashlib
import json
import pickle
import re

import numpy as np
import pytest
from scipy import sparse

from hypersage_dgl import summary
from hypersage_dgl.cli import datasets
from hypersage_dgl.data import BENCHMARKS, Benchmark, BenchmarkDataset, cache_dir, dataset_names
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import save_checkpoint

from .own_data import ARRAYS, DATA, WORDS, labelled


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


def test_datasets_lists_all_with_sizes(hypersage):
    lines = hypersage("datasets").out.splitlines()
    assert lines[0].split() == ["name", "nodes", "hyperedges", "features", "classes", "where"]
    assert tuple(line.split()[0] for line in lines[1:]) == dataset_names()
    rows = {line.split()[0]: line.split(maxsplit=5) for line in lines[1:]}
    assert rows["debian"][1:] == ["26,476", "13,785", "1,000", "10", "embedded"]
    assert rows["synthetic"][1:] == ["1,000", "600", "64", "4", "generated"]
    assert rows["synthetic:citeseer"][1:5] == rows["citeseer"][1:5]
    assert rows["dblp"][1:] == ["41,302", "22,363", "1,425", "6", "must be downloaded (21.7 MB)"]


def write_empty_files(source: Benchmark, folder):
    for file in source.sha256:
        path = folder / source.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_datasets_says_where(place, hypersage, fails, monkeypatch):
    source = BENCHMARKS["citeseer"]
    write_empty_files(source, place / "copy")

    def where(*words):
        lines = hypersage("datasets", *words).out.splitlines()
        return {line.split()[0]: line.split(maxsplit=5)[5] for line in lines[1:]}

    assert where("--data-dir", "copy")["citeseer"] == "folder copy/data/cocitation/citeseer"
    assert where("--data-dir", "copy")["dblp"] == "not, or not whole, in copy"
    monkeypatch.setenv("HYPERSAGE_DATA_DIR", str(place / "copy"))
    assert where()["citeseer"] == f"folder {place}/copy/data/cocitation/citeseer"
    assert where()["dblp"] == "must be downloaded (21.7 MB)"
    monkeypatch.delenv("HYPERSAGE_DATA_DIR")
    write_empty_files(source, cache_dir() / "hypergcn")
    assert where()["citeseer"] == f"cache {cache_dir()}"
    assert "nowhere, which is not a folder" in fails("datasets", "--data-dir", "nowhere")


def test_a_converted_benchmark_is_in_the_cache(place):
    # Converted by the library itself, so that both agree on the name of the file.
    source = BENCHMARKS["citeseer"]
    contents = tiny()
    declared = Benchmark(
        "tiny", source.folder, {file: sha for file, (_, sha) in contents.items()}, 1, {}, {}
    )
    assert datasets.where_benchmark(declared, None).startswith("must be downloaded")
    folder = place / "copy" / source.folder
    for file, (content, _) in contents.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(content)
    BenchmarkDataset(declared, data_dir=place / "copy")
    assert datasets.where_benchmark(declared, None) == f"cache {cache_dir()}"


def tiny():
    """Files of a benchmark of three nodes, with their SHA-256."""
    values = {
        "hypergraph.pickle": {"a": [0, 1], "b": [1, 2]},
        "features.pickle": sparse.csr_matrix(np.eye(3, dtype=np.float32)),
        "labels.pickle": [0, 1, 1],
        "splits/1.pickle": {"train": [0, 1], "test": [2]},
    }
    contents = {file: pickle.dumps(value, protocol=4) for file, value in values.items()}
    return {
        file: (content, hashlib.sha256(content).hexdigest()) for file, content in contents.items()
    }


@pytest.mark.parametrize("progress", [{}, {"epochs": 3}, {"epochs": [], "best_val": "high"}])
def test_progress_of_ones_own_is_no_error(hypersage, place, progress):
    save_checkpoint(place / "own", HyperSAGE(2, 4, 2), progress=progress)
    done = hypersage("info", "own")
    assert (done.code, done.err) == (0, "")
