"""Write a file whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

# What a process that was killed leaves of a file that it was writing.
PART = re.compile(r"\.(?P<name>.+)\.[0-9a-f]{12}\.part")


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Write a file under a temporary name in its own folder; rename it when all went well.

    Readers, other processes included, see the old file or the new one, never a part. Of a link
    the file behind it is replaced, and the link stays. What is there and is no regular file, such
    as ``/dev/stdout`` or a pipe, is written to directly: it must not become a file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(Path(folder) / "a.txt") as file:
    ...         _ = file.write(b"whole")
    ...     [p.name for p in Path(folder).iterdir()]
    ['a.txt']
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # Before the links are followed: /dev/stdout is one, to a pipe that has no path.
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file
        return
    if path.is_symlink():
        path = Path(os.path.realpath(path))
        if path.is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
        path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
    try:
        # Not the tempfile module: its files are private, and a cache may be shared by a group.
        with temporary.open("xb") as file:
            yield file
            # Or a crash of the machine may leave the new name with nothing behind it.
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with suppress(FileNotFoundError):
            temporary.unlink()
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk, where the system lets a folder be opened."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
