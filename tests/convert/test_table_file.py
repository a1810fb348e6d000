"""Tables from CSV in any dialect and from Parquet, the same columns from each."""

import pytest

from hypersage_dgl.convert import Table, read_table


def test_csv_and_parquet_give_the_same_columns(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    (tmp_path / "t.tsv").write_text("node\ttext\n ann \ta, b\nbob\t\n")
    parquet.write_table(
        pyarrow.table({"node": ["ann", "bob"], "text": ["a, b", ""]}), tmp_path / "t.parquet"
    )
    csv, arrow = read_table(tmp_path / "t.tsv"), read_table(tmp_path / "t.parquet")
    assert dict(csv) == dict(arrow) == {"node": ["ann", "bob"], "text": ["a, b", ""]}
    assert str(csv) == "t.tsv: 2 rows of node, text, separated by tabs"
    assert (csv.place(1), arrow.place(1)) == ("t.tsv, line 3", "t.parquet, row 1")


def test_damaged_parquet_is_refused(tmp_path):
    pytest.importorskip("pyarrow")
    (tmp_path / "t.parquet").write_bytes(b"PAR1 nothing")
    with pytest.raises(ValueError, match=r"t\.parquet is damaged, or no Parquet file"):
        read_table(tmp_path / "t.parquet")


def test_headings_may_be_given(tmp_path):
    (tmp_path / "t.csv").write_text("ann,x\nbob,y\n")
    table = read_table(tmp_path / "t.csv", headings=("node", "hyperedge", "weight"))
    assert dict(table) == {"node": ["ann", "bob"], "hyperedge": ["x", "y"]}
    with pytest.raises(ValueError, match="has 2 columns; without a heading they must be node"):
        read_table(tmp_path / "t.csv", headings=("node",))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("a,a\n1,2\n", "two columns are called 'a'"),
        ("a,\n1,2\n", "a column has no name"),
    ],
)
def test_bad_headings_are_refused(tmp_path, text, said):
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(ValueError, match=said):
        read_table(tmp_path / "t.csv")


def test_columns_are_equally_long():
    with pytest.raises(ValueError, match="columns of t are not equally long"):
        Table({"a": [1], "b": []}, "t")
