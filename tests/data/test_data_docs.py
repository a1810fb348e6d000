"""docs/data.md tells the truth: its examples run and its table is the declared one."""

import re
import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from hypersage_dgl.data.benchmarks.files import BENCHMARKS

PAGE = (Path(__file__).parents[2] / "docs" / "data.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def rows():
    """Rows of the table of the benchmarks: name of the row to its cells."""
    lines = [line.split("|")[1:-1] for line in PAGE.splitlines() if line.count("|") == 7]
    return {first.strip(): [cell.strip() for cell in cells] for first, *cells in lines}


def numbers(row):
    return [float(re.match(r"[\d,.]+", cell)[0].replace(",", "")) for cell in rows()[row]]


def test_the_examples_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # A benchmark is not at hand everywhere; a generated hypergraph stands in for it.
    known = {
        **{"train": [0, 1], "val": [2], "test": [3]},
        **{"features": sparse.csr_matrix(np.eye(4, dtype=np.float32))},
        **{"labels": np.array([0, 1, 0, 1]), "class_names": ("a", "b")},
    }
    assert len(BLOCKS) == 7
    script = tmp_path / "examples.py"
    stands_in = r'"(synthetic:)?(cora-cocitation|dblp)"|"(20newsW100|walmart-trips:0.6)"'
    text = re.sub(stands_in, '"synthetic"', "\n".join(BLOCKS)).replace(", data_dir=folder", "")
    script.write_text(text, encoding="utf-8")
    known = runpy.run_path(str(script), init_globals=known)
    assert known["parts"].train_graph.num_nodes("node") < known["parts"].full_graph.num_nodes(
        "node"
    )
    assert repr(known["dataset"]).startswith('HypergraphDataset("recipes", nodes=4')


@pytest.mark.parametrize(
    ("row", "key"),
    [
        ("nodes", "nodes"),
        ("hyperedges", "hyperedges"),
        ("incidences", "incidences"),
        ("size, mean ± sd", "size_mean"),
        ("size, largest", "size_max"),
        ("isolated nodes", "isolated_nodes"),
        ("surplus equal hyperedges", "duplicate_hyperedges"),
        ("features", "features"),
        ("features that are not zero", "nonzeros"),
        ("classes", "classes"),
        ("training nodes (of each class)", "train"),
    ],
)
def test_the_table_is_the_declared_one(row, key):
    assert numbers(row) == [source.measured[key] for source in BENCHMARKS.values()]


def test_deviations_and_downloads_too():
    given = [float(cell.split("±")[1]) for cell in rows()["size, mean ± sd"]]
    assert given == [source.measured["size_sd"] for source in BENCHMARKS.values()]
    megabytes = [round(source.num_bytes / 1e6, 1) for source in BENCHMARKS.values()]
    assert numbers("download") == megabytes
