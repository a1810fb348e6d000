"""Text files, plain or gzipped, and what reading a file may cost: bytes in memory, and ids."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from pathlib import Path
from typing import IO, Union

from .writing import replacing

# A file may always take as much memory as it has bytes; this is for what it declares or unpacks.
MAX_BYTES = 2**30
# Python's objects take at most so many times the bytes of their text; lines of one letter do.
OBJECT_FACTOR = 120
# Tables and JSON of people are packed to a tenth or so, hardly to less than this part.
USUAL_RATIO = 20
# How many ids there may be for one incidence, once there are more than the least.
ID_FACTOR = 1000
LEAST_IDS = 10_000_000


class LimitError(ValueError):
    """A file that may be good, but takes more than is allowed."""


def allowed_bytes(path: Path, max_bytes: int | None = None) -> int:
    """How many bytes a file may unpack to or declare: its own size, or the limit if that is more.

    Examples
    --------
    >>> allowed_bytes(Path(__file__), 10) == Path(__file__).stat().st_size
    True
    """
    limit = MAX_BYTES if max_bytes is None else max_bytes
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise ValueError(f"max_bytes is {max_bytes!r}; it must be a positive integer")
    return max(limit, path.stat().st_size)


def allowed_text(path: Path, max_bytes: int | None = None) -> int:
    """How many bytes of text a gzipped file may unpack to.

    As many as have room as Python's objects, or as a packed text usually has.

    Examples
    --------
    >>> size = Path(__file__).stat().st_size
    >>> allowed_text(Path(__file__)) == MAX_BYTES // 120
    True
    >>> allowed_text(Path(__file__), 1_000_000) == 20 * size
    True
    """
    allowed = allowed_bytes(path, max_bytes)
    return min(allowed, max(allowed // OBJECT_FACTOR, USUAL_RATIO * path.stat().st_size))


def check_bytes(
    needed: int, path: Path, what: str, max_bytes: int | None = None, factor: int = 1
) -> None:
    """Refuse what would take more memory than is allowed, before it is taken.

    With ``factor``, a file may take so many times its size.
    """
    allowed = max(allowed_bytes(path, max_bytes), factor * path.stat().st_size)
    if needed > allowed:
        raise LimitError(
            f"{path}: {what} would take {needed:,} bytes of memory, and {allowed:,} are allowed; "
            f"if you trust the file, allow more: max_bytes={needed}"
        )


def check_id_count(
    count: int,
    incidences: int,
    what: str,
    id_factor: int | None = None,
    cure: str = "id_factor",
) -> None:
    """Refuse a number of nodes or hyperedges that the incidences cannot stand for.

    Up to 10 million are always fine, beyond that ``id_factor`` (by default 1,000) for each
    incidence: a file of 31 bytes must not take gigabytes by naming one large id.

    Examples
    --------
    >>> check_id_count(200_000_001, 1, "node")
    Traceback (most recent call last):
    hypersage_dgl._utils.text.LimitError: 200,000,001 nodes for 1 incidences: ...
    """
    factor = ID_FACTOR if id_factor is None else id_factor
    if isinstance(factor, bool) or not isinstance(factor, int) or factor < 1:
        raise ValueError(f"id_factor is {id_factor!r}; it must be a positive integer")
    if count > max(LEAST_IDS, factor * incidences):
        raise LimitError(
            f"{count:,} {what}s for {incidences:,} incidences: more than {LEAST_IDS:,} and than "
            f"{factor:,} for each incidence; if that is right, allow more with {cure}, else "
            f"number the {what}s from 0"
        )


PathLike = Union[str, "os.PathLike[str]"]
GZIP_MAGIC = b"\x1f\x8b"


def read_text(path: PathLike, max_bytes: int | None = None) -> str:
    """Read a UTF-8 file, unpacked if its first bytes say gzip, to as much as is allowed.

    Of what has no size, such as a pipe, at most ``max_bytes`` are read.
    """
    path = Path(path)
    with path.open("rb") as file:
        allowed = allowed_bytes(path, max_bytes)
        content = _at_most(file, allowed)
    if len(content) > allowed:
        raise LimitError(
            f"{path}: more than {allowed:,} bytes, which are not allowed; if you trust it, allow "
            "more with max_bytes"
        )
    if content.startswith(GZIP_MAGIC):
        content = _unpacked(content, path, max_bytes)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(
            f"{path}: line {line}, byte {error.start} is not UTF-8: save text as UTF-8, or name "
            "another file"
        ) from None


def _at_most(file: IO[bytes], allowed: int) -> bytes:
    """What is in a file, and one byte more than is allowed where that is not all of it.

    In pieces, for Python takes the memory for all that it is asked to read.
    """
    pieces, left = [], allowed + 1
    while left and (piece := file.read(min(left, 1 << 20))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _unpacked(packed: bytes, path: Path, max_bytes: int | None) -> bytes:
    allowed = allowed_text(path, max_bytes)
    try:
        with gzip.open(io.BytesIO(packed)) as file:
            content = _at_most(file, allowed)  # type: ignore[arg-type]
    except (EOFError, OSError, zlib.error) as error:
        raise ValueError(f"{path}: truncated or damaged gzip file ({error})") from None
    if len(content) > allowed:
        raise LimitError(
            f"{path}: {len(packed):,} packed bytes are more than {allowed:,} unpacked, which are "
            f"not allowed ({OBJECT_FACTOR} bytes of memory for each); if you trust the file, allow "
            "more with max_bytes"
        )
    return content


def encoded(text: str) -> bytes:
    """UTF-8 of a text, or ``ValueError`` with the part that has none."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        part = text[max(error.start - 20, 0) : error.end + 20]
        raise ValueError(
            f"{part!r} has half of a surrogate pair, which is no character and no UTF-8; rename "
            "what has it"
        ) from None


def write_text(path: PathLike, text: str) -> None:
    """Write a UTF-8 file, gzipped if its name ends in ``.gz``; whole or not at all."""
    content = encoded(text)
    if Path(path).suffix == ".gz":
        # Without the time of writing, equal hypergraphs give equal files.
        content = gzip.compress(content, mtime=0)
    with replacing(Path(path)) as file:
        file.write(content)
