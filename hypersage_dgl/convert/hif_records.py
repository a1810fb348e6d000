"""The records of a HIF document, read one by one and merged where they occur twice."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from .._utils import JSON_TYPES, RANGE, as_float32
from .names import Numbering

# Data "direction" of the relation "in": one bit each, so that a node may be both.
DIRECTIONS: Mapping[str, int] = {"tail": 1, "head": 2}


class Merged:
    """Weights and attributes by id, from records that must not contradict each other."""

    def __init__(self) -> None:
        self.weights: dict[int, float] = {}
        self.attributes: dict[int, dict[str, Any]] = {}

    def add_weight(self, i: int, weight: float, place: str) -> None:
        """Note a weight, unless another one was noted before."""
        rounded = as_float32(weight)
        if not math.isfinite(rounded) or (rounded == 0) != (weight == 0):
            raise ValueError(f"{place} is {weight!r:.60}; weights must be finite, {RANGE}")
        if self.weights.setdefault(i, weight) != weight:
            raise ValueError(
                f"{place} is {weight!r}, but the same one had weight {self.weights[i]!r} before; "
                "give it one weight"
            )

    def add_attributes(self, i: int, attributes: Mapping[str, Any], place: str) -> None:
        """Note attributes, unless one was noted before with another value."""
        if not attributes:
            return
        known = self.attributes.setdefault(i, {})
        for key, value in attributes.items():
            if known.setdefault(key, value) != value:
                raise ValueError(
                    f"{place}.{key} is {value!r:.60}, but the same one had {known[key]!r:.60} "
                    "before; give it one value"
                )

    def weight_list(self, count: int) -> list[float] | None:
        """Give all weights by id, 1 where none was noted; None if none was noted at all."""
        return [self.weights.get(i, 1.0) for i in range(count)] if self.weights else None


class Parts(Merged):
    """The records of ``nodes`` or ``edges``; ``numbering`` also takes those not listed there."""

    def __init__(self, document: Mapping[str, Any], section: str) -> None:
        super().__init__()
        key = section[:-1]
        self.numbering = Numbering(key)
        for position, record in enumerate(document.get(section, ())):
            place = f"$.{section}[{position}]"
            i = self.id_of(record[key])
            attributes = dict(record.get("attrs", {}))
            if "weight" in record:
                self.add_weight(i, record["weight"], f"{place}.weight")
            # XGI knows no other place for a weight than among the attributes.
            if JSON_TYPES["number"](attributes.get("weight")):
                self.add_weight(i, attributes.pop("weight"), f"{place}.attrs.weight")
            self.add_attributes(i, attributes, f"{place}.attrs")

    def id_of(self, name: str | float) -> int:
        """Give the id of a name; 1.0 is the integer 1."""
        return self.numbering[name if isinstance(name, str) else int(name)]


class Incidences(Merged):
    """The records of ``incidences``; those of one node and one hyperedge are one incidence."""

    def __init__(self, records: Sequence[Mapping[str, Any]], nodes: Parts, edges: Parts) -> None:
        super().__init__()
        found: dict[tuple[int, int], int] = {}
        self.directions: list[int] = []
        for position, record in enumerate(records):
            pair = (nodes.id_of(record["node"]), edges.id_of(record["edge"]))
            i = found.setdefault(pair, len(found))
            if i == len(self.directions):
                self.directions.append(0)
            self.directions[i] |= DIRECTIONS.get(record.get("direction", ""), 0)
            if "weight" in record:
                self.add_weight(i, record["weight"], f"$.incidences[{position}].weight")
            if "attrs" in record:
                self.add_attributes(i, record["attrs"], f"$.incidences[{position}].attrs")
        self.nodes = [node for node, _ in found]
        self.edges = [edge for _, edge in found]


def write_record(
    head: Mapping[str, Any], weight: float | None, attributes: Mapping[str, Any]
) -> dict[str, Any]:
    """Make a record of its ids, and of weight and attributes where there are any."""
    record = dict(head)
    if weight is not None:
        record["weight"] = weight
    if attributes:
        record["attrs"] = dict(attributes)
    return record
