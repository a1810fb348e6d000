"""Text and JSON files, plain or gzipped: read whole or refused with the place, written at once."""

from __future__ import annotations

import gzip
import json
import math
import os
import zlib
from pathlib import Path
from typing import Any, Union

import numpy as np

from .atomic import replacing

PathLike = Union[str, "os.PathLike[str]"]
GZIP_MAGIC = b"\x1f\x8b"


def read_text(path: PathLike) -> str:
    """Read a UTF-8 file, unpacked if its first bytes say gzip."""
    content = Path(path).read_bytes()
    if content.startswith(GZIP_MAGIC):
        try:
            content = gzip.decompress(content)
        except (EOFError, OSError, zlib.error) as error:
            raise ValueError(f"{path}: truncated or damaged gzip file ({error})") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(
            f"{path}: line {line}, byte {error.start} is not UTF-8 text: another kind of file?"
        ) from None


def write_text(path: PathLike, text: str) -> None:
    """Write a UTF-8 file, gzipped if its name ends in ``.gz``; whole or not at all."""
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:
        part = text[max(error.start - 20, 0) : error.end + 20]
        raise ValueError(
            f"{part!r} has half of a surrogate pair, which is no character and no UTF-8; rename "
            "what has it"
        ) from None
    if Path(path).suffix == ".gz":
        # Without the time of writing, equal hypergraphs give equal files.
        content = gzip.compress(content, mtime=0)
    with replacing(Path(path)) as file:
        file.write(content)


def read_json(path: PathLike) -> Any:
    """Read JSON as the standard has it: without NaN and infinities."""
    text = read_text(path)
    constants: list[str] = []

    def constant(name: str) -> float:
        constants.append(name)
        return float(name)

    try:
        document = json.loads(text, parse_constant=constant)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{path}: line {error.lineno}, column {error.colno}: {error.msg}; the file is not JSON "
            "or is cut off"
        ) from None
    except (RecursionError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from None
    if constants:
        place = _place_of_constant(document)
        raise ValueError(
            f"{path}: {place} is {constants[0]}, which JSON does not have; give a number, or leave "
            "it out"
        )
    return document


def to_json(document: Any) -> str:
    """Write JSON, one line; refuse what it cannot hold."""
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


def _place_of_constant(document: Any) -> str:
    # A stack of its own: the parser nests deeper than Python's functions may.
    waiting = [("$", document)]
    while waiting:
        place, value = waiting.pop()
        if isinstance(value, float) and not math.isfinite(value):
            return place
        if isinstance(value, dict):
            waiting.extend((f"{place}.{key}", value[key]) for key in reversed(value))
        elif isinstance(value, list):
            last = len(value) - 1
            waiting.extend((f"{place}[{last - i}]", v) for i, v in enumerate(reversed(value)))
    # A repeated key hides the value of the first.
    return "a value"
