"""JSON files, read as the standard has it or refused with the place; records that are sealed."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .schema import Schema, check_schema
from .text import PathLike, read_text, write_text

# Functions that call themselves for each level, such as repr, end at about 1,000.
MOST_LEVELS = 200
TOO_DEEP = (
    f"lists and objects stand in each other more than {MOST_LEVELS} levels deep; make the "
    "attributes flatter"
)
NUMBER_CURE = "give a number, or leave it out"
# Longer ones Python does not read, and it does not say where they stand.
LONG_INTEGER = re.compile(r"(?<![\d\"])\d{4301}")


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
    faults: list[tuple[Any, str]] = []

    def noted(value: Any, fault: str) -> Any:
        if not faults:
            faults.append((value, fault))
        return value

    def constant(name: str) -> Any:
        return noted(float(name), f"is {name}, which JSON does not have; {NUMBER_CURE}")

    def number(digits: str) -> Any:
        value = float(digits)
        beyond = f"is {digits:.40}, which is beyond the range of float64; {NUMBER_CURE}"
        return noted(value, beyond) if math.isinf(value) else value

    def pairs(items: list[tuple[str, Any]]) -> Any:
        made = dict(items)
        if len(made) == len(items) or faults:
            return made
        seen: set[str] = set()
        twice = next(k for k, _ in items if k in seen or seen.add(k))  # type: ignore[func-returns-value]
        return noted(made, f"has the key {twice!r:.60} twice; keep one")

    try:
        document = _loads(
            text, parse_constant=constant, parse_float=number, object_pairs_hook=pairs
        )
        if faults:
            place = _place(document, faults[0][0])
            raise ValueError(f"{place} {faults[0][1]}")
        require_shallow(document)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{source}: line {error.lineno}, column {error.colno}: {error.msg}; the file is not "
            "JSON or is cut off"
        ) from None
    except RecursionError:
        raise ValueError(f"{source}: {TOO_DEEP}") from None
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None
    return document


def _loads(text: str, **hooks: Any) -> Any:
    try:
        return json.loads(text, **hooks)
    except json.JSONDecodeError:
        raise
    except ValueError:
        found = LONG_INTEGER.search(text)
        line = text.count("\n", 0, 0 if found is None else found.start()) + 1
        raise ValueError(
            f"line {line}: an integer of more than 4,300 digits; {NUMBER_CURE}"
        ) from None


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
    raise ValueError(TOO_DEEP)


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


def _place(document: Any, wanted: Any) -> str:
    # A stack of its own: the parser nests deeper than Python's functions may.
    waiting = [("$", document)]
    while waiting:
        place, value = waiting.pop()
        if value is wanted:
            return place
        if isinstance(value, dict):
            waiting.extend((f"{place}.{key}", value[key]) for key in reversed(value))
        elif isinstance(value, list):
            last = len(value) - 1
            waiting.extend((f"{place}[{last - i}]", v) for i, v in enumerate(reversed(value)))
    return "a value"


def read_record(path: Path, schema: Schema, what: str, cure: str = "") -> dict[str, Any]:
    """Read the JSON file of a folder that says what is in it, such as a ``"checkpoint"``.

    ``FileNotFoundError`` if there is none, ``ValueError`` if it does not fit the schema. With a
    ``cure``, the record is one of :func:`write_sealed`, and must not have been changed since.
    """
    if not path.is_file():
        raise FileNotFoundError(f"{path.parent} holds no {what}: there is no {path.name} in it")
    record: dict[str, Any] = read_json(path)
    try:
        check_schema(record, schema)
    except ValueError as error:
        raise ValueError(f"{path} is not a {what} of hypersage_dgl: {error}") from None
    if cure and record.pop("sha256") != json_digest(record):
        raise ValueError(
            f"{path} was changed since it was saved: its SHA-256 is not the recorded one; {cure}"
        )
    return record


def write_sealed(path: Path, record: Mapping[str, Any]) -> None:
    """Write a record with its own SHA-256, whole or not at all."""
    write_text(path, to_json({**record, "sha256": json_digest(record)}))
