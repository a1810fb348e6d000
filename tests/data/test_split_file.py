"""A split of one's own is read by name."""

import pytest

from hypersage_dgl import hypergraph
from hypersage_dgl.data import LabelledHypergraph, read_split

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
