"""Files of results: each line on the disk the moment it is there, none lost, none twice.

A file is ``NAME.jsonl.gz``, one JSON object a line. While runs are added their lines are in
``NAME.jsonl`` beside it, for a plain file can be appended to safely; when the adding ends, however
it does, they are packed into the first. After ``kill -9`` they stay where they are: readers take
both files, and whoever adds next packs them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from hypersage_dgl._utils import PathLike, read_text, write_text

try:
    import fcntl
except ImportError:  # Windows has no such lock
    fcntl = None  # type: ignore[assignment]

# What a run tells, beside what it is.
OUTCOME = (
    *("test_acc", "connected_acc", "train_acc", "val_acc", "seconds", "command"),
    *("val_auroc", "best_epoch", "epochs_run", "peak_mib", "scores"),
)
Row = Mapping[str, Any]


class Ledger:
    """The results of a file, of which one process at a time holds the journal.

    A line counts once its newline is on the disk. What a killed process left of a line is cut off
    when the file is opened again, so the run is done again.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "results.jsonl.gz"
    >>> with opened(path) as ledger:
    ...     ledger.add([{"split": 1, "test_acc": 0.5}])
    ...     {"split": 1} in ledger, {"split": 2} in ledger
    (True, False)
    >>> [line for place, line in read_lines(path)]
    ['{"split": 1, "test_acc": 0.5}']
    """

    def __init__(self, path: Path, journal: BinaryIO) -> None:
        self._path, self._journal = path, journal
        # By identity: who was killed in the middle of packing left lines in both files.
        self._lines: dict[str, str] = {}
        for place, line in read_lines(path):
            self._lines.setdefault(identity(_parsed(line, place)), line)
        end = journal.read().rfind(b"\n") + 1
        journal.truncate(end)
        journal.seek(end)

    def __contains__(self, row: Row) -> bool:
        return identity(row) in self._lines

    def __len__(self) -> int:
        return len(self._lines)

    def add(self, rows: Iterable[Row]) -> None:
        """Append results that are new, together, and wait until they are on the disk."""
        new = {identity(row): json.dumps(row) for row in rows if row not in self}
        self._journal.write("".join(f"{line}\n" for line in new.values()).encode())
        self._journal.flush()
        os.fsync(self._journal.fileno())
        self._lines.update(new)

    def pack(self) -> None:
        """Move the lines of the journal into the gzipped file; the same lines give its bytes."""
        if self._journal.tell():
            write_text(self._path, "".join(f"{line}\n" for line in self._lines.values()))
        # Not before the new file is there.
        self._journal.truncate(0)
        # Windows keeps an open file, an empty one now.
        with suppress(PermissionError):
            journal_of(self._path).unlink()


@contextmanager
def opened(path: PathLike) -> Iterator[Ledger]:
    """Open a file of results to add to, made if need be; refuse one that is being added to."""
    place = Path(path)
    with _locked(journal_of(place), place) as journal:
        ledger = Ledger(place, journal)
        try:
            yield ledger
        finally:
            ledger.pack()


def read_lines(path: PathLike) -> list[tuple[str, str]]:
    """The whole lines of a file of results and of its journal, each with its place.

    None if there is no file. A last line without its end does not count.
    """
    # The journal first: packed meanwhile, its lines are in both, and otherwise would be in none.
    journal = journal_of(Path(path))
    added = _numbered(journal, journal.read_bytes()) if journal.exists() else []
    packed = Path(path).exists()
    return [*_numbered(path, read_text(path).encode()), *added] if packed else added


def journal_of(path: Path) -> Path:
    """The plain file that takes the lines of a gzipped one.

    Examples
    --------
    >>> journal_of(Path("results/table1.jsonl.gz")).name
    'table1.jsonl'
    """
    if path.suffix != ".gz":
        raise ValueError(f"{path} is no name of a file of results; it must end in .jsonl.gz")
    return path.with_suffix("")


def identity(row: Row) -> str:
    """What tells a run from the others, as text; a field that is not set does not count."""
    told = {key: row[key] for key in row if key not in OUTCOME and row[key] is not None}
    return json.dumps(told, sort_keys=True)


@contextmanager
def _locked(journal: Path, path: Path) -> Iterator[BinaryIO]:
    journal.parent.mkdir(parents=True, exist_ok=True)
    while True:
        journal.touch()
        with journal.open("r+b") as file:
            try:
                if fcntl is not None:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise BlockingIOError(
                    f"another process adds to {path}; wait for it, or give another folder"
                ) from None
            # Another process may have packed it between our opening and our lock.
            if journal.exists() and os.path.samestat(journal.stat(), os.fstat(file.fileno())):
                yield file
                return


def _numbered(path: PathLike, content: bytes) -> list[tuple[str, str]]:
    *lines, _ = content.split(b"\n")
    found = []
    for number, line in enumerate(lines, start=1):
        place = f"{path}: line {number}"
        try:
            found.append((place, line.decode()))
        except UnicodeDecodeError:
            raise ValueError(f"{place} is not UTF-8 text; mend or remove it") from None
    return found


def _parsed(line: str, place: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError:
        row = None
    if not isinstance(row, dict):
        raise ValueError(f"{place} is no JSON object; mend or remove it")
    return row
