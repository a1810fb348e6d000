"""``hypersage datasets``: every data set with its sizes, and where it would be found."""

from __future__ import annotations

import hashlib
import pickle

import numpy as np
from scipy import sparse

from hypersage_dgl.cli.commands import datasets
from hypersage_dgl.data import BENCHMARKS, Benchmark, BenchmarkDataset, cache_dir, dataset_names


def test_datasets_lists_all_with_sizes(hypersage):
    lines = hypersage("datasets").out.splitlines()
    assert lines[0].split() == ["name", "nodes", "hyperedges", "features", "classes", "where"]
    assert tuple(line.split()[0] for line in lines[1:]) == dataset_names()
    rows = {line.split()[0]: line.split(maxsplit=5) for line in lines[1:]}
    assert rows["debian"][1:] == ["26,476", "13,785", "1,000", "10", "embedded"]
    assert rows["synthetic"][1:] == ["1,000", "600", "64", "4", "generated"]
    assert rows["synthetic:citeseer"][1:5] == rows["citeseer"][1:5]
    assert rows["dblp"][1:] == ["41,302", "22,363", "1,425", "6", "must be downloaded (21.7 MB)"]
    assert rows["walmart-trips:0.6"][1:] == rows["walmart-trips"][1:]
    assert rows["Mushroom"][1:] == ["8,124", "298", "22", "2", "must be downloaded (1.3 MB)"]
    assert rows["zoo"][1:5] == ["?"] * 4
    assert rows["zoo"][5].startswith("in a folder of yours alone")


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
        "tiny", source.folder, {file: sha for file, (_, sha) in contents.items()}, 1, {}
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
