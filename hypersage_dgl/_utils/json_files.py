"""JSON files, and a checker for the part of JSON Schema (draft 7) that our schemas use."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .text import PathLike, read_text

# Functions that call themselves for each level, such as repr, end at about 1,000.
MOST_LEVELS = 200


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


Schema = Mapping[str, Any]


def check_schema(value: Any, schema: Schema) -> None:
    """Raise ``ValueError`` with the place of the first fault, unless the value fits the schema.

    Examples
    --------
    >>> check_schema({"a": [1, "x"]}, {"properties": {"a": {"items": {"type": "integer"}}}})
    Traceback (most recent call last):
    ...
    ValueError: $.a[1] is 'x'; it must be of type integer
    """
    fault = _fault(value, schema)
    if fault is not None:
        raise ValueError(f"${fault.place} {fault.message}")


def read_record(path: Path, schema: Schema, what: str) -> dict[str, Any]:
    """Read the JSON file of a folder that says what is in it.

    Parameters
    ----------
    path
        The file.
    schema
        What it must fit, an object.
    what
        What the folder holds, in errors: ``"checkpoint"``.

    Raises
    ------
    FileNotFoundError
        If there is none.
    ValueError
        If it is not JSON, or does not fit.
    """
    if not path.is_file():
        raise FileNotFoundError(f"{path.parent} holds no {what}: there is no {path.name} in it")
    record: dict[str, Any] = read_json(path)
    try:
        check_schema(record, schema)
    except ValueError as error:
        raise ValueError(f"{path} is not a {what} of hypersage_dgl: {error}") from None
    return record


class _Fault(NamedTuple):
    """What is wrong; the place is put together on the way up: a good value costs nothing."""

    place: str
    message: str


def _fault(value: Any, schema: Schema) -> _Fault | None:
    types = schema.get("type")
    if types is not None:
        allowed = (types,) if isinstance(types, str) else types
        if not any(JSON_TYPES[name](value) for name in allowed):
            return _Fault("", f"is {value!r:.60}; it must be of type {' or '.join(allowed)}")
    if "enum" in schema and value not in schema["enum"]:
        return _Fault("", f"is {value!r:.60}; it must be one of {schema['enum']}")
    if isinstance(value, dict):
        return _fault_of_object(value, schema)
    if isinstance(value, list) and "items" in schema:
        items = schema["items"]
        for position, item in enumerate(value):
            inner = _fault(item, items)
            if inner is not None:
                return _Fault(f"[{position}]{inner.place}", inner.message)
    return None


def _fault_of_object(value: dict[str, Any], schema: Schema) -> _Fault | None:
    for key in schema.get("required", ()):
        if key not in value:
            return _Fault("", f"has no {key!r}, which is required; it is {value!r:.60}")
    properties = schema.get("properties", {})
    for key, item in value.items():
        if key in properties:
            inner = _fault(item, properties[key])
            if inner is not None:
                return _Fault(f".{key}{inner.place}", inner.message)
        elif schema.get("additionalProperties") is False:
            return _Fault("", f"has {key!r}; only {sorted(properties)} may be there")
    return None


def _is_integer(value: Any) -> bool:
    # Draft 7 counts 1.0 among the integers, and true not among the numbers.
    return _is_number(value) and (isinstance(value, int) or value.is_integer())


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


JSON_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": _is_integer,
    "number": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}
