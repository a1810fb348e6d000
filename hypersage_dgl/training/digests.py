"""Tell features and hypergraph of a run from others, so that it is not resumed on those."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

import dgl
import torch
from torch import Tensor

from .._utils import is_sparse
from ..hypergraphs import CONTAINS, HYPEREDGE, IN


def digests(batches: Any) -> dict[str, str | None]:
    """SHA-256 of the features and of the hypergraph that batches hold; None where they do not say.

    What is learned beside the model, such as features that need a gradient, is another number
    after every epoch and left out.

    Examples
    --------
    >>> import torch
    >>> from hypersage_dgl import hypergraph
    >>> from hypersage_dgl.training import FullGraph
    >>> parts = hypergraph([[0, 1]]), torch.eye(2), torch.tensor([0, 1]), torch.tensor([0])
    >>> digests(FullGraph(*parts)) == digests(FullGraph(*parts))
    True
    """
    feat, graph = getattr(batches, "feat", None), getattr(batches, "graph", None)
    return {
        "features": _sha256(_parts(feat)) if isinstance(feat, Tensor) else None,
        "hypergraph": None if graph is None else _sha256(_structure(graph)),
    }


def _sha256(parts: Iterable[Tensor | None]) -> str:
    found = hashlib.sha256()
    for part in parts:
        if part is None or part.requires_grad:
            found.update(b"none")
            continue
        found.update(f"{part.dtype} {tuple(part.shape)}".encode())
        # The bytes, for numpy has no bfloat16.
        raw = part.detach().cpu().contiguous().view(-1).view(torch.uint8)
        found.update(raw.numpy().data)
    return found.hexdigest()


def _parts(feat: Tensor) -> Iterator[Tensor]:
    if not is_sparse(feat) or feat.requires_grad:
        yield feat
        return
    csr = feat.to_sparse_csr()
    yield from (csr.crow_indices(), csr.col_indices(), csr.values())


def _structure(graph: Any) -> Iterator[Tensor | None]:
    """Edges and weights of a hypergraph, or of pairs of blocks."""
    if not isinstance(graph, dgl.DGLGraph):
        for pair in graph:
            for block in pair:
                yield from _structure(block)
        return
    for etype in (IN, CONTAINS):
        yield from (ids.long() for ids in graph.edges(etype=etype, order="eid"))
    yield graph.edges[IN].data.get("weight")
    for key in ("role", "direction"):
        if key in graph.edges[IN].data:
            yield graph.edges[IN].data[key]
    of_hyperedges = graph.srcnodes[HYPEREDGE].data
    yield of_hyperedges.get("weight")
    if "feat" in of_hyperedges:
        yield of_hyperedges["feat"]
