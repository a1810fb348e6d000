"""The random draws of generated hypergraphs, vectorised: sizes, planted blocks, distinct items.

A *row* is a hyperedge or a node, a *slot* one place in it, an *item* what fills it: a node or a
word. Items lie in *blocks*, one for each class.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ..._utils import IntArray

# One small unsigned number for each slot: there may be hundreds of millions.
Blocks = np.ndarray[Any, np.dtype[Any]]


def draw_sizes(
    rng: np.random.Generator, count: int, mean: float, tail: float, largest: int
) -> IntArray:
    """Draw sizes from a Pareto distribution that is shifted to 2, cut at the largest and rounded.

    Examples
    --------
    >>> sizes = draw_sizes(np.random.default_rng(0), 10_000, mean=4.0, tail=3.0, largest=30)
    >>> int(sizes.min()), int(sizes.max()) <= 30, round(float(sizes.mean()), 1)
    (2, True, 4.0)
    """
    if not 2 <= mean <= (2 + largest) / 2:
        raise ValueError(
            f"mean_size is {mean} and max_size {largest}; the mean must be from 2 to halfway "
            f"between 2 and max_size ({(2 + largest) / 2}), so change it or raise max_size"
        )
    if not 0.1 <= tail <= 1000:
        raise ValueError(f"tail is {tail}; it must be from 0.1 (heaviest) to 1000 (exponential)")

    def cumulated(log_scale: float) -> np.ndarray[Any, np.dtype[np.float64]]:
        # P(size <= 2), P(size <= 3), ..., P(size <= largest) = 1
        below = -np.expm1(-tail * np.log1p(np.arange(1, largest) / np.exp(log_scale)))
        return below / below[-1]

    # The mean, 2 + the sum of all P(size > s), grows with the scale.
    low, high = -600.0, np.log(1e9 * largest)
    for _ in range(60):
        middle = (low + high) / 2
        if 2 + (1 - cumulated(middle)).sum() < mean:
            low = middle
        else:
            high = middle
    # One draw from each of `count` equal strata: the sample's mean is that of the distribution.
    strata = (np.arange(count) + rng.random(count)) / count
    sizes = 2 + np.searchsorted(cumulated(high), strata, side="right")
    return rng.permutation(np.minimum(sizes, largest))


def draw_hyperedges(
    rng: np.random.Generator,
    sizes: IntArray,
    num_nodes: int,
    num_connected: int,
    num_classes: int,
    homophily: float,
) -> tuple[IntArray, IntArray, IntArray]:
    """Return hyperedge and node of each incidence, and the class of each node."""
    if sizes.sum() < num_connected:
        raise ValueError(
            f"{sizes.sum()} members cannot cover the {num_connected} nodes that are not isolated; "
            "raise num_hyperedges, mean_size or isolated"
        )
    own = np.empty(len(sizes), dtype=np.min_scalar_type(num_classes))
    # Dealt out in the order of size, so that each class gets about as many members.
    own[np.argsort(sizes, kind="stable")] = np.arange(len(sizes)) % num_classes
    blocks = np.repeat(own, sizes)
    _replant(rng, blocks, num_classes, 1 - homophily)
    # Classes in proportion to their members: then each has enough members to cover its nodes.
    in_class = _share_out(num_connected, np.bincount(blocks, minlength=num_classes))
    if 2 * sizes.max() > in_class.min():
        raise ValueError(
            f"a hyperedge has {sizes.max()} members, but a class only {in_class.min()} nodes that "
            "are not isolated; it needs twice as many, so lower max_size, num_classes or isolated"
        )
    bounds = np.concatenate([[0], np.cumsum(in_class)])
    hyperedge_ids, items = _draw_distinct(
        rng, np.repeat(np.arange(len(sizes)), sizes), blocks, bounds, cover=True
    )
    ids = rng.permutation(num_nodes)
    labels = np.empty(num_nodes, dtype=np.int64)
    labels[ids[:num_connected]] = np.repeat(np.arange(num_classes), in_class)
    labels[ids[num_connected:]] = np.arange(num_nodes - num_connected) % num_classes
    return hyperedge_ids, ids[items], labels


def draw_features(
    rng: np.random.Generator,
    labels: IntArray,
    num_classes: int,
    num_feats: int,
    feats_per_node: int,
    noise: float,
) -> sparse.csr_matrix:
    """Return for each node the words that it has, as ones."""
    if 2 * feats_per_node > num_feats // num_classes:
        raise ValueError(
            f"feats_per_node is {feats_per_node}, but a class has only {num_feats // num_classes} "
            "words; it needs twice as many, so raise num_feats or lower feats_per_node"
        )
    blocks = np.repeat(labels.astype(np.min_scalar_type(num_classes)), feats_per_node)
    _replant(rng, blocks, num_classes, noise)
    rows = np.repeat(np.arange(len(labels)), feats_per_node)
    bounds = np.arange(num_classes + 1) * num_feats // num_classes
    _, words = _draw_distinct(rng, rows, blocks, bounds, cover=False)
    indptr = np.arange(len(labels) + 1) * feats_per_node
    values = np.ones(len(words), dtype=np.float32)
    return sparse.csr_matrix((values, words, indptr), shape=(len(labels), num_feats))


def _replant(rng: np.random.Generator, blocks: Blocks, num_blocks: int, share: float) -> None:
    """Draw a share of the blocks again, in place, each block as likely as any other."""
    is_other = rng.random(len(blocks), dtype=np.float32) < share
    blocks[is_other] = rng.integers(num_blocks, size=np.count_nonzero(is_other), dtype=blocks.dtype)


def _share_out(total: int, weights: IntArray) -> IntArray:
    """Split a total in proportion to whole weights, exactly; no part exceeds its weight.

    Examples
    --------
    >>> _share_out(10, np.array([3, 3, 6]))
    array([3, 2, 5])
    """
    parts, rest = np.divmod(total * weights, weights.sum())
    largest_rest = np.argsort(-rest, kind="stable")[: total - parts.sum()]
    parts[largest_rest] += 1
    return parts


def _draw_distinct(
    rng: np.random.Generator, rows: IntArray, blocks: Blocks, bounds: IntArray, cover: bool
) -> tuple[IntArray, IntArray]:
    """Draw for each slot an item of its block, no item twice in a row.

    Parameters
    ----------
    rng
        Source of the randomness.
    rows
        Row of each slot.
    blocks
        Block of each slot. A row must not have more slots than half of any block has items, so
        that drawing again ends soon.
    bounds
        Block ``k`` has the items from ``bounds[k]`` to before ``bounds[k + 1]``.
    cover
        Draw every item at least once; each block needs as many slots as items.

    Returns
    -------
    tuple of arrays
        Row and item of each slot, in the order of rows, then items.

    Examples
    --------
    >>> rows, blocks = np.array([0, 0, 0, 1, 1]), np.array([0, 0, 1, 1, 1])
    >>> _, items = _draw_distinct(np.random.default_rng(0), rows, blocks, np.array([0, 2, 5]), True)
    >>> sorted(items.tolist())
    [0, 1, 2, 3, 4]
    """
    num_items, width = int(bounds[-1]), np.diff(bounds)
    items = bounds[blocks] + rng.integers(width[blocks])
    may_change = np.ones(len(items), dtype=bool)
    if cover:
        for k in range(len(width)):
            slots = rng.permutation(np.flatnonzero(blocks == k))[: width[k]]
            items[slots] = np.arange(bounds[k], bounds[k + 1])
            may_change[slots] = False
    # One sortable number for each slot; of equal items the one that must stay comes first.
    keys = (rows * num_items + items) * 2 + may_change
    settled = []
    while len(keys):
        keys.sort()
        pairs = keys >> 1
        again = np.flatnonzero(pairs[1:] == pairs[:-1]) + 1
        row, item = np.divmod(pairs[again], num_items)
        block = np.searchsorted(bounds, item, side="right") - 1
        keys[again] = (row * num_items + bounds[block] + rng.integers(width[block])) * 2 + 1
        is_open = np.zeros(int(rows[-1]) + 1, dtype=bool)
        is_open[row] = True
        draw_on = is_open[keys // (2 * num_items)]
        settled.append(keys[~draw_on])
        keys = keys[draw_on]
    final = np.concatenate(settled)
    final.sort()
    final >>= 1
    return np.divmod(final, num_items)
