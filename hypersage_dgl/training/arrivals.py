"""Nodes that arrive: cut their receptive field out of a hypergraph that has not grown yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, NamedTuple

import dgl
import numpy as np
import torch
from torch import Tensor

from .._utils import GraphCache, IntArray, take_rows
from ..hypergraphs import (
    HYPEREDGE,
    IN,
    NODE,
    as_ids,
    check_relations,
    first_occurrences,
    hypergraph_from_incidence,
    incidences,
)


class NewNodes(NamedTuple):
    """Nodes that arrive, the hyperedges that they join, and those that arrive with them."""

    features: Tensor
    memberships: Sequence[Iterable[int]]
    hyperedges: Sequence[Iterable[int]]


class Surroundings:
    """A hypergraph indexed from both sides, to walk it outwards from a few nodes.

    Ids of new nodes and new hyperedges follow those of the hypergraph.
    """

    def __init__(self, graph: dgl.DGLGraph, feat: Tensor) -> None:
        check_relations(graph, GraphCache())
        self.num_nodes, self.num_hyperedges = graph.num_nodes(NODE), graph.num_nodes(HYPEREDGE)
        nodes, edges = (ids.cpu().numpy() for ids in incidences(graph))
        self.of_node = _Lists(nodes, edges, self.num_nodes)
        self.of_hyperedge = _Lists(edges, nodes, self.num_hyperedges)
        self.feat, self.device, self.idtype = feat, graph.device, graph.idtype
        self.weight = _numpy(graph.nodes[HYPEREDGE].data.get("weight"))
        self.incidence_weight = _numpy(graph.edges[IN].data.get("weight"))

    def around(self, new: NewNodes, depth: int) -> tuple[dgl.DGLGraph, Tensor]:
        """Hypergraph and features that give ``depth`` layers the exact result at the new nodes.

        The new nodes come first. Kept are the hyperedges of all nodes less than ``depth`` steps
        away, each with all its members.
        """
        nodes, edges = self._arrivals(new)
        count = len(new.features)
        near = np.arange(self.num_nodes, self.num_nodes + count)
        hyperedges: IntArray = np.empty(0, dtype=np.int64)
        for _ in range(depth):
            joined = edges[np.isin(nodes, near)]
            hyperedges = np.unique(np.concatenate((hyperedges, joined, self._of_nodes(near))))
            old_nodes, old_edges, _ = self._members(hyperedges)
            near = np.unique(np.concatenate((near, old_nodes, nodes[np.isin(edges, hyperedges)])))
        old_nodes, old_edges, rows = self._members(hyperedges)
        # In the order of the hypergraph, which an LSTM reads.
        order = np.argsort(rows)
        old_nodes, old_edges, rows = old_nodes[order], old_edges[order], rows[order]
        arrives = np.isin(edges, hyperedges)
        all_nodes = np.concatenate((old_nodes, nodes[arrives]))
        all_edges = np.concatenate((old_edges, edges[arrives]))
        kept = np.concatenate((near[near >= self.num_nodes], near[near < self.num_nodes]))
        return self._graph(kept, all_nodes, all_edges, hyperedges, rows), self._features(new, kept)

    def _graph(
        self,
        kept: IntArray,
        nodes: IntArray,
        edges: IntArray,
        hyperedges: IntArray,
        rows: IntArray,
    ) -> dgl.DGLGraph:
        order = np.argsort(kept)
        local = order[np.searchsorted(kept, nodes, sorter=order)]
        weight = None
        if self.weight is not None:
            old = hyperedges < self.num_hyperedges
            weight = np.ones(len(hyperedges), dtype=self.weight.dtype)
            weight[old] = self.weight[hyperedges[old]]
        incidence_weight = None
        if self.incidence_weight is not None:
            incidence_weight = np.ones(len(nodes), dtype=self.incidence_weight.dtype)
            incidence_weight[: len(rows)] = self.incidence_weight[rows]
        return hypergraph_from_incidence(
            local,
            np.searchsorted(hyperedges, edges),
            len(kept),
            len(hyperedges),
            hyperedge_weight=weight,
            incidence_weight=incidence_weight,
            idtype=self.idtype,
            device=self.device,
        )

    def _features(self, new: NewNodes, kept: IntArray) -> Tensor:
        old = torch.from_numpy(kept[len(new.features) :]).to(self.feat.device)
        return torch.cat((new.features.to(self.feat), take_rows(self.feat, old)))

    def _arrivals(self, new: NewNodes) -> tuple[IntArray, IntArray]:
        """Incidences that the new nodes and hyperedges bring, each once, in their order."""
        count = len(new.features)
        memberships = _listed(new.memberships, "memberships", "lists of ids, such as [[0, 3]]")
        hyperedges = _listed(new.hyperedges, "hyperedges", "lists of ids, such as [[0, 3]]")
        if len(memberships) != count:
            raise ValueError(
                f"{len(memberships)} lists of memberships for {count} new nodes; give one for "
                "each, empty where a node joins no hyperedge"
            )
        nodes, edges = [], []
        for i, joined in enumerate(memberships):
            ids = as_ids(_ids(joined, f"memberships[{i}]"), HYPEREDGE, self.num_hyperedges)
            nodes.append(torch.full_like(ids, self.num_nodes + i))
            edges.append(ids)
        for i, members in enumerate(hyperedges):
            ids = as_ids(_ids(members, f"hyperedges[{i}]"), NODE, self.num_nodes + count)
            if len(ids) == 0:
                raise ValueError(f"new hyperedge {i} is empty; leave it out")
            nodes.append(ids)
            edges.append(torch.full_like(ids, self.num_hyperedges + i))
        none = torch.empty(0, dtype=torch.int64)
        all_nodes, all_edges = torch.cat((none, *nodes)), torch.cat((none, *edges))
        keep = first_occurrences(all_nodes, all_edges, self.num_nodes + count)
        return all_nodes[keep].numpy(), all_edges[keep].numpy()

    def _of_nodes(self, nodes: IntArray) -> IntArray:
        return self.of_node.values(nodes[nodes < self.num_nodes])[0]

    def _members(self, hyperedges: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """Members, hyperedge and incidence id of the old incidences of some hyperedges."""
        old = hyperedges[hyperedges < self.num_hyperedges]
        members, rows = self.of_hyperedge.values(old)
        return members, np.repeat(old, self.of_hyperedge.lengths(old)), rows


class _Lists:
    """For each key its values, in order, with their positions."""

    def __init__(self, keys: IntArray, values: IntArray, count: int) -> None:
        self.order = np.argsort(keys, kind="stable")
        self.sorted = values[self.order]
        self.starts = np.concatenate(([0], np.cumsum(np.bincount(keys, minlength=count))))

    def lengths(self, keys: IntArray) -> IntArray:
        return self.starts[keys + 1] - self.starts[keys]

    def values(self, keys: IntArray) -> tuple[IntArray, IntArray]:
        lengths = self.lengths(keys)
        within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        places = np.repeat(self.starts[keys], lengths) + within
        return self.sorted[places], self.order[places]


def _listed(values: Any, name: str, what: str) -> list[Any]:
    """A list of anything that has an order; a set of lists would give a node another's."""
    is_scalar = isinstance(values, (Tensor, np.ndarray)) and values.ndim == 0
    has_no_order = isinstance(values, (Mapping, Set, str, bytes)) or is_scalar
    if has_no_order or not isinstance(values, Iterable):
        raise TypeError(f"{name} is {values!r:.60}; it must be a list of {what}")
    return list(values)


def _ids(values: Any, name: str) -> list[int]:
    return _listed(list(values) if isinstance(values, Set) else values, name, "ids, such as [0, 3]")


def _numpy(values: Tensor | None) -> np.ndarray | None:
    return None if values is None else values.detach().cpu().numpy()
