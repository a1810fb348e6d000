"""Nodes that arrive, and candidates, from tables of the user."""

from __future__ import annotations

import csv
import gzip
import io
import json

import pytest

from hypersage_dgl.cli.arrivals import read_arrivals
from hypersage_dgl.convert import Table
from hypersage_dgl.training import About

from .circles import PEOPLE, TABLES
from .own_data import WORDS

OLD = ("--incidences", "memberships.csv", "--nodes", "nodes.csv")
ARRIVALS = [
    # Name, hyperedges, and where the features are those of another recipe.
    ("zebra soup", "e1|e5", 0),
    ("alp cake", "fresh | e5", 7),
    ("bare", "", 11),
    ("<b>bold</b>", "fresh", 3),
]
# In thousands: a model knows them by the range of its training nodes; a blank is their mean.
YEARS = {"zebra soup": 1950, "alp cake": "", "bare": 2500, "<b>bold</b>": 1901.5}
pytestmark = pytest.mark.usefixtures("circles_model")


@pytest.fixture(params=["hypersage", "hgnn"])
def tables(data, hypersage, request):
    with (data / "nodes.csv").open() as file:
        rows = [{**row, "year": 1900 + 3 * i} for i, row in enumerate(csv.DictReader(file))]
    rows[5]["year"] = ""
    write(data / "nodes.csv", list(rows[0]), [row.values() for row in rows])
    words = ("--label", "topic", "--ignore", "text", "--epochs", "3", "--no-report")
    model = ("--model", request.param)
    done = hypersage("train", *OLD, *words, *model, "--out", "tables")
    assert done.code == 0, done
    assert "scaled to 0 to 1: year; --no-scale" in done.err
    heading = ["name", "hyperedges", "year", *WORDS]
    lines = [
        [name, joins, YEARS[name], *(rows[i][w] for w in WORDS)] for name, joins, i in ARRIVALS
    ]
    write(data / "arrivals.csv", heading, lines)
    # The same by hand: the old tables with the new rows in them.
    members = (data / "memberships.csv").read_text()
    members += "".join(
        f"\n{name};{e.strip()}"
        for name, joins, _ in ARRIVALS
        for e in joins.split("|")
        if e.strip()
    )
    (data / "grown-memberships.csv").write_text(members)
    grown = [[*row.values()] for row in rows]
    grown += [[name, "", *(rows[i][w] for w in WORDS), "", YEARS[name]] for name, _, i in ARRIVALS]
    write(data / "grown-nodes.csv", list(rows[0]), grown)
    return data


def write(path, heading, rows):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([heading, *rows])


def by_name(text):
    return {row["node"]: row for row in csv.DictReader(io.StringIO(text))}


def test_arrivals_are_those_of_the_grown_tables(tables, hypersage):
    words = ("predict", "tables", "--ignore", "text", "--probabilities")
    done = hypersage(*words, *OLD, "--new", "arrivals.csv")
    assert done.code == 0, done
    found = by_name(done.out)
    grown = ("--incidences", "grown-memberships.csv", "--nodes", "grown-nodes.csv")
    expected = by_name(hypersage(*words, *grown).out)
    assert set(found) == {name for name, _, _ in ARRIVALS}
    for name, row in found.items():
        assert row["class"] == expected[name]["class"]
        for column in set(row) - {"node", "class"}:
            assert float(row[column]) == pytest.approx(float(expected[name][column]), abs=2e-5)


def test_other_forms(tables, hypersage):
    words = ("predict", "tables", *OLD, "--ignore", "text", "--new", "arrivals.csv")
    rows = json.loads(hypersage(*words, "--format", "json").out)
    assert {row["node"] for row in rows} == {name for name, _, _ in ARRIVALS}


def test_what_cannot_arrive_is_named(tables, fails):
    words = ("predict", "own-model", "--hypergraph", "recipes.npz", "--new", "arrivals.csv")
    assert "does not name its features" in fails(*words)
    hif = ("predict", "hif-model", "--hypergraph", "recipes.json", "--new")
    assert "nodes.csv has no column 'hyperedges'" in fails(*hif, "nodes.csv")
    write(
        tables / "again.csv",
        ["node", "hyperedges", *WORDS],
        [["recipe 3", "e1", *[1] * len(WORDS)]],
    )
    assert "'recipe 3' is a node of recipes.json already" in fails(*hif, "again.csv")
    assert "leave it out with --new" in fails(*hif, "again.csv", "--batch-size", "3", code=2)


def test_cells_may_be_lists():
    table = Table(
        {"who": ["a", "b", "c"], "hyperedges": [["x", "y"], None, "y| z"], "f": [1, 2, 3]}
    )
    new = read_arrivals(table, About(feature_names=("f",)))
    assert new.node_names == ("a", "b", "c")
    assert new.hyperedge_names == ("x", "y", "z")
    assert new.require_feat().to_dense().flatten().tolist() == [1, 2, 3]
    assert new.graph.in_degrees(etype="contains").tolist() == [2, 0, 2]


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
