"""Sets of nodes that are no hyperedges, drawn as the literature draws them.

The three ways are those of Patil et al., Negative Sampling for Hyperlink Prediction in Networks
(PAKDD 2020), from the easiest to the hardest to tell from a hyperedge.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeVar

import dgl
import numpy as np

from ..hypergraphs import NODE
from .held_out import NodeSet, member_sets

Item = TypeVar("Item")
NEGATIVES = ("sized", "motif", "clique")
# Draws of a set before it is said that there is none.
TRIES = 200
# Draws of a neighbour before all of them are listed.
FEW = 8


class NegativeSampler:
    """Draw sets of nodes that are no hyperedges, each of the size of a positive.

    Three kinds: ``"sized"``, any nodes. ``"motif"``, nodes that are connected in the clique
    expansion: from a member of a hyperedge on, one neighbour of those chosen after the other.
    ``"clique"``, the positive with one member replaced by a node that shares a hyperedge with each
    of the others. Where there is no such motif or node, any nodes take the missing places.

    Parameters
    ----------
    g
        The hypergraph whose neighbours count; in training that of ``HyperedgeSplit.graph``, which
        has no held-out hyperedge.
    real
        Sets that must not come out, ``HyperedgeSplit.real``; by default those of ``g``.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> sampler = NegativeSampler(hypergraph([[0, 1, 2], [1, 2, 3], [0, 3], [5, 6]]))
    >>> sampler.draw("clique", [(0, 1, 2)]) in ([(0, 1, 3)], [(0, 2, 3)])
    True
    """

    def __init__(self, g: dgl.DGLGraph, real: Collection[NodeSet] | None = None) -> None:
        every = member_sets(g)
        self.num_nodes = int(g.num_nodes(NODE))
        self.real = frozenset(every if real is None else real)
        self.sets = [members for members in every if len(members) > 1]
        self.edges_of: dict[int, list[int]] = {}
        for edge, members in enumerate(self.sets):
            for node in members:
                self.edges_of.setdefault(node, []).append(edge)
        self._neighbors: dict[int, list[int]] = {}
        self._sets: dict[int, frozenset[int]] = {}

    def draw(self, kind: str, positives: Sequence[NodeSet], seed: int = 0) -> list[NodeSet]:
        """Draw a negative of a kind for each positive, all decided by the seed."""
        if kind not in NEGATIVES:
            raise ValueError(f"kind is {kind!r:.40}; it must be one of {', '.join(NEGATIVES)}")
        if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
            raise ValueError(f"seed is {seed!r:.40}; it must be a non-negative integer")
        for i, positive in enumerate(positives):
            if len(positive) == 0:
                raise ValueError(f"positive {i} is empty; leave it out")
            # One with more nodes than there are is named below.
            if not 0 <= min(positive) <= max(positive) < max(self.num_nodes, len(positive)):
                raise ValueError(
                    f"positive {i} is {positive!r:.60}; nodes go from 0 to {self.num_nodes - 1}"
                )
        generator = np.random.default_rng(seed)
        return [self._one(kind, positive, generator) for positive in positives]

    def neighbors(self, node: int) -> Sequence[int]:
        """Nodes that share a hyperedge with a node, ascending."""
        if node not in self._neighbors:
            edges = self.edges_of.get(node, ())
            self._neighbors[node] = sorted({v for e in edges for v in self.sets[e]} - {node})
        return self._neighbors[node]

    def _set_of_neighbors(self, node: int) -> frozenset[int]:
        if node not in self._sets:
            self._sets[node] = frozenset(self.neighbors(node))
        return self._sets[node]

    def _one(self, kind: str, positive: NodeSet, generator: np.random.Generator) -> NodeSet:
        if len(positive) > self.num_nodes:
            raise ValueError(
                f"a negative of {len(positive)} nodes was asked for, and there are {self.num_nodes}"
            )
        draw = {"sized": _nothing, "motif": self._motif, "clique": self._clique}[kind]
        for attempt in range(TRIES):
            chosen = draw(positive, generator)
            if 2 * attempt >= TRIES and len(chosen) == len(positive):
                # All motifs of that size may be hyperedges, as where these are apart.
                chosen.discard(_any(sorted(chosen), generator))
            while len(chosen) < len(positive):
                chosen.add(int(generator.integers(self.num_nodes)))
            drawn = tuple(sorted(chosen))
            if drawn not in self.real:
                return drawn
        raise ValueError(
            f"no negative of {len(positive)} nodes was found in {TRIES} draws of kind {kind!r}: "
            "nearly all such sets are hyperedges"
        )

    def _motif(self, positive: NodeSet, generator: np.random.Generator) -> set[int]:
        if not self.sets:
            return set()
        chosen = [_any(_any(self.sets, generator), generator)]
        while len(chosen) < len(positive):
            added = self._beside(chosen, generator)
            if added is None:
                break
            chosen.append(added)
        return set(chosen)

    def _beside(self, chosen: list[int], generator: np.random.Generator) -> int | None:
        """A neighbour of a node that is chosen; None if all of them are chosen as well."""
        for _ in range(FEW):
            beside = self.neighbors(_any(chosen, generator))
            added = _any(beside, generator)
            if added not in chosen:
                return added
        around = sorted(set().union(*map(self.neighbors, chosen)) - set(chosen))
        return _any(around, generator) if around else None

    def _clique(self, positive: NodeSet, generator: np.random.Generator) -> set[int]:
        for place in generator.permutation(len(positive)).tolist():
            rest = {*positive[:place], *positive[place + 1 :]}
            if not rest:
                break
            # From the fewest on: a hub has thousands.
            few, *more = sorted(map(self._set_of_neighbors, rest), key=len)
            shared = sorted(few.intersection(*more) - set(positive))
            # In random order, up to the first that makes no hyperedge.
            for i in generator.permutation(len(shared)).tolist():
                if _as_set(rest, shared[i]) not in self.real:
                    return {*rest, shared[i]}
        place = int(generator.integers(len(positive)))
        return {*positive[:place], *positive[place + 1 :]}


def _as_set(nodes: set[int], added: int) -> NodeSet:
    return tuple(sorted((*nodes, added)))


def _nothing(positive: NodeSet, generator: np.random.Generator) -> set[int]:
    return set()


def _any(items: Sequence[Item], generator: np.random.Generator) -> Item:
    return items[int(generator.integers(len(items)))]
