"""A checker for the part of JSON Schema (draft 7) that the schemas of this package use.

It is a page long, needs no further package, generates no code, and names the place of the first
fault as a JSON path.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any

Schema = Mapping[str, Any]


def check(value: Any, schema: Schema, place: str = "$") -> None:
    """Raise ``ValueError`` with the place of the first fault, unless the value fits the schema.

    Examples
    --------
    >>> check({"a": [1, "x"]}, {"properties": {"a": {"items": {"type": "integer"}}}})
    Traceback (most recent call last):
    ...
    ValueError: $.a[1] is 'x'; it must be of type integer
    """
    types = schema.get("type")
    if types is not None:
        allowed = [types] if isinstance(types, str) else types
        if not any(TYPES[name](value) for name in allowed):
            raise ValueError(f"{place} is {value!r:.60}; it must be of type {' or '.join(allowed)}")
    if "enum" in schema and value not in schema["enum"]:
        raise ValueError(f"{place} is {value!r:.60}; it must be one of {schema['enum']}")
    if isinstance(value, dict):
        _check_object(value, schema, place)
    elif isinstance(value, list) and "items" in schema:
        items = schema["items"]
        for position, item in enumerate(value):
            check(item, items, f"{place}[{position}]")


def hif_schema() -> Schema:
    """Read the schema of the Hypergraph Interchange Format, which is shipped with the package.

    Examples
    --------
    >>> hif_schema()["required"]
    ['incidences']
    """
    text = resources.files(__package__).joinpath("hif_schema.json").read_text(encoding="utf-8")
    schema: Schema = json.loads(text)
    return schema


def _check_object(value: dict[str, Any], schema: Schema, place: str) -> None:
    for key in schema.get("required", ()):
        if key not in value:
            raise ValueError(f"{place} has no {key!r}, which is required; it is {value!r:.60}")
    properties = schema.get("properties", {})
    for key, item in value.items():
        if key in properties:
            check(item, properties[key], f"{place}.{key}")
        elif schema.get("additionalProperties") is False:
            raise ValueError(f"{place} has {key!r}; only {sorted(properties)} may be there")


def _is_integer(value: Any) -> bool:
    # Draft 7 counts 1.0 among the integers, and true not among the numbers.
    return _is_number(value) and (isinstance(value, int) or value.is_integer())


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


TYPES: Mapping[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": _is_integer,
    "number": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}
