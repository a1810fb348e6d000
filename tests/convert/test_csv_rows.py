"""Separators are found, blank lines skipped, and uneven lines refused with their number."""

import gzip

import pytest

from hypersage_dgl.convert import read_csv, read_rows
from hypersage_dgl.convert.csv_rows import find_separator


@pytest.mark.parametrize("separator", [",", "\t", ";", "|"])
def test_every_separator_is_found(tmp_path, separator):
    lines = ["node{0}hyperedge{0}weight", "Smith{0}x{0}1.5", "", "Lee{0}x{0}2", "  "]
    path = tmp_path / "some.csv.gz"
    path.write_bytes(gzip.compress("\n".join(lines).format(separator).encode()))
    found = read_rows(path)
    assert found.separator == separator
    assert [row.line for row in found.rows] == [1, 2, 4]
    named = read_csv(path)
    assert named.node_names == ("Smith", "Lee")
    assert named.graph.edges["in"].data["weight"].tolist() == [1.5, 2.0]


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        ("node;x\na;1,5\nb;2,5\n", ";"),
        ("a;b,c;d\n1;2,3;4\n", ","),
        ('"a,b";c\n"d,e";f\n', ";"),
        ("one\ntwo\n", ","),
        ("", ","),
        ('"open', ","),
        ("a\tb\n" + "x, y\tz\n" * 20_000, "\t"),
    ],
)
def test_other_marks_inside_of_cells_do_not_deceive(text, separator):
    assert find_separator(text) == separator


def test_the_separator_that_gives_the_wanted_columns_is_right():
    assert find_separator("a,node;hyperedge,b\n1,2;3,4\n", ("a", "b")) == ","
    assert find_separator("node;hyperedge, b\n1;2,3\n", ("node", "hyperedge, b")) == ";"


def test_uneven_lines_are_refused_with_the_separator(tmp_path):
    path = tmp_path / "some.csv"
    path.write_text("a;b\n1;2\n3\n")
    with pytest.raises(ValueError, match=r"some\.csv, line 3: 1 columns.*by semicolons"):
        read_rows(path)
