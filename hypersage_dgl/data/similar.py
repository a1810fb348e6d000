"""Hyperedges of the nodes whose features are most alike."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from .._utils import check_feat, require_count, select_rows

# Rows of a block: its similarities to another take 16 MiB.
BLOCK = 2048


def knn_hyperedges(feat: Tensor, k: int) -> Tensor:
    """A hyperedge for each node that has features: the node and the k that are most similar to it.

    Similarity is the cosine, of all pairs and exactly, in blocks: each two blocks are multiplied
    once, and nothing larger is ever held. Of equally similar nodes any may be taken. A node whose
    features are all zero is similar to none: it gets no hyperedge and is in none.

    Parameters
    ----------
    feat
        Features of the nodes, dense or sparse.
    k
        Number of other nodes in each hyperedge.

    Returns
    -------
    Tensor
        A row of ids for each hyperedge: the node itself, then the others, the most similar first.
        :func:`hypersage_dgl.hypergraph` and :func:`hypersage_dgl.add_hyperedges` take the rows.

    Examples
    --------
    >>> feat = torch.tensor([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [0.0, 0.0]])
    >>> knn_hyperedges(feat, 1)
    tensor([[0, 2],
            [1, 2],
            [2, 0]])
    """
    k = require_count(k, "k")
    check_feat(feat, finite=True)
    feat = feat.detach()
    # Of sparse rows those that store something; what they store may still be zero.
    blocks = _blocks(torch.arange(len(feat)))
    has_any = [_dense(feat, ids).count_nonzero(dim=1) > 0 for ids in blocks]
    known = torch.cat([torch.arange(0), *(ids[has] for ids, has in zip(blocks, has_any))])
    if k >= len(known):
        raise ValueError(
            f"k is {k}, but {len(known)} nodes have features; it must be below their number"
        )
    similarity = torch.full((len(known), k), -torch.inf, dtype=feat.dtype)
    nearest = torch.zeros(len(known), k, dtype=torch.int64)
    places = _blocks(torch.arange(len(known)))
    for i, own in enumerate(places):
        rows = _unit(feat, known[own])
        for others in places[i:]:
            if others is own:
                found = (rows @ rows.t()).fill_diagonal_(-torch.inf)
            else:
                found = rows @ _unit(feat, known[others]).t()
                _merge(similarity, nearest, others, own, found.t())
            _merge(similarity, nearest, own, others, found)
    return torch.cat([known.unsqueeze(1), known[nearest]], dim=1)


def _blocks(ids: Tensor) -> list[Tensor]:
    return [ids[start : start + BLOCK] for start in range(0, len(ids), BLOCK)]


def _dense(feat: Tensor, ids: Tensor) -> Tensor:
    rows = select_rows(feat, ids.to(feat.device))
    return rows.to_dense().cpu()


def _unit(feat: Tensor, ids: Tensor) -> Tensor:
    """Rows of length 1; first by their largest entry, for squares of tiny ones are no floats."""
    rows = _dense(feat, ids)
    return F.normalize(rows / rows.abs().amax(dim=1, keepdim=True))


def _merge(
    similarity: Tensor, nearest: Tensor, rows: Tensor, columns: Tensor, found: Tensor
) -> None:
    """Keep the best of what each row has and what was found in these columns."""
    k = similarity.shape[1]
    values, which = found.topk(min(k, found.shape[1]), dim=1)
    values = torch.cat([similarity[rows], values], dim=1)
    ids = torch.cat([nearest[rows], columns[which]], dim=1)
    similarity[rows], best = values.topk(k, dim=1)
    nearest[rows] = ids.gather(1, best)
