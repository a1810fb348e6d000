"""Tables from CSV in any dialect and from Parquet, the same columns from each."""

import gzip
import tracemalloc

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


def repeated_words(pyarrow):
    """One word of 100 kB in 2,000 cells."""
    indices = pyarrow.array([0] * 2000, pyarrow.int32())
    return pyarrow.DictionaryArray.from_arrays(indices, ["x" * 100_000])


BOMBS = {
    "packed": lambda pa: pa.array([f"{i} {'x' * 100_000}" for i in range(200)]),
    "dictionary": repeated_words,
    "lists": lambda pa: pa.ListArray.from_arrays(list(range(2001)), repeated_words(pa)),
    "structs": lambda pa: pa.StructArray.from_arrays([repeated_words(pa)], ["word"]),
    "runs": lambda pa: pa.array([7] * 400_000, pa.int64()),
    "nulls": lambda pa: pa.nulls(400_000, pa.string()),
    "wide": lambda pa: pa.array([b"x" * 50_000] * 500, pa.binary(50_000)),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_parquet_that_unpacks_to_more_than_allowed_is_refused_before_it_does(tmp_path, kind):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = tmp_path / "t.parquet"
    parquet.write_table(pyarrow.table({"node": BOMBS[kind](pyarrow)}), path, compression="zstd")
    assert path.stat().st_size < 1_000_000
    before = pyarrow.total_allocated_bytes()
    said = r"t\.parquet: its (columns|words) would take [\d,]+ bytes of memory, and 10,000,000 are"
    with pytest.raises(ValueError, match=said):
        read_table(path, max_bytes=10_000_000)
    assert pyarrow.total_allocated_bytes() - before < 10_000_000
    assert read_table(path, max_bytes=300_000_000).rows in (200, 500, 2000, 400_000)


def test_a_gzipped_table_is_unpacked_to_the_limit(tmp_path):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"node\n" + b"a\n" * 100_000))
    with pytest.raises(ValueError, match=r"more than 50,000 unpacked.*120 bytes of.*max_bytes"):
        read_table(path, max_bytes=6_000_000)
    assert read_table(path).rows == 100_000
    assert read_table(path, max_bytes=120 * 200_005).rows == 100_000


@pytest.mark.parametrize("kind", ["words", "numbers", "times", "lists", "structs", "wide words"])
def test_what_python_takes_for_cells_of_parquet_counts(tmp_path, kind):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    rows = 20_000
    cells = {
        "words": ["ab"] * rows,
        "numbers": [12345] * rows,
        "times": pyarrow.array([12345] * rows, pyarrow.timestamp("us")),
        "lists": pyarrow.array([[]] * rows, pyarrow.list_(pyarrow.int64())),
        "structs": [{"a": {"b": 12345}}] * rows,
        "wide words": ["a" * 200 + "\U0001f600"] * rows,
    }[kind]
    path = tmp_path / "t.parquet"
    parquet.write_table(pyarrow.table({"node": cells}), path, compression="zstd")
    read_table(path)
    tracemalloc.start()
    read_table(path)
    taken = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 120 * path.stat().st_size < taken
    with pytest.raises(ValueError, match=r"its (columns|words) would take"):
        read_table(path, max_bytes=taken * 7 // 10)
    assert read_table(path, max_bytes=8 * taken).rows == rows


def test_a_file_may_always_take_what_its_size_explains(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = tmp_path / "t.parquet"
    parquet.write_table(pyarrow.table({"node": [f"node {i}" for i in range(5000)]}), path)
    assert read_table(path, max_bytes=1).rows == 5000


def test_words_of_parquet_are_what_was_written(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    columns = {
        "node": ["ann", None, "bob", "ann"],
        "tags": [["x", "y"], [], None, ["x", None]],
        "about": [{"town": "Ulm"}, {"town": None}, None, {"town": "Ulm"}],
        "age": [1, None, 3, 4],
        "raw": [b"a", b"", None, b"a"],
    }
    parquet.write_table(pyarrow.table(columns), tmp_path / "t.parquet")
    assert dict(read_table(tmp_path / "t.parquet")) == columns
