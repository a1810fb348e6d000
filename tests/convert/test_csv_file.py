"""CSV edge lists: round trips, and bad files with path and line."""

import csv
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import Named, read_csv, write_csv

from .cases import graphs, named_graphs, structure

CELL = st.text(min_size=1, max_size=4).filter(str.strip)


@given(named_graphs(names=CELL, hyperedge_weight=False))
def test_round_trip_of_names(named):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "some.csv"
        write_csv(named, path)
        back = read_csv(path, node_names=named.node_names, hyperedge_names=named.hyperedge_names)
    assert structure(back.graph) == structure(named.graph)
    assert tuple(back.node_names) == tuple(named.node_names)


@given(graphs(hyperedge_weight=False))
def test_round_trip_of_ids(graph):
    n, m = graph.num_nodes("node"), graph.num_nodes("hyperedge")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "some.csv.gz"
        write_csv(graph, path)
        back = read_csv(path, ids=True, node_names=range(n), hyperedge_names=range(m))
    assert structure(back.graph) == structure(graph)


def test_another_reader_reads_what_is_written(tmp_path):
    path = tmp_path / "some.csv"
    graph = hypergraph([[0, 1], [1]], incidence_weight=[0.5, 1, 2])
    write_csv(Named(graph, ('say "a"', "b,c"), ("line\nend", "re\rturn")), path)
    with path.open(newline="", encoding="utf-8") as file:
        assert list(csv.DictReader(file)) == [
            {"node": 'say "a"', "hyperedge": "line\nend", "weight": "0.5"},
            {"node": "b,c", "hyperedge": "line\nend", "weight": "1.0"},
            {"node": "b,c", "hyperedge": "re\rturn", "weight": "2.0"},
        ]


def test_names_are_numbered_as_they_occur(tmp_path):
    path = tmp_path / "some.csv"
    path.write_text(
        "year\tpaper\tauthor\n1999\ty\tbob\n\n2000\tx\tann\n2000\tx\tbob\n1999\ty\tbob\n"
    )
    named = read_csv(path, node="author", hyperedge="paper", delimiter="\t")
    assert (named.node_names, named.hyperedge_names) == (("bob", "ann"), ("y", "x"))
    assert structure(named.graph)["incidences"] == [(0, 0), (1, 1), (0, 1)]


def test_a_heading_alone_is_an_empty_hypergraph(tmp_path):
    (tmp_path / "none.csv").write_text("node,hyperedge\n")
    assert read_csv(tmp_path / "none.csv").graph.num_nodes("node") == 0
    assert read_csv(tmp_path / "none.csv", node_names=["a"]).node_names == ("a",)


@pytest.mark.parametrize(
    ("text", "options", "place"),
    [
        ("", {}, " is empty"),
        ("\n\n", {}, " is empty"),
        ("a,b\n1,2\n", {}, ", line 1: the columns are ['a', 'b']"),
        ("node,node,hyperedge\n", {}, ", line 1: the columns are"),
        ("node,hyperedge,weight,weight\n", {}, ", line 1: the columns are"),
        ("node,hyperedge\na,x\nb\n", {}, ", line 3: 1 columns"),
        ("node,hyperedge\na,x\nb,x,y\n", {}, ", line 3: 3 columns"),
        ("node,hyperedge\na,x\n,x\n", {}, ", line 3: column 'node' is blank"),
        ("node,hyperedge\na,x\nb, \n", {}, ", line 3: column 'hyperedge' is blank"),
        ('node,hyperedge\na,x\n"b,x\n', {}, ", line 3: unexpected end of data"),
        ('node,hyperedge\n"a"b,x\n', {}, ", line 2: "),
        ('"node,hyperedge\n', {}, ", line 1: unexpected end of data"),
        ("node,hyperedge,weight\na,x,1\nb,x,heavy\n", {}, ", line 3: column 'weight' is 'heavy'"),
        ("node,hyperedge,weight\na,x,-1\n", {}, ", line 2: column 'weight' is '-1'"),
        ("node,hyperedge,weight\na,x,nan\n", {}, ", line 2: column 'weight' is 'nan'"),
        ("node,hyperedge,weight\na,x,inf\n", {}, ", line 2: column 'weight' is 'inf'"),
        ("node,hyperedge,weight\na,x,1\na,x,1\n", {}, ", line 3: node 'a' is in hyperedge 'x'"),
        (
            "node,hyperedge\na,x\n\nzoe,x\n",
            {"node_names": ["a"]},
            ", line 4: node 'zoe' is unknown",
        ),
        ("node,hyperedge\na,x\n", {"hyperedge_names": ["y"]}, ", line 2: hyperedge 'x' is unknown"),
        ("node,hyperedge\n0,0\n1.5,0\n", {"ids": True}, ", line 3: node '1.5' is not an id"),
        ("node,hyperedge\n0,-1\n", {"ids": True}, ", line 2: hyperedge '-1' is not an id"),
        ("node,hyperedge\n²,0\n", {"ids": True}, ", line 2: node '²' is not an id"),
        ("node,hyperedge\n0,0\n0,2\n", {"ids": True}, ": hyperedge 1 is empty"),
        (
            "node,hyperedge\n0,0\n7,0\n",
            {"ids": True, "node_names": range(7)},
            ", line 3: node 7 is unknown; with 7 nodes the ids go to 6",
        ),
    ],
)
def test_bad_files_are_refused_with_the_line(tmp_path, text, options, place):
    path = tmp_path / "bad.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(f"{path}{place}")):
        read_csv(path, **options)


def test_binary_files_are_refused(tmp_path):
    path = tmp_path / "bad.csv"
    path.write_bytes(b"node,hyperedge\na,\xfe\xff\n")
    with pytest.raises(ValueError, match=r"bad\.csv: line 2, byte 17 is not UTF-8"):
        read_csv(path)
    path.write_bytes(bytes(100))
    with pytest.raises(ValueError, match=r"bad\.csv, line 1: "):
        read_csv(path)
    path.write_bytes(b"node,hyperedge\n" + b"a" * 200_000 + b",x\n")
    with pytest.raises(ValueError, match=r"bad\.csv, line 2: field larger"):
        read_csv(path)


@pytest.mark.parametrize(
    ("named", "match"),
    [
        (hypergraph([[0, 1]], hyperedge_weight=[2]), "hyperedge weights, and CSV has no place"),
        (Named(hypergraph([[0, 1]]), (1, "1")), "'1' occurs more than once"),
        (Named(hypergraph([[0, 1]]), ("a", " ")), "blank name"),
    ],
)
def test_what_csv_cannot_hold_is_refused(tmp_path, named, match):
    with pytest.raises(ValueError, match=match):
        write_csv(named, tmp_path / "no.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", ["9" * 20, "9" * 5000, "1" + "0" * 18])
def test_ids_beyond_int64_are_refused(tmp_path, number):
    path = tmp_path / "a.csv"
    path.write_text(f"node,hyperedge\n0,0\n{number},0\n")
    with pytest.raises(ValueError, match=r"a\.csv, line 3: node .* is too large"):
        read_csv(path, ids=True)


@pytest.mark.parametrize("names", [{"node": "a", "hyperedge": "a"}, {"node": "weight"}])
def test_one_column_cannot_be_two_things(tmp_path, names):
    path = tmp_path / "a.csv"
    path.write_text("a,hyperedge,weight\n0,0,1\n")
    with pytest.raises(ValueError, match="must be three columns"):
        read_csv(path, **names)


def test_nodes_that_are_integers_are_numbered_by_number(tmp_path):
    path = tmp_path / "some.csv"
    path.write_text("node,hyperedge\n10,b\n2,b\n0,a\n2,a\n")
    named = read_csv(path)
    assert (named.node_names, named.hyperedge_names) == (("0", "2", "10"), ("b", "a"))
    assert structure(named.graph)["incidences"] == [(2, 0), (1, 0), (0, 1), (1, 1)]
    path.write_text("node,hyperedge\n07,b\n2,b\n")
    assert read_csv(path).node_names == ("07", "2")


def test_blanks_around_names_are_no_part_of_them(tmp_path):
    path = tmp_path / "some.csv"
    path.write_text("node , hyperedge\nann , x\n ann,y\nbob,x \n")
    named = read_csv(path)
    assert (named.node_names, named.hyperedge_names) == (("ann", "bob"), ("x", "y"))


def test_a_file_without_a_heading(tmp_path):
    path = tmp_path / "some.csv"
    path.write_text("ann,x,2\nbob,x,1\n")
    named = read_csv(path, heading=False)
    assert named.node_names == ("ann", "bob")
    assert named.graph.edges["in"].data["weight"].tolist() == [2, 1]
    with pytest.raises(ValueError, match=r"line 1: the columns are.*heading=False"):
        read_csv(path)
    path.write_text("ann,x,2,3\n")
    with pytest.raises(ValueError, match="4 columns; without a heading they must be node"):
        read_csv(path, heading=False)


def test_other_columns_are_attributes_of_the_incidences(tmp_path):
    path = tmp_path / "some.csv"
    path.write_text("node,hyperedge,role,year\nann,x,chair,\nbob,x,,1999\nann,x,guest,1998\n")
    named = read_csv(path)
    assert named.attributes.incidences == {
        0: {"role": "chair", "year": "1998"},
        1: {"year": "1999"},
    }
