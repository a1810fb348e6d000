"""Write a file whole or not at all, and be the only one who writes into a folder."""

from __future__ import annotations

import contextlib
import errno
import os
import platform
import re
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import filelock

fcntl: Any


try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

# What a process that was killed leaves of a file that it was writing.
PART = re.compile(r"\.(?P<name>.+)\.[0-9a-f]{12}\.part")


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Write a file under a temporary name in its own folder; rename it when all went well.

    Readers, other processes included, see the old file or the new one, never a part. The new one
    has the mode of the old one; of a link the file behind it is replaced, and the link stays. What
    is there and is no regular file, such as ``/dev/stdout`` or a pipe, is written to directly: it
    must not become a file. Parts that killed processes left of this file are removed.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(Path(folder) / "a.txt") as file:
    ...         _ = file.write(b"whole")
    ...     [p.name for p in Path(folder).iterdir()]
    ['a.txt']
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Before the links are followed: /dev/stdout is one, to a pipe that has no path.
        if path.exists() and not path.is_file():
            with path.open("wb") as file:
                yield file
        else:
            with _renaming(path) as file:
                yield file
    except OSError as error:
        # A full disk is noticed where nothing but a number of the file is known.
        if error.filename is None and error.errno is not None:
            error.filename = str(path)
        raise


@contextmanager
def _renaming(path: Path) -> Iterator[IO[bytes]]:
    if path.is_symlink():
        path = Path(os.path.realpath(path))
        if path.is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
        path.parent.mkdir(parents=True, exist_ok=True)
    _sweep_parts(path)
    temporary, file = _open_part(path)
    # The lock stays until the part has its name: without it, it is anyone's to remove.
    lock = os.dup(file.fileno())
    try:
        with file:
            yield file
            # Or a crash of the machine may leave the new name with nothing behind it.
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with suppress(FileNotFoundError):
            temporary.unlink()
        raise
    finally:
        os.close(lock)
    sync_folder(path.parent)


def _open_part(path: Path) -> tuple[Path, IO[bytes]]:
    """A new part of a file, locked, with the owner and mode of what it will replace."""
    old = path.stat() if path.exists() else None
    # Not the tempfile module: its files are private, and a cache may be shared by a group.
    mode = 0o666 if old is None else 0o600
    while True:
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
        file = open(temporary, "xb", opener=lambda name, flags: os.open(name, flags, mode))  # noqa: SIM115
        if fcntl is None:
            return temporary, file
        # A file system without locks has no sweeping either.
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
        # Someone may have swept it before it was locked.
        if os.fstat(file.fileno()).st_nlink:
            break
        file.close()
    if old is not None:
        with suppress(OSError):
            os.fchown(file.fileno(), old.st_uid, old.st_gid)
        with suppress(OSError):
            os.fchmod(file.fileno(), stat.S_IMODE(old.st_mode) & 0o777)
    return temporary, file


def _sweep_parts(path: Path) -> None:
    """Remove parts of a file that no living process writes: those that can be locked."""
    if fcntl is None:
        return
    with suppress(OSError):
        for part in path.parent.iterdir():
            found = PART.fullmatch(part.name)
            if found and found["name"] == path.name and stat.S_ISREG(part.lstat().st_mode):
                with suppress(OSError), part.open("rb") as file:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    part.unlink()


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk, where the system lets a folder be opened."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


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
