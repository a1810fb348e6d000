"""A hypergraph to walk outwards from a few nodes, which grows and shrinks in small steps."""

from __future__ import annotations

from threading import Lock
from types import MappingProxyType
from typing import Any, NamedTuple

import dgl
import numpy as np
import torch
from torch import Tensor

from ..._utils import GraphCache, IntArray
from ...convert import Named
from ...hypergraphs import (
    HYPEREDGE,
    IN,
    NODE,
    check_relations,
    hypergraph_from_incidence,
    incidences,
)
from .arrivals import (
    LISTS,
    Arrivals,
    Attached,
    Committed,
    Roll,
    incidences_of,
    listed,
    names_or_ids,
    pairs_of,
    weights_of,
)
from .growing import GrowingArray, GrowingColumns, GrowingLists, GrowingRows, Rows

# Incidences that may be outside of the index, or dead in it, before it is made again.
LOOSE = 10_000
# Features that hyperedges arrive without are zeros, of which a linear map changes nothing.
FEAT, WEIGHT = "feat", "weight"
# What an incidence arrives with.
OF_INCIDENCES = MappingProxyType({WEIGHT: 1.0, "role": 0, "direction": 0})
NOTHING: IntArray = np.empty(0, dtype=np.int64)


class Arriving(NamedTuple):
    """Incidences that are not in the index, by their ends, and the data of new hyperedges."""

    nodes: IntArray
    edges: IntArray
    rows: Rows


class Surroundings:
    """A hypergraph indexed from both sides, in which each call of a thread is alone.

    Incidences keep their order, which an LSTM reads; those that arrive come last.
    """

    def __init__(self, named: Named, feat: Tensor) -> None:
        graph = named.graph
        check_relations(graph, GraphCache())
        self._lock = Lock()
        self._device, self._idtype, self.rows = graph.device, graph.idtype, GrowingRows(feat)
        self.nodes = Roll(NODE, graph.num_nodes(NODE), named.node_names)
        self.hyperedges = Roll(HYPEREDGE, graph.num_nodes(HYPEREDGE), named.hyperedge_names)
        self._row_of = GrowingArray(np.arange(self.nodes.total))
        self._of_edges = GrowingColumns(graph.nodes[HYPEREDGE].data, {WEIGHT: 1.0, FEAT: 0.0})
        self._of_incidences = GrowingColumns(graph.edges[IN].data, OF_INCIDENCES)
        self._index(*(ids.cpu().numpy().astype(np.int64) for ids in incidences(graph)))

    def around(self, new: Arrivals, depth: int) -> tuple[dgl.DGLGraph, Tensor]:
        """Hypergraph and features that give ``depth`` layers the exact result at the new nodes.

        The new nodes come first. Kept are the hyperedges of all nodes less than ``depth`` steps
        away, each with all its members.
        """
        with self._lock:
            new = new._replace(hyperedges=listed(new.hyperedges, "hyperedges", LISTS))
            self.nodes.check_new(new.names, len(new.features), "names", is_kept=False)
            nodes, edges, _ = incidences_of(new, self.nodes, self.hyperedges)
            rows = self._of_edges.rows(len(new.hyperedges), {FEAT: new.hyperedge_features})
            seeds = self.nodes.total + np.arange(len(new.features))
            kept, graph = self._walk(seeds, depth, Arriving(nodes, edges, rows))
            old = self.rows.take(self._row_of.values[kept[len(seeds) :]])
        return graph, torch.cat((new.features.to(old), old))

    def around_places(self, values: Any, depth: int) -> tuple[dgl.DGLGraph, Tensor, Tensor]:
        """The same for nodes that are there, by name or id, and where each of them is."""
        with self._lock:
            places = self.nodes.places(names_or_ids(values, "nodes"))
            seeds, order = np.unique(places, return_inverse=True)
            kept, graph = self._walk(seeds, depth, self._nothing())
            feat = self.rows.take(self._row_of.values[kept])
        return graph, feat, torch.from_numpy(order.reshape(-1))

    def commit(self, new: Arrivals) -> Committed:
        """Take nodes, hyperedges and incidences in; all of them, or after an error none."""
        with self._lock:
            new = new._replace(hyperedges=listed(new.hyperedges, "hyperedges", LISTS))
            count, more = len(new.features), len(new.hyperedges)
            self.nodes.check_new(new.names, count, "names")
            self.hyperedges.check_new(new.hyperedge_names, more, "hyperedge_names")
            self._check_weighted(new)
            weight = weights_of(new.hyperedge_weight, more, "hyperedge_weight", HYPEREDGE)
            rows = self._of_edges.rows(more, {WEIGHT: weight, FEAT: new.hyperedge_features})
            found = incidences_of(new, self.nodes, self.hyperedges)
            is_new = ~self._is_known(*found[:2])
            nodes, edges, incidence_weight = (each[is_new] for each in found)
            self._row_of.append(np.arange(len(self.rows), len(self.rows) + count))
            self.rows.append(new.features)
            self._of_node.append(nodes, len(self._node))
            self._of_hyperedge.append(edges, len(self._node))
            self._node.append(nodes)
            self._hyperedge.append(edges)
            self._is_there.append(np.ones(len(nodes), dtype=bool))
            self._of_edges.append(rows)
            rows = self._of_incidences.rows(len(nodes), {WEIGHT: incidence_weight})
            self._of_incidences.append(rows)
            ids = self.nodes.add(count, new.names), self.hyperedges.add(more, new.hyperedge_names)
            self._tidy()
            return Committed(*ids)

    def remove(self, nodes: Any, hyperedges: Any, incidences: Any) -> None:
        """Remove nodes, hyperedges and single incidences; all of them, or after an error none."""
        with self._lock:
            node_places = self.nodes.places(names_or_ids(nodes, "nodes"))
            edge_places = self.hyperedges.places(names_or_ids(hyperedges, "hyperedges"))
            gone = [self._position(*pair) for pair in pairs_of(incidences)]
            is_there = self._is_there.values
            is_there[np.array(gone, dtype=np.int64)] = False
            is_there[self._of_node.positions(node_places)] = False
            is_there[self._of_hyperedge.positions(edge_places)] = False
            self.nodes.remove(node_places)
            self.hyperedges.remove(edge_places)
            self._tidy()

    def attached(self) -> Attached:
        """The hypergraph as it is now."""
        with self._lock:
            positions = np.flatnonzero(self._is_there.values)
            there = self.nodes.there
            graph = self._graph(there, self.hyperedges.there, positions, self._nothing())
            feat = self.rows.select(self._row_of.values[there])
            return Attached(graph, feat, self.nodes.names, self.hyperedges.names)

    def _index(self, nodes: IntArray, edges: IntArray) -> None:
        self._node, self._hyperedge = GrowingArray(nodes), GrowingArray(edges)
        self._is_there = GrowingArray(np.ones(len(nodes), dtype=bool))
        self._of_node = GrowingLists(nodes, self.nodes.total)
        self._of_hyperedge = GrowingLists(edges, self.hyperedges.total)

    def _tidy(self) -> None:
        """Index again once much is outside of the index or dead: each step pays a part of that."""
        indexed = self._of_node.indexed
        loose = 2 * len(self._node) - indexed - int(np.count_nonzero(self._is_there.values))
        dead = self.nodes.total - self.nodes.count + self.hyperedges.total - self.hyperedges.count
        if loose + dead <= max(LOOSE, indexed // 2):
            return
        positions = np.flatnonzero(self._is_there.values)
        there, ends = (self.nodes.there, self.hyperedges.there), (self._node, self._hyperedge)
        places = [np.searchsorted(t, end.values[positions]) for t, end in zip(there, ends)]
        self._of_edges.keep(there[1])
        self._of_incidences.keep(positions)
        self._row_of = GrowingArray(self.rows.keep(self._row_of.values[there[0]]))
        self.nodes = Roll(NODE, self.nodes.count, self.nodes.names)
        self.hyperedges = Roll(HYPEREDGE, self.hyperedges.count, self.hyperedges.names)
        self._index(*places)

    def _nothing(self) -> Arriving:
        return Arriving(NOTHING, NOTHING, self._of_edges.rows(0))

    def _check_weighted(self, new: Arrivals) -> None:
        """Refuse weights where the hypergraph has none: the old ones would have to get some."""
        for there, given, name in (
            (self._of_edges, new.hyperedge_weight, "hyperedge_weight"),
            (self._of_incidences, new.incidence_weight, "incidence_weight"),
        ):
            if given is not None and WEIGHT not in there:
                raise ValueError(
                    f"{name} is given, but the attached hypergraph has none; leave it out, or "
                    "attach one with weights, of 1 for all"
                )

    def _is_known(self, nodes: IntArray, edges: IntArray) -> np.ndarray[Any, Any]:
        """Which incidences are there already; few of them can be."""
        known = (nodes < self.nodes.total) & (edges < self.hyperedges.total)
        for i in np.flatnonzero(known).tolist():
            known[i] = len(self._at(nodes[i], edges[i])) > 0
        return known

    def _at(self, node: int, edge: int) -> IntArray:
        positions = self._there(self._of_node.positions(np.array([node])))
        return positions[self._hyperedge.values[positions] == edge]

    def _position(self, node: Any, hyperedge: Any) -> int:
        [node_place], [place] = self.nodes.places([node]), self.hyperedges.places([hyperedge])
        found = self._at(int(node_place), int(place))
        if len(found) == 0:
            raise ValueError(f"node {node!r} is not in hyperedge {hyperedge!r}")
        return int(found[0])

    def _there(self, positions: IntArray) -> IntArray:
        return positions[self._is_there.values[positions]]

    def _walk(self, seeds: IntArray, depth: int, new: Arriving) -> tuple[IntArray, dgl.DGLGraph]:
        """What the seeds see, them first, with what arrives."""
        near, hyperedges = np.unique(seeds), NOTHING
        for _ in range(depth):
            old = self._there(self._of_node.positions(near[near < self.nodes.total]))
            joined = new.edges[np.isin(new.nodes, near)]
            hyperedges = np.union1d(hyperedges, np.append(joined, self._hyperedge.values[old]))
            positions = self._members(hyperedges)
            seen = np.isin(new.edges, hyperedges)
            arrive = Arriving(new.nodes[seen], new.edges[seen], new.rows)
            near = np.union1d(near, np.append(self._node.values[positions], arrive.nodes))
        kept = np.concatenate((seeds, near[~np.isin(near, seeds)]))
        return kept, self._graph(kept, hyperedges, np.sort(positions), arrive)

    def _members(self, hyperedges: IntArray) -> IntArray:
        known = hyperedges[hyperedges < self.hyperedges.total]
        return self._there(self._of_hyperedge.positions(known))

    def _graph(
        self, kept: IntArray, hyperedges: IntArray, positions: IntArray, new: Arriving
    ) -> dgl.DGLGraph:
        """The hypergraph of some places, with what arrives."""
        nodes = np.concatenate((self._node.values[positions], new.nodes)).astype(np.int64)
        edges = np.concatenate((self._hyperedge.values[positions], new.edges)).astype(np.int64)
        order, of_edges = np.argsort(kept), self._of_edges.take(hyperedges, new.rows)
        places = np.concatenate((positions, len(self._node) + np.arange(len(new.nodes))))
        usual = self._of_incidences.rows(len(new.nodes))
        of_incidences = self._of_incidences.take(places, usual)
        graph = hypergraph_from_incidence(
            order[np.searchsorted(kept, nodes, sorter=order)],
            np.searchsorted(hyperedges, edges),
            len(kept),
            len(hyperedges),
            hyperedge_weight=of_edges.get(WEIGHT),
            incidence_weight=of_incidences.get(WEIGHT),
            idtype=self._idtype,
            device=self._device,
            allow_empty=True,
        )
        for key in of_incidences.keys() - {WEIGHT}:
            graph.edges[IN].data[key] = torch.from_numpy(of_incidences[key]).to(self._device)
        if FEAT in of_edges:
            graph.nodes[HYPEREDGE].data[FEAT] = torch.from_numpy(of_edges[FEAT]).to(self._device)
        return graph
