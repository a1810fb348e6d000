"""Tables from files: columns by name, of CSV in any of its dialects or of Parquet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .._utils import OBJECT_FACTOR, LimitError, PathLike, check_bytes
from .csv_rows import SEPARATORS, read_rows

PARQUET = (".parquet", ".pq")
# Bytes of a reference and a small object of Python.
CELL = 64


class Table(dict[str, list[Any]]):
    """Columns by name, equally long, and where they come from.

    Parameters
    ----------
    columns
        The cells of each column; those of CSV are text without blanks around it.
    name
        What the table is called, in errors too.
    lines
        The line of each row in its file; empty where there is none.
    separator
        What stands between the columns of a CSV file.

    Examples
    --------
    >>> table = Table({"node": ["ann", "bob"]}, "people.csv", lines=[2, 4])
    >>> table.place(1), table.rows
    ('people.csv, line 4', 2)
    """

    def __init__(
        self,
        columns: Mapping[str, Sequence[Any]],
        name: str = "table",
        lines: Sequence[int] = (),
        separator: str | None = None,
    ) -> None:
        super().__init__({str(key): list(cells) for key, cells in columns.items()})
        self.name, self.lines, self.separator = name, tuple(lines), separator
        lengths = {key: len(cells) for key, cells in self.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"the columns of {name} are not equally long: {lengths}")

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(next(iter(self.values()), ()))

    def place(self, row: int) -> str:
        """Where a row is, for errors."""
        return f"{self.name}, line {self.lines[row]}" if self.lines else f"{self.name}, row {row}"

    def __str__(self) -> str:
        columns = ", ".join(list(self)[:5]) + (", ..." if len(self) > 5 else "")
        by = f", separated by {SEPARATORS.get(self.separator or '', repr(self.separator))}"
        return f"{self.name}: {self.rows:,} rows of {columns}{by if self.separator else ''}"


def read_table(
    path: PathLike,
    *,
    separator: str | None = None,
    headings: Sequence[str] | None = None,
    max_bytes: int | None = None,
) -> Table:
    r"""Read a table from CSV (``.csv``, ``.tsv``, also with ``.gz``) or Parquet.

    Parameters
    ----------
    path
        The file.
    separator
        What stands between the columns of a CSV file; by default a comma, tab, semicolon or bar is
        found.
    headings
        What the columns are called, where the first line of a CSV file does not say it.
    max_bytes
        What the cells of a Parquet file may take in memory; by default 1 GiB, or 120 times its
        size if that is more. For CSV as in :func:`read_csv`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "people.csv"
    ...     _ = path.write_text("node;age\nann; 40\n")
    ...     table = read_table(path)
    >>> dict(table)
    {'node': ['ann'], 'age': ['40']}
    """
    path = Path(path)
    if path.suffix.lower() in PARQUET:
        return _read_parquet(path, max_bytes)
    found = read_rows(path, separator, max_bytes=max_bytes)
    rows = found.rows
    if headings is None:
        if not rows:
            raise ValueError(f"{path} is empty; its first line must name the columns")
        named, rows = [cell.strip() for cell in rows[0].cells], rows[1:]
    else:
        width = len(rows[0].cells) if rows else len(headings)
        if width > len(headings):
            raise ValueError(
                f"{path} has {width} columns; without a heading they must be "
                f"{', '.join(headings)}, so name them in a first line"
            )
        named = list(headings[:width])
    repeated = next((name for name, times in Counter(named).items() if times > 1), None)
    if repeated is not None or "" in named:
        fault = "a column has no name" if "" in named else f"two columns are called {repeated!r}"
        raise ValueError(f"{path}, line 1: {fault}; the columns are {named!r:.80}; rename it")
    columns = {name: [row.cells[i].strip() for row in rows] for i, name in enumerate(named)}
    return Table(columns, path.name, [row.line for row in rows], found.separator)


def _read_parquet(path: Path, max_bytes: int | None) -> Table:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        raise ImportError(
            f"{path} is Parquet, which needs pyarrow: pip install 'hypersage-dgl[tables]', or save "
            "it as CSV"
        ) from None
    with path.open("rb") as file:
        try:
            opened = parquet.ParquetFile(file)
            groups = [opened.metadata.row_group(i) for i in range(opened.metadata.num_row_groups)]
            packed = sum(group.total_byte_size for group in groups)
            check_bytes(packed, path, "its columns", max_bytes, OBJECT_FACTOR)
            for i in range(len(groups)):
                # A broken column is an error where a row is read, and the end of the process where
                # pyarrow is asked what the file says of it.
                next(opened.iter_batches(batch_size=1, row_groups=[i]), None)
            declared, words = _declared(opened.metadata)
            check_bytes(declared, path, "its columns", max_bytes, OBJECT_FACTOR)
            # Each word once, and numbers of words: a kilobyte may hold a long one a million times.
            table = parquet.read_table(file, read_dictionary=words)
            written = declared + sum(map(_written_out, table.columns))
            check_bytes(written, path, "its words", max_bytes, OBJECT_FACTOR)
            columns = table.to_pydict()
        except LimitError:
            raise
        except (ArrowException, OSError, ValueError) as error:
            reason = str(error).partition("\n")[0]
            raise ValueError(f"{path} is damaged, or no Parquet file: {reason}") from None
    return Table(columns, path.name)


def _declared(metadata: Any) -> tuple[int, list[str]]:
    """Bytes that the columns take by what the file says of itself, and which of them hold words."""
    needed, words = 0, []
    for i in range(metadata.num_columns):
        column = metadata.schema.column(i)
        # What has one length may be stored once and repeated.
        width = (column.length or 0) + _object_bytes(column.path)
        if column.physical_type == "BYTE_ARRAY":
            words.append(column.path)
        for group in range(metadata.num_row_groups):
            chunk = metadata.row_group(group).column(i)
            needed += max(chunk.total_uncompressed_size, width * chunk.num_values)
    return needed, words


def _object_bytes(path: str) -> int:
    """What Python takes for a cell of a column, without its words; more in lists and dicts."""
    levels = path.count(".")
    # One level of lists is called list.element.
    is_list = levels == 2 and ".list." in path
    return 2 * CELL if is_list else CELL * max(1, 4 * levels)


def _written_out(column: Any) -> int:
    """Bytes of a column of pyarrow whose words stand in each cell, also in cells of lists."""
    from pyarrow import compute, types

    needed = 0
    for chunk in column.chunks:
        waiting = [chunk]
        while waiting:
            cells = waiting.pop()
            if types.is_dictionary(cells.type):
                lengths = compute.binary_length(cells.dictionary).cast("int64")
                if types.is_string(cells.dictionary.type):
                    # One letter beyond Latin, and Python takes four bytes for each of them.
                    plain = compute.string_is_ascii(cells.dictionary)
                    lengths = compute.if_else(plain, lengths, compute.multiply(lengths, 4))
                needed += compute.sum(lengths.take(cells.indices)).as_py() or 0
            elif types.is_nested(cells.type):
                waiting.extend(cells.flatten() if types.is_struct(cells.type) else [cells.values])
    return needed
