"""What every converter speaks: a hypergraph together with the names and attributes of its parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Union

import dgl
import numpy as np
from torch import Tensor

from ..hypergraphs import HYPEREDGE, IN, NODE, require_types

Name = Hashable
AttributesById = Mapping[int, Mapping[str, Any]]
NETWORK_TYPES = ("undirected", "directed", "asc")
PARTS = ("nodes", "hyperedges", "incidences")
# Any number of so many digits is an int64.
MOST_DIGITS = 18


@dataclass(frozen=True)
class Attributes:
    """What a file says besides structure and weights: free attributes, by id.

    ``network`` belongs to the whole hypergraph; ``nodes``, ``hyperedges`` and ``incidences`` hold
    a mapping for each id that has attributes. ``network_type`` is HIF's: ``"undirected"``,
    ``"directed"`` or ``"asc"`` (abstract simplicial complex).
    """

    network: Mapping[str, Any] = field(default_factory=dict)
    nodes: AttributesById = field(default_factory=dict)
    hyperedges: AttributesById = field(default_factory=dict)
    incidences: AttributesById = field(default_factory=dict)
    network_type: str = "undirected"

    def __post_init__(self) -> None:
        if self.network_type not in NETWORK_TYPES:
            raise ValueError(
                f"network_type is {self.network_type!r}; it must be one of {NETWORK_TYPES}"
            )

    def to_dict(self) -> dict[str, Any]:
        """All attributes as JSON can hold them, ids as strings."""
        parts = {part: getattr(self, part) for part in PARTS}
        return {
            "network": dict(self.network),
            "network_type": self.network_type,
            **{part: {str(i): a for i, a in items.items()} for part, items in parts.items()},
        }

    @classmethod
    def from_dict(cls, noted: Mapping[str, Any], counts: Sequence[int]) -> Attributes:
        """Read what :meth:`to_dict` gave of so many nodes, hyperedges and incidences."""
        parts = {
            part: {_id_of(i, part, count): a for i, a in noted[part].items()}
            for part, count in zip(PARTS, counts)
        }
        return cls(network=noted["network"], network_type=noted["network_type"], **parts)


@dataclass(frozen=True, eq=False)
class Named:
    """A hypergraph with the names of its nodes, hyperedges and classes, and their attributes.

    Parameters
    ----------
    graph
        A hypergraph.
    node_names, hyperedge_names
        ``node_names[i]`` names node ``i``; all are distinct. By default the ids are the names.
    class_names
        ``class_names[k]`` names class ``k`` of the node data ``label``; empty if there are none.
    attributes
        Everything else that a file said.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> named = Named(hypergraph([[0, 1], [1, 2]]), ("ann", "bob", "cy"), ("x", "y"))
    >>> named.node_names.index("bob")
    1
    >>> list(Named(hypergraph([[0, 1]])).node_names)
    [0, 1]
    """

    graph: dgl.DGLGraph
    node_names: Sequence[Name] = ()
    hyperedge_names: Sequence[Name] = ()
    class_names: Sequence[str] = ()
    attributes: Attributes = field(default_factory=Attributes)

    def __post_init__(self) -> None:
        require_types(self.graph)
        for what in (NODE, HYPEREDGE):
            given, count = getattr(self, f"{what}_names"), self.graph.num_nodes(what)
            # The dataclass is frozen for its users, not for its own defaults.
            names = given if isinstance(given, range) else plain_names(given) or range(count)
            object.__setattr__(self, f"{what}_names", names)
            if len(names) != count:
                raise ValueError(
                    f"{len(names)} {what} names for {count} {what}s; give one for each"
                )
            require_distinct(names, f"{what} names")
        object.__setattr__(self, "class_names", tuple(self.class_names))
        require_distinct(self.class_names, "class names")
        self._check_class_names()
        for part, count in (
            ("nodes", self.graph.num_nodes(NODE)),
            ("hyperedges", self.graph.num_nodes(HYPEREDGE)),
            ("incidences", self.graph.num_edges(IN)),
        ):
            _check_ids(getattr(self.attributes, part), part, count)

    def _check_class_names(self) -> None:
        wrong = next((name for name in self.class_names if not isinstance(name, str)), None)
        if wrong is not None:
            raise TypeError(
                f"class name {wrong!r:.60} is a {type(wrong).__name__}; class names are strings"
            )
        labels, classes = self.labels, len(self.class_names)
        if not classes or labels is None or not len(labels):
            return
        if labels.dim() == 2:
            if labels.shape[1] != classes:
                raise ValueError(
                    f"the labels have {labels.shape[1]} columns, but there are {classes} class "
                    "names; a column is a class, so name every one"
                )
        elif int(labels.max()) >= classes:
            raise ValueError(
                f"the labels reach {int(labels.max())}, but there are {classes} class names; name "
                "every class"
            )

    @property
    def labels(self) -> Tensor | None:
        """The classes: node data ``label``, if the hypergraph has them."""
        found: Tensor | None = self.graph.nodes[NODE].data.get("label")
        return found

    def with_tensors(self) -> Named:
        """All that a folder holds: every tensor is data of the graph."""
        return self

    def __repr__(self) -> str:
        return (
            f"Named({len(self.node_names)} nodes, {len(self.hyperedge_names)} hyperedges, "
            f"{self.graph.num_edges(IN)} incidences)"
        )


Hypergraph = Union[dgl.DGLGraph, Named]


def as_named(graph: Hypergraph) -> Named:
    """Give the hypergraph with names; without any, ids are the names."""
    return graph if isinstance(graph, Named) else Named(graph)


class Numbering:
    """Ids for names, in the order of first sight; with ``known`` names, for those alone."""

    def __init__(self, what: str, known: Iterable[Name] | None = None) -> None:
        self.what, self.fixed = what, known is not None
        listed = () if known is None else plain_names(known)
        require_distinct(listed, f"{what} names")
        self._names = list(listed)
        self._ids = {hashed(name): position for position, name in enumerate(listed)}

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, name: object) -> bool:
        return hashed(name) in self._ids

    def __getitem__(self, name: Name) -> int:
        key = hashed(name)
        if key not in self._ids:
            if self.fixed:
                raise ValueError(
                    f"{self.what} {name!r} is unknown: it is not among the {len(self)} given "
                    f"{self.what} names; correct it or add it to them"
                )
            self._ids[key] = len(self._ids)
            self._names.append(name)
        return self._ids[key]

    @property
    def names(self) -> tuple[Name, ...]:
        """The names, in the order of their ids."""
        return tuple(self._names)


def hashed(name: Name) -> Hashable:
    """What to look a name up by: large integers can be chosen so that all have the same hash.

    Python's hash of an integer is its rest by 2**61 - 1; that of a word no one can foresee.

    Examples
    --------
    >>> hash(7 * (2**61 - 1)) == hash(8 * (2**61 - 1)), hashed(3), hashed(10**20)
    (True, 3, ('0x56bc75e2d63100000',))
    """
    if isinstance(name, (int, np.integer)) and abs(int(name)) >= 2**32:
        # In a tuple, or it would be the same as that word.
        return (hex(name),)
    return name


def plain_names(names: Iterable[Name]) -> tuple[Name, ...]:
    """Give names as they compare: the elements of a tensor are all different, even equal ones."""
    if isinstance(names, (Tensor, np.ndarray)):
        names = names.tolist()
    return tuple(name.item() if isinstance(name, Tensor) else name for name in names)


def _check_ids(attributes: AttributesById, part: str, count: int) -> None:
    for i in attributes:
        if not isinstance(i, (int, np.integer)) or not 0 <= i < count:
            raise ValueError(
                f"there are attributes of id {i!r:.60} among the {part}, whose ids are "
                f"integers below {count}; correct the id (not the name)"
            )


def _id_of(text: str, part: str, count: int) -> int:
    """An id that was written as a word; checked before it is a key, as in :func:`hashed`."""
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) < count):
        raise ValueError(
            f"there are attributes of id {text!r:.60} among the {part}, whose ids are integers "
            f"below {count}; correct the id (not the name)"
        )
    return int(text)


def is_numbered(names: Sequence[Name]) -> bool:
    """Whether the names are nothing but the ids."""
    return names == range(len(names))


def integer_names(names: Sequence[Name]) -> list[int] | None:
    """The numbers that the names are, if all are non-negative integers, as such or as text.

    Examples
    --------
    >>> integer_names(("2", "10")), integer_names((0, 1)), integer_names(("07",))
    ([2, 10], [0, 1], None)
    """
    numbers = []
    for name in names:
        text = str(name)
        is_text = isinstance(name, str) or (
            isinstance(name, (int, np.integer)) and not isinstance(name, bool)
        )
        if not (is_text and text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
            return None
        if str(int(text)) != text:
            return None
        numbers.append(int(text))
    return numbers if len(set(numbers)) == len(numbers) else None


def require_distinct(names: Sequence[Name], what: str) -> None:
    """Raise ``ValueError`` with the first repeated name, if there is one."""
    if isinstance(names, range) or len(set(map(hashed, names))) == len(names):
        return
    counts = Counter(map(hashed, names))
    repeated = next(name for name in names if counts[hashed(name)] > 1)
    raise ValueError(f"{what} must be distinct, but {repeated!r} occurs more than once")


def json_name(name: Name, what: str) -> str | int:
    """Give a name as JSON can hold it, a string or an integer, or raise ``TypeError``."""
    if isinstance(name, (int, np.integer)) and not isinstance(name, bool):
        return int(name)
    if isinstance(name, str):
        return str(name)
    raise TypeError(
        f"{what} name {name!r:.60} is a {type(name).__name__}; in JSON names are strings or "
        "integers, so rename it"
    )


def json_names(names: Sequence[Name], what: str) -> list[str | int] | None:
    """Names as JSON can hold them; None where they are nothing but the ids."""
    return None if is_numbered(names) else [json_name(name, what) for name in names]
