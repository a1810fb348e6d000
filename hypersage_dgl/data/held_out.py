"""Nodes or hyperedges that are held out: the graph to train on has nothing of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import dgl
import numpy as np
import torch
from torch import Tensor

from .._utils import shown
from ..hypergraphs import (
    HYPEREDGE,
    NODE,
    incidences,
    induced,
    remove_hyperedges,
    require_distinct,
    require_types,
)
from .splits import as_mask

# The ids of a set of nodes, ascending.
NodeSet = tuple[int, ...]


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


class HyperedgeSplit(NamedTuple):
    """Sets of nodes that are hyperedges, for training, validation and test, and the graph.

    ``graph`` is what messages pass on: the hypergraph without every hyperedge whose members are a
    set of ``val`` or ``test``. ``real`` are the member sets of all hyperedges, held out or not.
    """

    graph: dgl.DGLGraph
    train: tuple[NodeSet, ...]
    val: tuple[NodeSet, ...]
    test: tuple[NodeSet, ...]
    real: frozenset[NodeSet]


def split_hyperedges(
    g: dgl.DGLGraph, fractions: Sequence[float] = (0.6, 0.2, 0.2), seed: int = 0
) -> HyperedgeSplit:
    """Split the hyperedges of a hypergraph into those to train on, to validate and to test.

    Split are sets of members and not hyperedges: two hyperedges with the same members are one set,
    and held out, neither is in the graph. Sizes and degrees are counted again. What else is data of
    the nodes stays: features that were made from all hyperedges, such as a degree, would still
    know the held-out ones.

    Parameters
    ----------
    g
        A hypergraph.
    fractions
        Shares of train, validation and test, which sum to one; that of validation may be 0.
        The literature takes 60, 20 and 20 %.
    seed
        Decides which sets go where.

    Returns
    -------
    HyperedgeSplit
        Hyperedges with fewer than two members are in the graph and in no part: a single node is
        nothing to predict.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1], [1, 2, 3], [3, 2, 1], [0, 3], [4]])
    >>> split = split_hyperedges(g, (0.4, 0.3, 0.3), seed=1)
    >>> split.train, split.val, split.test
    (((0, 1),), ((0, 3),), ((1, 2, 3),))
    >>> member_sets(split.graph)
    [(0, 1), (4,)]
    """
    require_types(g)
    shares = _shares(fractions)
    every = member_sets(g)
    sets = sorted({members for members in every if len(members) > 1})
    counts = [round(shares[1] * len(sets)), round(shares[2] * len(sets))]
    if not (counts[1] and len(sets) - sum(counts) > 0):
        raise ValueError(
            f"{len(sets)} different sets of two or more members do not go into shares of "
            f"{tuple(shares)}; a split needs one for training and one for the test"
        )
    order = np.random.default_rng(seed).permutation(len(sets))
    cuts = np.cumsum([len(sets) - sum(counts), counts[0]])
    _, val, test = ([sets[i] for i in part.tolist()] for part in np.split(order, cuts))
    return hold_out(g, val, test)


def hold_out(g: dgl.DGLGraph, val: Iterable[NodeSet], test: Iterable[NodeSet]) -> HyperedgeSplit:
    """Hold out given member sets, such as the latest ones; all others are for training.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> split = hold_out(hypergraph([[0, 1], [1, 2], [2, 3]]), val=[], test=[(1, 2)])
    >>> split.train, member_sets(split.graph)
    (((0, 1), (2, 3)), [(0, 1), (2, 3)])
    """
    every = member_sets(g)
    parts = [{tuple(sorted(members)) for members in part} for part in (val, test)]
    held_out = parts[0] | parts[1]
    unknown = next(iter(held_out - set(every)), None)
    if unknown is not None or parts[0] & parts[1]:
        both = "a set is in both val and test"
        what = both if unknown is None else f"{unknown} is no hyperedge"
        raise ValueError(f"{what}; hold out member sets of hyperedges, each once")
    gone = [i for i, members in enumerate(every) if members in held_out]
    graph = remove_hyperedges(g, torch.tensor(gone, dtype=torch.int64))
    others = {members for members in every if len(members) > 1} - held_out
    train, held, tested = (tuple(sorted(sets)) for sets in (others, *parts))
    return HyperedgeSplit(graph, train, held, tested, frozenset(every))


def member_sets(g: dgl.DGLGraph) -> list[NodeSet]:
    """The members of every hyperedge, ascending.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> member_sets(hypergraph([[2, 0], [1]]))
    [(0, 2), (1,)]
    """
    require_types(g)
    found = incidences(g)
    require_distinct(g, *found)
    nodes, edges = (ids.cpu().numpy() for ids in found)
    order = np.lexsort((nodes, edges))
    sizes = np.bincount(edges, minlength=g.num_nodes(HYPEREDGE))
    parts = np.split(nodes[order], np.cumsum(sizes)[:-1]) if len(sizes) else []
    return [tuple(part.tolist()) for part in parts]


def _shares(fractions: Sequence[float]) -> list[float]:
    try:
        shares = [float(share) for share in fractions]
    except (OverflowError, TypeError, ValueError):
        shares = []
    if len(shares) != 3 or not all(0 <= s < 1 for s in shares) or not math.isclose(sum(shares), 1):
        raise ValueError(
            f"fractions are {shown(fractions)}; give three shares of train, validation and test "
            "that sum to one, such as (0.6, 0.2, 0.2)"
        )
    return shares
