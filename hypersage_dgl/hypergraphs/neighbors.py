"""|N(v)|, the number of distinct nodes that share a hyperedge with v: exact, or by a sketch."""

from __future__ import annotations

from typing import Any

import dgl
import numpy as np
import torch
from scipy import sparse
from torch import Tensor

from .._utils import IntArray
from .build import CONTAINS, HYPEREDGE, IN, NODE
from .measure import incidences, require_types

# Name of the data of blocks, which cannot count them; a graph's own `num_neighbors` may be stale.
NUM_NEIGHBORS = "_num_neighbors"
# Entries of the clique matrix held at once by the exact count: about 100 MB.
EXACT_CHUNK = 8_000_000
REGISTERS = 256
# The sketch: a hyperedge of more members has registers of its own, 256 bytes.
FEW = 24
# What it holds at once: nodes with their registers, looks at a member, and registers to join.
NODE_CHUNK, SKETCH_CHUNK, LARGE_CHUNK = 16_384, 1_000_000, 65_536
INVERSE = np.exp2(-np.arange(256.0))
Registers = np.ndarray[Any, np.dtype[np.uint8]]


def num_neighbors(graph: dgl.DGLGraph, include_self: bool = True, method: str = "exact") -> Tensor:
    """Count the distinct neighbours |N(v)| of each node over all its hyperedges.

    Parameters
    ----------
    graph
        A hypergraph.
    include_self
        Whether v, a member of each of its hyperedges, counts as its own neighbour. An isolated
        node has no neighbour either way.
    method
        ``"exact"`` multiplies the incidence matrix with its transpose in chunks of rows: never
        the whole clique matrix, but its time grows with Σ|e|². ``"sketch"`` is a HyperLogLog of
        256 registers, merged from members to hyperedges to nodes: its time grows with Σ|e|, its
        standard error is 5 to 7 %.

    Returns
    -------
    Tensor
        int64 for ``"exact"``, float32 for ``"sketch"``, one for each node.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1, 2], [1, 2, 3]], num_nodes=5)
    >>> num_neighbors(g)
    tensor([3, 4, 4, 3, 0])
    >>> num_neighbors(g, include_self=False)
    tensor([2, 3, 3, 2, 0])
    """
    require_types(graph)
    # Both methods read both relations.
    found = incidences(graph)
    if method == "exact":
        counts = _exact(graph, *found)
    elif method == "sketch":
        counts = _sketch(graph)
    else:
        raise ValueError(f"method is {method!r}; it must be 'exact' or 'sketch'")
    if include_self:
        return counts
    return counts - (graph.in_degrees(etype=CONTAINS) > 0).to(counts.dtype)


def _exact(graph: dgl.DGLGraph, *found: Tensor) -> Tensor:
    nodes, edges = (ids.cpu().numpy() for ids in found)
    shape = (graph.num_nodes(NODE), graph.num_nodes(HYPEREDGE))
    # bool, so that a pair in 256 common hyperedges cannot wrap around to zero.
    incidence = sparse.csr_matrix((np.ones(len(nodes), dtype=bool), (nodes, edges)), shape=shape)
    transposed = incidence.T.tocsr()
    sizes = np.diff(transposed.indptr).astype(np.int64)
    counts = np.zeros(shape[0], dtype=np.int64)
    # Σ_e |e| over a node's hyperedges bounds its row of the product from above.
    bound = np.concatenate(([0], np.cumsum(incidence.astype(np.int64) @ sizes)))
    start = 0
    while start < shape[0]:
        stop = int(np.searchsorted(bound, bound[start] + EXACT_CHUNK, side="right")) - 1
        stop = min(max(stop, start + 1), shape[0])
        counts[start:stop] = np.diff((incidence[start:stop] @ transposed).indptr)
        start = stop
    return torch.from_numpy(counts).to(graph.device)


def _sketch(graph: dgl.DGLGraph) -> Tensor:
    """Every node's registers, a chunk of nodes at a time, from what its hyperedges hold.

    Members of a small hyperedge are looked at one by one, as often as it has nodes; a large one has
    registers of its own, so that time and memory grow with the incidences and never with |e|².
    """
    first, members = _by_destination(graph, IN)
    start, hyperedges = _by_destination(graph, CONTAINS)
    register, rank = _hash(graph.num_nodes(NODE))
    hashed = (register.astype(np.uint16) << 8) | rank.astype(np.uint16)
    # By hyperedge, so that the members of one lie side by side.
    hashed = hashed[members]
    sizes = np.diff(first)
    large = np.flatnonzero(sizes > FEW)
    place = np.full(len(sizes), -1, dtype=np.int64)
    place[large] = np.arange(len(large))
    of_large = np.zeros((len(large), REGISTERS), dtype=np.uint8)
    for some in np.array_split(large, max(1, int(sizes[large].sum()) // SKETCH_CHUNK)):
        if len(some):
            _raise(of_large.reshape(-1), place[some], first[some], sizes[some], hashed)
    counts = np.zeros(graph.num_nodes(NODE), dtype=np.float32)
    for begin in range(0, len(counts), NODE_CHUNK):
        end = min(begin + NODE_CHUNK, len(counts))
        found = np.zeros((end - begin, REGISTERS), dtype=np.uint8)
        # Hubs among them have many hyperedges, which come in parts.
        for low in range(int(start[begin]), int(start[end]), SKETCH_CHUNK):
            part = hyperedges[low : min(low + SKETCH_CHUNK, int(start[end]))]
            node = np.searchsorted(start[begin : end + 1], low + np.arange(len(part)), "right") - 1
            is_few = place[part] < 0
            few = part[is_few]
            _raise(found.reshape(-1), node[is_few], first[few], sizes[few], hashed)
            _join(found, node[~is_few], of_large, place[part[~is_few]])
        counts[begin:end] = _estimate(found)
    counts[np.diff(start) == 0] = 0
    return torch.from_numpy(counts).to(graph.device)


def _by_destination(graph: dgl.DGLGraph, etype: tuple[str, str, str]) -> tuple[IntArray, IntArray]:
    """Where the sources of each destination begin, and the sources."""
    starts, sources, _ = graph.adj_tensors("csc", etype)
    return starts.cpu().numpy().astype(np.int64, copy=False), sources.cpu().numpy()


def _raise(
    found: Registers, node: IntArray, first: IntArray, sizes: IntArray, hashed: np.ndarray[Any, Any]
) -> None:
    """Raise the registers of nodes to what the members of their hyperedges have."""
    for part in np.array_split(np.arange(len(node)), max(1, int(sizes.sum()) // SKETCH_CHUNK)):
        lengths = sizes[part]
        ends = np.cumsum(lengths)
        if len(ends) == 0:
            continue
        places = np.repeat(first[part] - ends + lengths, lengths)
        places += np.arange(int(ends[-1]))
        met = hashed[places]
        flat = np.repeat(node[part] * REGISTERS, lengths)
        flat += met >> 8
        np.maximum.at(found, flat, (met & 0xFF).astype(np.uint8))


def _join(found: Registers, node: IntArray, of_large: Registers, place: IntArray) -> None:
    """Raise the registers of nodes, in ascending order, to those of their large hyperedges."""
    for low in range(0, len(node), LARGE_CHUNK):
        own, rows = node[low : low + LARGE_CHUNK], of_large[place[low : low + LARGE_CHUNK]]
        starts = np.flatnonzero(np.diff(own, prepend=-1))
        best = np.maximum.reduceat(rows, starts, axis=0)
        found[own[starts]] = np.maximum(found[own[starts]], best)


def _estimate(found: Registers) -> np.ndarray[Any, np.dtype[np.float32]]:
    """How many distinct nodes filled the registers of each row."""
    empty = REGISTERS - np.count_nonzero(found, axis=1)
    linear = REGISTERS * np.log(REGISTERS / np.maximum(empty, 1))
    # Few neighbours leave registers empty; counting those is the better estimate then. The sum
    # below is at least their number, so with many of them it need not be taken.
    factor = 0.7213 / (1 + 1.079 / REGISTERS) * REGISTERS**2
    is_full = np.flatnonzero(empty <= factor / (2.5 * REGISTERS))
    raw = factor / INVERSE[found[is_full]].sum(axis=1)
    is_many = (raw > 2.5 * REGISTERS) | (empty[is_full] == 0)
    linear[is_full[is_many]] = raw[is_many]
    return linear.astype(np.float32)


def _hash(count: int) -> tuple[Registers, Registers]:
    """Register and rank (leading zeros plus one) of each node id, by the splitmix64 mixer."""
    with np.errstate(over="ignore"):
        z = (np.arange(count, dtype=np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    register = (z % np.uint64(REGISTERS)).astype(np.uint8)
    rest = (z // np.uint64(REGISTERS)).astype(np.float64)
    bits = 64 - int(np.log2(REGISTERS))
    rank = bits - np.floor(np.log2(np.maximum(rest, 0.5)))
    return register, rank.astype(np.uint8)
