"""What a run was trained on, in one number, so that it is not resumed on something else."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import dgl
import torch
from torch import Tensor

from .._utils import is_sparse
from ..hypergraphs import HYPEREDGE, IN, NODE, incidences


def fingerprint(graph: dgl.DGLGraph, feat: Tensor) -> str:
    """SHA-256 of the incidences, the weights and the features, as a short word.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> g, feat = hypergraph([[0, 1], [1, 2]]), torch.ones(3, 2)
    >>> fingerprint(g, feat) == fingerprint(g, feat), fingerprint(g, feat) == fingerprint(g, -feat)
    (True, False)
    """
    counts = torch.tensor([graph.num_nodes(NODE), graph.num_nodes(HYPEREDGE), *feat.shape])
    parts = [counts, *(ids.long() for ids in incidences(graph))]
    for frame in (graph.nodes[HYPEREDGE].data, graph.edges[IN].data):
        parts.append(frame.get("weight", torch.empty(0)))
    if is_sparse(feat):
        csr = feat.detach().to_sparse_csr()
        parts += [csr.crow_indices().long(), csr.col_indices().long(), csr.values()]
    else:
        parts.append(feat)
    return _sha256(parts)[:16]


def _sha256(parts: Iterable[Tensor]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        plain = part.detach().cpu().contiguous()
        digest.update(f"{plain.dtype} {tuple(plain.shape)};".encode())
        # As bytes without a copy, of any type that numpy need not know.
        if plain.numel():
            digest.update(plain.view(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()
