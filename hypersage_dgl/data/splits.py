"""Splits, all chosen in one place: given, random or your own, with validation nodes or without."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Union

import numpy as np
import torch
from torch import Tensor

from .._utils import IntArray
from ..hypergraphs import as_ids


class Split(NamedTuple):
    """Node ids of one train/validation/test split; ``val`` may be empty."""

    train: Tensor
    val: Tensor
    test: Tensor


PARTS = Split._fields
SplitLike = Union[int, str, Split]


def choose_split(
    wanted: SplitLike,
    splits: Sequence[Split],
    labels: Tensor | None,
    *,
    num_nodes: int,
    name: str = "the hypergraph",
    node_names: Sequence[Any] | None = None,
    val_fraction: float = 0.0,
    seed: int = 0,
) -> Split:
    """Choose the nodes to train on, to validate and to test.

    Parameters
    ----------
    wanted
        Number of a given split, counted from 1; ``"random"`` for 50 % train, 25 % validation and
        25 % test of the nodes that have a class; ``"stratified"`` for the same shares of each
        class; or your own :class:`Split` of node ids.
    splits
        The given splits.
    labels
        Class of each node, -1 where it has none; needed for ``val_fraction``.
    num_nodes
        Number of nodes.
    name, node_names
        What the hypergraph and its nodes are called, for errors.
    val_fraction
        Share of the training nodes of each class that become validation nodes, see
        :func:`carve_validation`.
    seed
        Decides which nodes ``"random"`` and ``val_fraction`` take.

    Examples
    --------
    >>> labels = torch.tensor([0, 0, 1, 1, -1])
    >>> split = choose_split("random", (), labels, num_nodes=5)
    >>> sorted(torch.cat(split).tolist())
    [0, 1, 2, 3]
    """
    single = labels if labels is not None and labels.dim() == 1 else None
    if isinstance(wanted, Split):
        chosen = Split(*(as_ids(ids, "node", num_nodes) for ids in wanted))
        check_split(chosen, num_nodes, "split")
    elif isinstance(wanted, str) and wanted == "random":
        known = torch.arange(num_nodes) if labels is None else known_nodes(labels)
        chosen = Split(*(known[ids] for ids in random_split(len(known), seed)))
    elif isinstance(wanted, str) and wanted == "stratified":
        if single is None:
            raise ValueError(
                f"split is 'stratified', but {name} does not have one class for each node; try "
                "'random'"
            )
        chosen = stratified_split(single, seed)
    else:
        chosen = _given(wanted, splits, name)
    if labels is not None:
        none = torch.ones(num_nodes, dtype=torch.bool)
        none[known_nodes(labels)] = False
        without = next((int(i) for ids in chosen for i in ids[none[ids]]), None)
        if without is not None:
            shown = without if node_names is None else node_names[without]
            raise ValueError(
                f"node {shown!r} is in the split of {name} but has no class; leave such nodes out "
                "of the split"
            )
    if val_fraction == 0:
        return chosen
    if single is None:
        raise ValueError(
            f"val_fraction is {val_fraction}, but {name} does not have one class for each node; "
            "give a split with validation nodes instead"
        )
    return carve_validation(chosen, single, val_fraction, seed)


def _given(wanted: Any, splits: Sequence[Split], name: str) -> Split:
    is_number = isinstance(wanted, (int, np.integer)) and not isinstance(wanted, bool)
    number = int(wanted) if is_number else 0
    if 1 <= number <= len(splits):
        return splits[number - 1]
    given = f"the splits 1 to {len(splits)}" if splits else "no splits of its own"
    raise ValueError(
        f"split is {wanted!r:.60}; {name} has {given}. Other values are 'random', "
        "'stratified' and a Split of your own node ids"
    )


def carve_validation(split: Split, labels: Tensor, fraction: float, seed: int = 0) -> Split:
    """Move a fraction of the training nodes of each class to the validation nodes.

    Parameters
    ----------
    split
        The split to carve; validation nodes that it has already stay.
    labels
        Class of each node.
    fraction
        Share of each class to move, rounded to full nodes; at least one node of a class stays
        in training. 0 leaves the split as it is.
    seed
        Decides which nodes are moved.

    Examples
    --------
    >>> labels = torch.tensor([0, 0, 0, 0, 1, 1, 1, 1])
    >>> none = torch.arange(0)
    >>> carved = carve_validation(Split(torch.arange(8), none, none), labels, 0.25)
    >>> labels[carved.train].bincount(), labels[carved.val].bincount()
    (tensor([3, 3]), tensor([1, 1]))
    """
    if not 0 <= fraction < 1:
        raise ValueError(f"val_fraction is {fraction}; it must be at least 0 and below 1")
    if fraction == 0:
        return split
    generator = np.random.default_rng(seed)
    train, classes = split.train.numpy(), labels[split.train].numpy()
    moved = []
    for label in np.unique(classes):
        ids = generator.permutation(train[classes == label])
        moved.append(ids[: min(round(fraction * len(ids)), len(ids) - 1)])
    val = np.concatenate([np.empty(0, np.int64), *moved])
    if len(val) == 0:
        raise ValueError(
            f"val_fraction is {fraction}, which is no node at all of the {len(split.train)} "
            "training nodes when it is rounded in each class; give a larger one"
        )
    return Split(
        train=torch.from_numpy(np.setdiff1d(train, val)),
        val=torch.from_numpy(np.union1d(split.val.numpy(), val)),
        test=split.test,
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
    return Split(*(torch.from_numpy(np.sort(ids)) for ids in parts))


def stratified_split(labels: Tensor, seed: int = 0) -> Split:
    """Split the nodes of each class at random: 50 % train, 25 % validation, 25 % test.

    Every class has a training node, and from two nodes on one for the test; what rounding leaves
    over is for the training. Nodes of label -1 are left out.

    Examples
    --------
    >>> labels = torch.tensor([0, 0, 0, 0, 1, 1, -1])
    >>> split = stratified_split(labels)
    >>> [labels[ids].tolist() for ids in split]
    [[0, 0, 1], [0], [0, 1]]
    """
    generator = np.random.default_rng(seed)
    parts: tuple[list[IntArray], ...] = ([], [], [])
    classes = labels.numpy()
    for label in np.unique(classes[classes >= 0]):
        ids = generator.permutation(np.flatnonzero(classes == label))
        val = len(ids) // 4
        test = max(val, 1) if len(ids) > 1 else 0
        cuts = np.cumsum([len(ids) - val - test, val])
        for part, chosen in zip(parts, np.split(ids, cuts)):
            part.append(chosen)
    return Split(
        *(torch.from_numpy(np.sort(np.concatenate([np.arange(0), *ids]))) for ids in parts)
    )


def check_split(split: Split, num_nodes: int, what: str) -> None:
    """Raise ``ValueError`` unless the parts are disjoint ids of nodes, each listed once."""
    ids: IntArray = torch.cat(tuple(split)).numpy()
    if len(ids) and not (ids.min() >= 0 and ids.max() < num_nodes):
        wrong = ids.min() if ids.min() < 0 else ids.max()
        raise ValueError(f"{what} has node id {wrong}; ids go from 0 to {num_nodes - 1}")
    times = np.bincount(ids, minlength=num_nodes)
    if len(ids) and times.max() > 1:
        raise ValueError(
            f"{what} lists node {times.argmax()} {times.max()} times; a node is in one of train, "
            "val and test, once"
        )


def known_nodes(labels: Tensor) -> Tensor:
    """Ids of the nodes that have a class, or a row of labels.

    Examples
    --------
    >>> known_nodes(torch.tensor([1, -1, 0])), known_nodes(torch.tensor([[0, 0], [-1, -1]]))
    (tensor([0, 2]), tensor([0]))
    """
    is_known = labels >= 0
    return (is_known if labels.dim() == 1 else is_known.all(dim=1)).nonzero().flatten()


def as_mask(ids: Tensor, count: int) -> Tensor:
    """Boolean tensor of ``count`` entries that is true at the ids."""
    mask = torch.zeros(count, dtype=torch.bool)
    mask[ids] = True
    return mask
