"""Where data lie on this machine, and how a file gets there whole or not at all."""

from __future__ import annotations

import os
import secrets
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


def cache_dir() -> Path:
    """Folder of downloaded and converted data sets.

    It is ``hypersage_dgl`` inside of ``DGL_DOWNLOAD_DIR`` if that is set, else
    ``~/.cache/hypersage_dgl``. Asking does not make it.
    """
    download_dir = os.environ.get("DGL_DOWNLOAD_DIR")
    parent = Path(download_dir) if download_dir else Path.home() / ".cache"
    return parent / "hypersage_dgl"


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Write a file under a temporary name in its own folder; rename it when all went well.

    Readers, other processes included, see the old file or the new one, never a part.

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
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
    try:
        # Not the tempfile module: its files are private, and a cache may be shared by a group.
        with temporary.open("xb") as file:
            yield file
        temporary.replace(path)
    except BaseException:
        with suppress(FileNotFoundError):
            temporary.unlink()
        raise


def keep(path: Path, content: bytes) -> None:
    """Keep a file in the cache; where that cannot be written, warn and do without."""
    try:
        with replacing(path) as file:
            file.write(content)
    except OSError as error:
        warnings.warn(
            f"{path} could not be kept ({error}), so the next load starts from scratch; set "
            "DGL_DOWNLOAD_DIR to a folder with room that you may write to",
            stacklevel=2,
        )
