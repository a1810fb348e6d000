"""What the command writes: errors in one line, tables, and predictions as files."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from scipy import sparse

from hypersage_dgl.cli.text import UsageError, one_line, percent, printable, table

from .own_data import ARRAYS

STEERING = "red\x1b[2J\x07"
WORDS = ("predict", "own-model", "--hypergraph", "saved")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 数", "plain é 数"),
        (STEERING, "red\\x1b[2J\\x07"),
        ("a\nb\rc", "a\\nb\\rc"),
        ("\ud800\x9b\u202e", "\\ud800\\x9b\\u202e"),
    ],
)
def test_what_steers_is_shown_escaped(text, shown):
    assert printable(text) == shown


def test_info_escapes_names(hypersage, place):
    attrs = {STEERING: 1, "\ud800": 2}
    document = {"incidences": [{"node": "a", "edge": 0}], "nodes": [{"node": "a", "attrs": attrs}]}
    (place / "a.json").write_text(json.dumps(document))
    done = hypersage("info", "a.json")
    assert done.code == 0
    assert "red\\x1b[2J\\x07, \\ud800" in done.out


def test_errors_escape_names(hypersage, place):
    (place / "a.json").write_text(json.dumps({"incidences": [{"node": "a", STEERING: 0}]}))
    done = hypersage("info", "a.json")
    assert done.code == 1
    assert "\x1b" not in done.err


def test_a_small_file_of_a_large_matrix_is_refused_and_allowed(hypersage, place, monkeypatch):
    monkeypatch.setattr("hypersage_dgl._utils.text.LEAST_IDS", 1000)
    matrix = sparse.csr_matrix(np.ones((1, 1)))
    sparse.save_npz(place / "a.npz", matrix)
    arrays = {**np.load(place / "a.npz"), "indptr": np.ones(200_001, np.int64)}
    arrays["indptr"][0] = 0
    arrays["shape"] = np.array([200_000, 1])
    np.savez_compressed(place / "a.npz", **arrays)
    done = hypersage("info", "a.npz", "--max-size", "1M")
    assert (done.code, "allow more: --max-size 1600" in done.err) == (1, True)
    done = hypersage("info", "a.npz")
    assert (done.code, "allow more with --id-factor" in done.err) == (1, True)
    done = hypersage("info", "a.npz", "--id-factor", "200000")
    assert (done.code, done.err) == (0, "")
    done = hypersage("info", "a.npz", "--max-size", "many")
    assert (done.code, "as in 1500, 500M or 8G" in done.err) == (2, True)


def test_errors_without_words_show_their_type():
    assert one_line(MemoryError()) == "MemoryError"
    assert one_line(ValueError()) == "ValueError"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (UsageError("a\n  b"), "a b"),
        (KeyError("x"), "KeyError: 'x'"),
        (PermissionError(13, "Permission denied", "a.csv"), "a.csv: Permission denied"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (UserWarning("p is\tsmall"), "p is small"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_error_is_one_line(error, said):
    assert one_line(error) == said


def test_shares_are_rounded_percents_and_nothing_is_a_dash():
    assert [percent(share) for share in (0.0, 0.12345, 1.0)] == ["0.00", "12.35", "100.00"]
    assert percent(float("nan")) == "-"


def test_numbers_stand_to_the_right_and_words_to_the_left():
    rows = [("12", "1,000", "cache"), ("red", "-", "x"), ("b", "3.5", "folder")]
    assert table(("name", "nodes", "where"), rows).splitlines() == [
        "name  nodes  where",
        "12    1,000  cache",
        "red       -  x",
        "b       3.5  folder",
    ]


def test_a_table_without_rows_is_its_heading():
    assert table(("class", "nodes"), []) == "class  nodes"


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
