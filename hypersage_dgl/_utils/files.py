"""Text and JSON files, plain or gzipped: read whole or refused with the place, written at once."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import math
import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Union

import numpy as np

from .atomic import replacing
from .limits import OBJECT_FACTOR, LimitError, allowed_bytes, allowed_text

PathLike = Union[str, "os.PathLike[str]"]
GZIP_MAGIC = b"\x1f\x8b"
# Functions that call themselves for each level, such as repr, end at about 1,000.
MOST_LEVELS = 200


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


def read_json(path: PathLike, max_bytes: int | None = None) -> Any:
    """Read JSON as the standard has it: without NaN, infinities and repeated keys."""
    return parse_json(read_text(path, max_bytes), path)


def parse_json(text: str, source: PathLike) -> Any:
    """Parse JSON; ``ValueError`` with the source and the place for what is not read as written.

    Examples
    --------
    >>> parse_json('{"nodes": [{"a": 1, "a": 2}]}', "a.json")
    Traceback (most recent call last):
    ValueError: a.json: $.nodes[0] has the key 'a' twice; keep one
    """
    constants: list[tuple[float, str, str]] = []
    repeated: list[tuple[dict[str, Any], str]] = []

    def constant(name: str) -> float:
        constants.append((float(name), name, "which JSON does not have"))
        return constants[-1][0]

    def number(digits: str) -> float:
        value = float(digits)
        if math.isinf(value):
            constants.append((value, digits, "which is beyond the range of float64"))
        return value

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(items)
        if len(made) < len(items) and not repeated:
            seen: set[str] = set()
            repeated.append((made, next(k for k, _ in items if k in seen or seen.add(k))))  # type: ignore[func-returns-value]
        return made

    try:
        document = json.loads(
            text, parse_constant=constant, parse_float=number, object_pairs_hook=pairs
        )
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{source}: line {error.lineno}, column {error.colno}: {error.msg}; the file is not "
            "JSON or is cut off"
        ) from None
    except RecursionError:
        raise ValueError(f"{source}: {_too_deep()}") from None
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None
    if repeated:
        place = _place(document, lambda value: value is repeated[0][0])
        raise ValueError(f"{source}: {place} has the key {repeated[0][1]!r:.60} twice; keep one")
    if constants:
        wrong, shown, rule = constants[0]
        place = _place(document, lambda value: value is wrong)
        raise ValueError(
            f"{source}: {place} is {shown:.40}, {rule}; give a number, or leave it out"
        )
    try:
        require_shallow(document)
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None
    return document


def require_shallow(document: Any) -> None:
    """Refuse lists and dicts inside of each other, too deep for the functions that walk them."""
    level = [document] if isinstance(document, (dict, list, tuple)) else []
    for _ in range(MOST_LEVELS):
        inner = (
            item
            for value in level
            for item in (value.values() if isinstance(value, dict) else value)
            if isinstance(item, (dict, list, tuple))
        )
        # Each once: in memory one list may stand in another twice, and that again twice. Of empty
        # ones, which a text may hold by the million, one is enough.
        level = list({id(item) if item else 0: item for item in inner}.values())
        if not level:
            return
    raise ValueError(_too_deep())


def _too_deep() -> str:
    return (
        f"lists and objects stand in each other more than {MOST_LEVELS} levels deep; make the "
        "attributes flatter"
    )


def json_digest(record: Any) -> str:
    """SHA-256 of a JSON document, whatever the order of its keys.

    Examples
    --------
    >>> json_digest({"a": 1, "b": (2,)}) == json_digest({"b": [2], "a": 1})
    True
    """
    # As it will be read: JSON has no tuples and no numbers of numpy.
    plain = json.loads(to_json(record))
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def to_json(document: Any) -> str:
    """Write JSON, one line; refuse what it cannot hold."""
    require_shallow(document)
    _require_string_keys(document)
    try:
        return json.dumps(document, allow_nan=False, ensure_ascii=False, default=_plain)
    except ValueError as error:
        raise ValueError(f"an attribute cannot be written as JSON: {error}; use None") from None


def _require_string_keys(document: Any) -> None:
    """Raise where the keys of a dict are no strings: they would become strings without a word."""
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            wrong = next((key for key in value if not isinstance(key, str)), None)
            if wrong is not None or None in value:
                raise TypeError(
                    f"attribute key {wrong!r:.60} is a {type(wrong).__name__}, and keys in JSON "
                    "are strings; make it one"
                )
            waiting.extend(value.values())
        elif isinstance(value, (list, tuple)):
            waiting.extend(value)


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(
        f"attribute {value!r:.60} is a {type(value).__name__}, which JSON cannot hold; use "
        "strings, numbers, lists and dicts (tensors belong into the graph, see write_folder)"
    )


def _place(document: Any, is_wanted: Callable[[Any], bool]) -> str:
    # A stack of its own: the parser nests deeper than Python's functions may.
    waiting = [("$", document)]
    while waiting:
        place, value = waiting.pop()
        if is_wanted(value):
            return place
        if isinstance(value, dict):
            waiting.extend((f"{place}.{key}", value[key]) for key in reversed(value))
        elif isinstance(value, list):
            last = len(value) - 1
            waiting.extend((f"{place}[{last - i}]", v) for i, v in enumerate(reversed(value)))
    return "a value"
