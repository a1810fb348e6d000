"""What reading a file may cost: bytes in memory, and ids that no incidence stands behind."""

from __future__ import annotations

from pathlib import Path

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
    hypersage_dgl._utils.limits.LimitError: 200,000,001 nodes for 1 incidences: ...
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
