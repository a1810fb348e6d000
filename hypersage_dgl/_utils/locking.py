"""One writer at a time in a folder, across processes; whoever waits is told for whom."""

from __future__ import annotations

import contextlib
import os
import platform
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import filelock

LOCK, HOLDER = ".lock", ".lock.holder"
# What a killed process leaves running, such as workers of a loader, holds its lock a little longer.
GRACE_SECONDS = 10.0


@contextmanager
def locked(folder: Path, purpose: str, wait: float = 0.0) -> Iterator[None]:
    """Be the only one to write into a folder, which must be there.

    The lock is one of the operating system on the file ``.lock``, so it ends with the process,
    even one that is killed. The file stays, for removing it would split those who wait.

    Parameters
    ----------
    folder
        What to lock. Readers need no lock.
    purpose
        What for, for others to read.
    wait
        So many seconds until :class:`BlockingIOError` says who holds it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, locked(Path(folder), "train"):
    ...     with locked(Path(folder), "train"):
    ...         pass
    Traceback (most recent call last):
    BlockingIOError: ...is in use by process ... (train)...
    """
    lock = filelock.FileLock(folder / LOCK, timeout=0)
    _acquire(lock, folder, wait)
    holder = folder / HOLDER
    try:
        # Only words for others: a disk without room must not keep anyone from reading its folder.
        with contextlib.suppress(OSError):
            holder.write_text(f"{os.getpid()} on {platform.node()} ({purpose})", encoding="utf-8")
        yield
    finally:
        with contextlib.suppress(OSError):
            holder.unlink()
        lock.release()


def _acquire(lock: filelock.BaseFileLock, folder: Path, wait: float) -> None:
    start = time.monotonic()
    while True:
        try:
            lock.acquire(timeout=0)
            return
        except filelock.Timeout:
            holder = _holder(folder)
            waited = time.monotonic() - start
            if waited >= (max(wait, GRACE_SECONDS) if _is_dead(holder) else wait):
                raise BlockingIOError(
                    f"{folder} is in use by process {holder or 'that has not said its name'}; wait "
                    "until it ends, or name another folder"
                ) from None
            time.sleep(0.02)


def _holder(folder: Path) -> str:
    try:
        return (folder / HOLDER).read_text(encoding="utf-8")[:200]
    except (OSError, ValueError):
        return ""


def _is_dead(holder: str) -> bool:
    """Whether a process of this machine took the lock and is no more."""
    number, _, rest = holder.partition(" on ")
    if not number.isdigit() or not rest.startswith(f"{platform.node()} "):
        return False
    try:
        os.kill(int(number), 0)
    except (ProcessLookupError, OverflowError):
        return True
    except OSError:
        return False
    return False
