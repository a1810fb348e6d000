"""The inductive experiment of the paper: train without some nodes, test when they are back."""

from __future__ import annotations

from dataclasses import dataclass

import dgl
import numpy as np
import torch
from torch import Tensor

from ..hypergraphs import NODE, induced
from .splits import as_mask


@dataclass(frozen=True)
class InductiveSplit:
    """Training on a part of the hypergraph, test on all of it; made by :func:`inductive_split`.

    ``train``, ``seen`` and ``unseen`` are node ids of ``full_graph``. ``train_graph`` lacks the
    unseen nodes; ``dgl.NID`` maps its nodes and hyperedges to those of ``full_graph``. Both have
    boolean node data ``train_mask``, ``seen_mask`` and ``unseen_mask``.
    """

    train: Tensor
    seen: Tensor
    unseen: Tensor
    train_graph: dgl.DGLGraph
    full_graph: dgl.DGLGraph


def inductive_split(graph: dgl.DGLGraph, seed: int = 0) -> InductiveSplit:
    """Split a hypergraph for the inductive experiment of the paper (section 4.3).

    A fifth of the nodes, drawn at random, is for training and the rest for the test (1:4). Half of
    the test nodes are *seen*: they are part of the training hypergraph, without their label. The
    other half are *unseen*: they are cut from the training hypergraph, with hyperedges that have no
    other member, and are back with all their hyperedges in the full one.

    Parameters
    ----------
    graph
        A hypergraph; it stays as it is. Masks that it has are not carried over.
    seed
        Decides which nodes go where.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> parts = inductive_split(hypergraph([[0, 1, 2, 3, 4], [5, 6, 7], [8, 9]]))
    >>> len(parts.train), len(parts.seen), len(parts.unseen)
    (2, 4, 4)
    >>> parts.train_graph.num_nodes("node"), parts.full_graph.num_nodes("node")
    (6, 10)
    """
    count = graph.num_nodes(NODE)
    if count < 5:
        raise ValueError(
            f"the hypergraph has {count} nodes, and a fifth of them is no node to train on; it "
            "takes 5 or more"
        )
    order = np.random.default_rng(seed).permutation(count)
    first, second = count // 5, count // 5 + (count - count // 5) // 2
    parts = (np.sort(ids) for ids in np.split(order, [first, second]))
    train, seen, unseen = (torch.from_numpy(ids) for ids in parts)
    full = graph.local_var()
    for given in [key for key in full.nodes[NODE].data if key.endswith("_mask")]:
        del full.nodes[NODE].data[given]
    cut = induced(full, torch.cat((train, seen)).sort().values, drop_empty=True)
    kept = cut.nodes[NODE].data[dgl.NID]
    for key, ids in (("train_mask", train), ("seen_mask", seen), ("unseen_mask", unseen)):
        mask = as_mask(ids, count).to(graph.device)
        full.nodes[NODE].data[key], cut.nodes[NODE].data[key] = mask, mask[kept]
    return InductiveSplit(train, seen, unseen, train_graph=cut, full_graph=full)
