"""Columns and rows are found by name; so is a split of one's own."""

import pytest

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import Table
from hypersage_dgl.data import LabelledHypergraph, incidence_columns, read_split

DATA = LabelledHypergraph(hypergraph([[0, 1, 2, 3]]), ("a", "b", "c", "d"))


def test_names_and_parts(tmp_path):
    path = tmp_path / "split.tsv"
    path.write_text("who\tpart\nd\ttrain\na\tTest\nb\tvalidation\nc\t\n")
    assert [ids.tolist() for ids in read_split(path, DATA)] == [[3], [1], [0]]


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"node": ["a"], "split": ["dev"]}, "row 0: 'dev' is no part; write train, val or test"),
        ({"node": ["z"], "split": ["val"]}, "row 0: 'z' is no node of hypergraph"),
        ({"node": ["a", "a"], "split": ["val", "val"]}, "row 1: 'a' has a row before"),
        ({"node": ["a"]}, "one column"),
    ],
)
def test_what_is_no_split(table, said):
    with pytest.raises(ValueError, match=said):
        read_split(table, DATA)


def test_columns_of_incidences():
    assert incidence_columns(Table({"year": [], "hyperedge": [], "node": []}))[:2] == (
        *("node", "hyperedge"),
    )
    assert incidence_columns(Table({"club": [], "who": []}), "who") == ("who", "club", None)
    with pytest.raises(ValueError, match="needs two"):
        incidence_columns(Table({"node": []}))
    with pytest.raises(ValueError, match="'x' stands in the first line and again below it"):
        incidence_columns(Table({"ann": ["bob", "cy"], "x": ["x", "y"]}))
