"""A checker for the part of JSON Schema (draft 7) that our schemas use: it names the place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Schema = Mapping[str, Any]
# Where a value is, and what is wrong with it.
Fault = tuple[str, str]


def required(**properties: Schema) -> dict[str, Any]:
    """Schema of an object that has all of these.

    Examples
    --------
    >>> check_schema({"a": 1}, required(a={"type": "integer"}, b={}))
    Traceback (most recent call last):
    ValueError: $ has no 'b', which is required; it is {'a': 1}
    """
    return {"type": "object", "required": list(properties), "properties": properties}


def check_schema(value: Any, schema: Schema) -> None:
    """Raise ``ValueError`` with the place of the first fault, unless the value fits the schema.

    Examples
    --------
    >>> check_schema({"a": [1, "x"]}, {"properties": {"a": {"items": {"type": "integer"}}}})
    Traceback (most recent call last):
    ValueError: $.a[1] is 'x'; it must be of type integer
    """
    if (fault := _fault(value, schema)) is not None:
        raise ValueError(f"${fault[0]} {fault[1]}")


def _fault(value: Any, schema: Schema) -> Fault | None:
    # The place is put together on the way up: a good value costs nothing.
    types = schema.get("type")
    if types is not None:
        allowed = (types,) if isinstance(types, str) else types
        if not any(JSON_TYPES[name](value) for name in allowed):
            return ("", f"is {value!r:.60}; it must be of type {' or '.join(allowed)}")
    if "enum" in schema and value not in schema["enum"]:
        return ("", f"is {value!r:.60}; it must be one of {schema['enum']}")
    if isinstance(value, dict):
        return _fault_of_object(value, schema)
    if isinstance(value, list) and "items" in schema:
        for position, item in enumerate(value):
            if (inner := _fault(item, schema["items"])) is not None:
                return (f"[{position}]{inner[0]}", inner[1])
    return None


def _fault_of_object(value: dict[str, Any], schema: Schema) -> Fault | None:
    for key in schema.get("required", ()):
        if key not in value:
            return ("", f"has no {key!r}, which is required; it is {value!r:.60}")
    properties = schema.get("properties", {})
    for key, item in value.items():
        if key in properties:
            if (inner := _fault(item, properties[key])) is not None:
                return (f".{key}{inner[0]}", inner[1])
        elif schema.get("additionalProperties") is False:
            return ("", f"has {key!r}; only {sorted(properties)} may be there")
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


JSON_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    # Draft 7 counts 1.0 among the integers, and true not among the numbers.
    "integer": lambda value: _is_number(value) and value == value // 1,
    "number": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}
