"""Cut exact blocks out of a hypergraph, the same ones in every process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import dgl
import torch
from torch import Tensor

from .build import CONTAINS, IN


def half_hop(
    graph: dgl.DGLGraph, etype: tuple[str, str, str], seeds: dict[str, Tensor]
) -> dgl.DGLGraph:
    """Block of all edges of one relation into the seeds, in the order of their ids."""
    edges = graph.in_edges(seeds[etype[2]], form="eid", etype=etype).sort().values
    none = torch.empty_like(edges[:0])
    chosen = {other: edges if other == etype else none for other in (IN, CONTAINS)}
    # On several threads DGL numbers the source nodes differently in each process.
    with one_thread():
        return dgl.to_block(dgl.edge_subgraph(graph, chosen, relabel_nodes=False), seeds)


@contextmanager
def one_thread() -> Iterator[None]:
    """Sample on one thread: DGL's draws repeat only so, and small draws are faster for it."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
