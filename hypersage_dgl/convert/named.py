"""What every converter speaks: a hypergraph with names and attributes; what a form would lose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Union

import dgl
import numpy as np
from torch import Tensor

from ..hypergraphs import HYPEREDGE, IN, NODE, require_types
from .names import Name, plain_names, require_distinct

AttributesById = Mapping[int, Mapping[str, Any]]
NETWORK_TYPES = ("undirected", "directed", "asc")
PARTS = ("nodes", "hyperedges", "incidences")


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


def refuse_weights(graph: dgl.DGLGraph, where: str, target: str) -> None:
    """Raise where weights on hyperedges or incidences would be lost without a word."""
    frame = graph.edges[IN].data if where == "incidence" else graph.nodes[HYPEREDGE].data
    if "weight" in frame:
        part = "edges['in']" if where == "incidence" else "nodes['hyperedge']"
        raise ValueError(
            f"the hypergraph has {where} weights, and {target} has no place for them; keep them "
            f"with write_hif or write_folder, or drop them: graph.{part}.data.pop('weight')"
        )


def refuse_nonpositive(graph: dgl.DGLGraph, target: str) -> None:
    """Raise where a weight is 0 or below, as HIF allows, and a form cannot hold it."""
    for what, frame in (
        ("incidence", graph.edges[IN].data),
        ("hyperedge", graph.nodes[HYPEREDGE].data),
    ):
        weight = frame.get("weight")
        if weight is not None and not bool((weight > 0).all()):
            place = int((weight <= 0).nonzero()[0])
            raise ValueError(
                f"{what} {place} has weight {float(weight[place]):g}, and {target} holds positive "
                "weights alone; keep it with write_hif or write_folder, or leave it out"
            )
