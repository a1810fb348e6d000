"""Predictions say the same as CSV, JSON and Parquet."""

from __future__ import annotations

import csv
import io
import json

import pytest

from .own_data import ARRAYS

WORDS = ("predict", "own-model", "--hypergraph", "saved")


def test_every_format_says_the_same(data, hypersage):
    parquet = pytest.importorskip("pyarrow.parquet")
    text = hypersage(*WORDS, "--probabilities").out
    rows = list(csv.DictReader(io.StringIO(text)))
    names = [f"probability of {name}" for name in ARRAYS.class_names]
    assert list(rows[0]) == ["node", "class", "probability", *names]
    for row in rows:
        shares = {name: float(row[f"probability of {name}"]) for name in ARRAYS.class_names}
        assert sum(shares.values()) == pytest.approx(1, abs=1e-5)
        assert shares[row["class"]] == max(shares.values()) == float(row["probability"])
    records = json.loads(hypersage(*WORDS, "--probabilities", "--format", "json").out)
    done = hypersage(*WORDS, "--probabilities", "--format", "parquet", "--out", "deep/p.parquet")
    assert (done.code, done.out) == (0, "")
    assert parquet.read_table("deep/p.parquet").to_pylist() == records
    assert [
        {k: v if k in ("node", "class") else f"{v:.6f}" for k, v in record.items()}
        for record in records
    ] == rows


def test_parquet_needs_a_file(data, fails):
    assert "--format parquet needs --out" in fails(*WORDS, "--format", "parquet", code=2)


def test_the_name_of_the_file_tells_the_format(data, hypersage):
    parquet = pytest.importorskip("pyarrow.parquet")
    records = json.loads(hypersage(*WORDS, "--format", "json").out)
    assert hypersage(*WORDS, "--out", "a.json").code == 0
    assert json.loads((data / "a.json").read_text()) == records
    assert hypersage(*WORDS, "--out", "a.parquet").code == 0
    assert parquet.read_table("a.parquet").to_pylist() == records
    # What is said counts more.
    assert hypersage(*WORDS, "--out", "b.json", "--format", "csv").code == 0
    assert (data / "b.json").read_text().startswith("node,class,probability\n")
