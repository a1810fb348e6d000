"""``predict --candidates``: a table of sets becomes a ranking by name."""

from __future__ import annotations

import csv
import gzip
import io
import json

import pytest

from .circles import PEOPLE, TABLES

pytestmark = pytest.mark.usefixtures("circles_model")


def test_candidates_are_ranked(place, hypersage):
    sets = {"friends": PEOPLE[:3], "pair": PEOPLE[8:10], "strangers": ["ann0", "ann1", "bob6"]}
    lines = [f"{node},{name}" for name, members in sets.items() for node in members]
    (place / "sets.csv").write_text("\n".join(["node,candidate", *lines]) + "\n")
    done = hypersage("predict", "model", *TABLES, "--candidates", "sets.csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert list(rows[0]) == ["candidate", "probability", "known"]
    chances = [float(row["probability"]) for row in rows]
    assert chances == sorted(chances, reverse=True)
    assert {row["candidate"]: row["known"] for row in rows} == {
        "friends": "yes",
        "pair": "no",
        "strangers": "no",
    }
    assert rows[-1]["candidate"] == "strangers"
    # The order of rows is none of a set.
    (place / "sets.csv").write_text("\n".join(["node,candidate", *lines[::-1]]) + "\n")
    again = hypersage("predict", "model", *TABLES, "--candidates", "sets.csv", "--format", "json")
    assert {r["candidate"]: r["probability"] for r in json.loads(again.out)} == {
        row["candidate"]: float(row["probability"]) for row in rows
    }


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("node,candidate\nann0,x\nzoe,x\n", "sets.csv, line 3: 'zoe' is no node of members.csv"),
        ("node,set\nann0,x\n", "has no column 'candidate'; it needs node and candidate"),
        ("who,candidate\nann0,x\n", "has no column 'node'"),
        ("node,candidate\n", "no rows"),
    ],
    ids=["unknown", "column", "nodes", "empty"],
)
def test_a_table_of_candidates_is_checked(place, hypersage, content, told):
    (place / "sets.csv").write_text(content)
    done = hypersage("predict", "model", *TABLES, "--candidates", "sets.csv")
    assert done.code == 1
    assert told in done.err


def test_a_table_of_candidates_has_the_limit_of_the_option(place, hypersage):
    (place / "sets.csv.gz").write_bytes(gzip.compress(b"node,candidate\n" + b"\n" * 1_000_000))
    words = ("predict", "model", *TABLES, "--candidates", "sets.csv.gz", "--max-size", "100K")
    done = hypersage(*words)
    assert done.code == 1
    assert "sets.csv.gz: " in done.err
    assert done.err.endswith("allow more with --max-size\n")
