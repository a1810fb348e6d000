"""Results as JSON lines: each appended the moment it is there, none lost, none twice."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from .._utils import PathLike

try:
    import fcntl
except ImportError:  # Windows has no such lock
    fcntl = None  # type: ignore[assignment]

# What a run tells, beside what it is.
OUTCOME = ("test_acc", "connected_acc", "seconds", "command")


class Ledger:
    r"""A file of results that one process at a time adds to.

    A line counts once its newline is on the disk. What a killed process left of a line is cut off
    when the file is opened again, so the run is done anew.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "results.jsonl"
    >>> with opened(path) as ledger:
    ...     ledger.add([{"split": 1, "test_acc": 0.5}])
    ...     {"split": 1} in ledger, {"split": 2} in ledger
    (True, False)
    >>> path.read_text()
    '{"split": 1, "test_acc": 0.5}\n'
    """

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._file = file
        content = file.read()
        whole = whole_lines(content)
        self._known = {identity(row) for row in parse(whole, name)}
        file.truncate(len(whole))
        file.seek(len(whole))

    def __contains__(self, row: Mapping[str, Any]) -> bool:
        return identity(row) in self._known

    def __len__(self) -> int:
        return len(self._known)

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Append results that are new, together, and wait until they are on the disk."""
        new = [row for row in rows if row not in self]
        self._file.write("".join(json.dumps(row) + "\n" for row in new).encode())
        self._file.flush()
        os.fsync(self._file.fileno())
        self._known.update(map(identity, new))


@contextmanager
def opened(path: PathLike) -> Iterator[Ledger]:
    """Open a file of results to add to, made if need be; refuse one that is being added to."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).touch()
    with Path(path).open("r+b") as file:
        try:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BlockingIOError(
                f"another process adds to {path}; wait for it, or give another folder"
            ) from None
        yield Ledger(file, str(path))


def whole_lines(content: bytes) -> bytes:
    """The lines that have their end; a process that was killed may have left a part of one."""
    return content[: content.rfind(b"\n") + 1]


def parse(content: bytes, name: str) -> list[dict[str, Any]]:
    """Read whole lines; refuse one that is no result, with its place."""
    rows = []
    for number, line in enumerate(content.splitlines(), start=1):
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if not isinstance(row, dict):
            raise ValueError(f"{name}: line {number} is no JSON object; mend or remove it")
        rows.append(row)
    return rows


def identity(row: Mapping[str, Any]) -> str:
    """What tells a run from the others, as text; a field that is not set does not count."""
    told = {key: row[key] for key in row if key not in OUTCOME and row[key] is not None}
    return json.dumps(told, sort_keys=True)
