"""A checker for the part of JSON Schema (draft 7) that the schemas of this package use.

It is a page long, needs no further package, generates no code, and names the place of the first
fault as a JSON path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from .files import read_json

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
