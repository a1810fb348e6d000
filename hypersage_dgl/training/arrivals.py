"""Nodes, hyperedges and members that arrive at a hypergraph, by name or id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, NamedTuple

import numpy as np
from torch import Tensor

from .._utils import IntArray
from ..hypergraphs import Weights, as_weights
from .roll import Roll

LISTS = "lists of names or ids, such as [[0, 3]]"


class Arrivals(NamedTuple):
    """What arrives: nodes with their hyperedges, new hyperedges, and members of old ones."""

    features: Tensor
    memberships: Sequence[Iterable[Any]]
    hyperedges: Sequence[Iterable[Any]] = ()
    incidences: Iterable[tuple[Any, Any]] = ()
    names: Sequence[str] = ()
    hyperedge_names: Sequence[str] = ()
    hyperedge_weight: Weights | None = None
    incidence_weight: Weights | None = None
    # A row for each new hyperedge, where hyperedges have features; None for rows of zeros.
    hyperedge_features: Tensor | None = None


def incidences_of(
    new: Arrivals, nodes: Roll, hyperedges: Roll
) -> tuple[IntArray, IntArray, np.ndarray[Any, Any]]:
    """Places of the nodes and hyperedges of all incidences that arrive, each once, in their order.

    Those of new nodes and hyperedges follow those of the rolls, whether removed or not. The third
    array has the incidences' weights; of a repeated one the first counts.
    """
    count = len(new.features)
    memberships = listed(new.memberships, "memberships", LISTS)
    members = listed(new.hyperedges, "hyperedges", LISTS)
    if len(memberships) != count:
        raise ValueError(
            f"{len(memberships)} lists of memberships for {count} new nodes; give one for each, "
            "empty where a node joins no hyperedge"
        )
    named = {name: i for i, name in enumerate(new.names)}
    edges_named = {name: i for i, name in enumerate(new.hyperedge_names)}
    found_nodes, found_edges = [], []
    for i, joined in enumerate(memberships):
        places = hyperedges.places(names_or_ids(joined, f"memberships[{i}]"))
        found_nodes.append(np.full(len(places), nodes.total + i, dtype=np.int64))
        found_edges.append(places)
    for i, given in enumerate(members):
        places = nodes.places(names_or_ids(given, f"hyperedges[{i}]"), count, named)
        if len(places) == 0:
            raise ValueError(f"new hyperedge {i} is empty; leave it out")
        found_nodes.append(places)
        found_edges.append(np.full(len(places), hyperedges.total + i, dtype=np.int64))
    pairs = pairs_of(new.incidences)
    found_nodes.append(nodes.places([node for node, _ in pairs], count, named))
    found_edges.append(hyperedges.places([e for _, e in pairs], len(members), edges_named))
    all_nodes, all_edges = np.concatenate(found_nodes), np.concatenate(found_edges)
    # By numpy, which is quicker than torch with as few as there are.
    keys = all_edges * (nodes.total + count) + all_nodes
    keep = np.sort(np.unique(keys, return_index=True)[1])
    weights = weights_of(new.incidence_weight, len(keys), "incidence_weight", "incidence")
    return all_nodes[keep], all_edges[keep], weights[keep]


def weights_of(given: Weights | None, count: int, name: str, what: str) -> np.ndarray[Any, Any]:
    """Weights of what arrives, 1 where none are given."""
    weights = as_weights(given, count, name, f"new {what}")
    return np.ones(count) if weights is None else weights.numpy()


def pairs_of(values: Any) -> list[tuple[Any, Any]]:
    """Pairs of a node and a hyperedge."""
    pairs = listed(values, "incidences", "pairs of a node and a hyperedge, such as [(0, 3)]")
    for i, pair in enumerate(pairs):
        if isinstance(pair, (str, bytes)) or not isinstance(pair, Sequence) or len(pair) != 2:
            raise TypeError(
                f"incidences[{i}] is {pair!r:.60}; it must be a node and a hyperedge, such as "
                "(0, 3)"
            )
    return [(node, hyperedge) for node, hyperedge in pairs]


def listed(values: Any, name: str, what: str) -> list[Any]:
    """A list of anything that has an order; a set of lists would give a node another's."""
    is_scalar = isinstance(values, (Tensor, np.ndarray)) and values.ndim == 0
    has_no_order = isinstance(values, (Mapping, Set, str, bytes)) or is_scalar
    if has_no_order or not isinstance(values, Iterable):
        raise TypeError(f"{name} is {values!r:.60}; it must be a list of {what}")
    return list(values)


def names_or_ids(values: Any, name: str) -> list[Any]:
    """A list of names or ids, of any collection."""
    what = "names or ids, such as [0, 3]"
    return listed(list(values) if isinstance(values, Set) else values, name, what)
