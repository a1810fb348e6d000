"""Splits beyond the given ones: validation nodes, random ones, the inductive protocol."""

from __future__ import annotations

from dataclasses import dataclass

import dgl
import numpy as np
import torch

from .._utils import IntArray
from ..hypergraphs import NODE, induced
from .arrays import Split


def carve_validation(split: Split, labels: IntArray, fraction: float, seed: int = 0) -> Split:
    """Move a fraction of the training nodes of each class to the validation nodes.

    Parameters
    ----------
    split
        The split to carve; validation nodes that it has already stay.
    labels
        Class of each node.
    fraction
        Share of each class to move, rounded to whole nodes; at least one node of a class stays
        in training. 0 leaves the split as it is.
    seed
        Decides which nodes are moved.

    Examples
    --------
    >>> labels = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    >>> split = Split(np.arange(8), np.arange(0), np.arange(0))
    >>> carved = carve_validation(split, labels, 0.25)
    >>> np.bincount(labels[carved.train]), np.bincount(labels[carved.val])
    (array([3, 3]), array([1, 1]))
    """
    if not 0 <= fraction < 1:
        raise ValueError(f"val_fraction is {fraction}; it must be at least 0 and below 1")
    if fraction == 0:
        return split
    generator = np.random.default_rng(seed)
    moved = []
    for label in np.unique(labels[split.train]):
        ids = generator.permutation(split.train[labels[split.train] == label])
        moved.append(ids[: min(round(fraction * len(ids)), len(ids) - 1)])
    val = np.concatenate([np.empty(0, np.int64), *moved])
    if len(val) == 0:
        raise ValueError(
            f"val_fraction is {fraction}, which is no node at all of the {len(split.train)} "
            "training nodes when it is rounded in each class; give a larger one"
        )
    return Split(
        train=np.setdiff1d(split.train, val), val=np.union1d(split.val, val), test=split.test
    )


def random_split(num_nodes: int, seed: int = 0) -> Split:
    """Split all nodes at random: 50 % train, 25 % validation, 25 % test.

    This is the protocol of AllSet (Chien et al., ICLR 2022): one permutation of the nodes, without
    regard to classes; what rounding down leaves over is for the test.

    Examples
    --------
    >>> [len(ids) for ids in random_split(10)]
    [5, 2, 3]
    """
    order = np.random.default_rng(seed).permutation(num_nodes)
    train, val = num_nodes // 2, num_nodes // 4
    parts = np.split(order, [train, train + val])
    return Split(*(np.sort(ids) for ids in parts))


@dataclass(frozen=True)
class InductiveSplit:
    """Training on a part of the hypergraph, test on all of it; made by :func:`inductive_split`.

    ``train``, ``seen`` and ``unseen`` are node ids of ``full_graph``. ``train_graph`` lacks the
    unseen nodes; ``dgl.NID`` maps its nodes and hyperedges to those of ``full_graph``. Both have
    boolean node data ``train_mask``, ``seen_mask`` and ``unseen_mask``.
    """

    train: IntArray
    seen: IntArray
    unseen: IntArray
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
    train, seen, unseen = (np.sort(ids) for ids in np.split(order, [first, second]))
    full = graph.local_var()
    for given in [key for key in full.nodes[NODE].data if key.endswith("_mask")]:
        del full.nodes[NODE].data[given]
    cut = induced(full, np.union1d(train, seen), drop_empty=True)
    kept = cut.nodes[NODE].data[dgl.NID]
    for key, ids in (("train_mask", train), ("seen_mask", seen), ("unseen_mask", unseen)):
        mask = as_mask(ids, count).to(graph.device)
        full.nodes[NODE].data[key], cut.nodes[NODE].data[key] = mask, mask[kept]
    return InductiveSplit(train, seen, unseen, train_graph=cut, full_graph=full)


def as_mask(ids: IntArray, count: int) -> torch.Tensor:
    """Boolean tensor of ``count`` entries that is true at the ids."""
    mask = torch.zeros(count, dtype=torch.bool)
    mask[torch.from_numpy(ids)] = True
    return mask
