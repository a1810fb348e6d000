"""|N(v)|, the number of distinct nodes that share a hyperedge with v: exact, or by a sketch."""

from __future__ import annotations

import dgl
import dgl.function as fn
import numpy as np
import torch
from scipy import sparse
from torch import Tensor

from .build import CONTAINS, HYPEREDGE, IN, NODE
from .measure import incidences, require_types

# Name of the data of blocks, which cannot count them; a graph's own `num_neighbors` may be stale.
NUM_NEIGHBORS = "_num_neighbors"
# Entries of the clique matrix held at once by the exact count: about 100 MB.
EXACT_CHUNK = 8_000_000
REGISTERS = 256
# Registers held at once by the sketch; DGL's max runs on floats.
REGISTER_CHUNK = 32


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
        256 registers made of two message-passing stages with ``max``: its time grows with Σ|e|,
        its standard error is 5 to 7 %.

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
    # The sketch passes messages along both relations, so it looks too.
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
    register, rank = _hash(graph.num_nodes(NODE))
    register, rank = register.to(graph.device), rank.to(graph.device)
    inverse_sum = torch.zeros(graph.num_nodes(NODE), device=graph.device)
    empty = torch.zeros_like(inverse_sum)
    # Not a local_scope, which other threads would see the data of.
    graph = graph.local_var()
    for start in range(0, REGISTERS, REGISTER_CHUNK):
        columns = torch.arange(start, start + REGISTER_CHUNK, device=graph.device)
        graph.nodes[NODE].data["_r"] = torch.where(
            register[:, None] == columns, rank[:, None], rank.new_zeros(())
        )
        for etype in (IN, CONTAINS):
            graph.update_all(fn.copy_u("_r", "_m"), fn.max("_m", "_r"), etype=etype)
        best = graph.nodes[NODE].data["_r"]
        inverse_sum += torch.exp2(-best).sum(dim=1)
        empty += (best == 0).sum(dim=1)
    raw = 0.7213 / (1 + 1.079 / REGISTERS) * REGISTERS**2 / inverse_sum
    # Few neighbours leave registers empty; counting those is the better estimate then.
    linear = REGISTERS * torch.log(REGISTERS / empty.clamp(min=1))
    counts = torch.where((raw <= 2.5 * REGISTERS) & (empty > 0), linear, raw)
    return torch.where(graph.in_degrees(etype=CONTAINS) > 0, counts, counts.new_zeros(()))


def _hash(count: int) -> tuple[Tensor, Tensor]:
    """Register and rank (leading zeros plus one) of each node id, by the splitmix64 mixer."""
    with np.errstate(over="ignore"):
        z = (np.arange(count, dtype=np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    register = (z % np.uint64(REGISTERS)).astype(np.int64)
    rest = (z // np.uint64(REGISTERS)).astype(np.float64)
    bits = 64 - int(np.log2(REGISTERS))
    rank = bits - np.floor(np.log2(np.maximum(rest, 0.5)))
    return torch.from_numpy(register), torch.from_numpy(rank.astype(np.float32))
