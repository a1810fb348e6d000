"""Refuse nodes, features, labels and devices that cannot work, where they enter."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .._utils import is_sparse
from ..hypergraphs import as_ids
from ..nn import HyperSAGE


def node_ids(nodes: Any, count: int, purpose: str) -> Tensor:
    """Ids of a boolean mask over ``count`` nodes, or of ids; at least one, and each once.

    Examples
    --------
    >>> node_ids(torch.tensor([False, True, True]), 3, "score")
    tensor([1, 2])
    """
    given = torch.as_tensor(nodes)
    if given.dtype == torch.bool:
        if tuple(given.shape) != (count,):
            raise ValueError(
                f"the mask of the nodes to {purpose} has shape {tuple(given.shape)}; it must be "
                f"({count},), one entry for each node"
            )
        ids = given.nonzero().flatten()
    elif given.dtype == torch.uint8:
        raise TypeError("nodes are of type torch.uint8; give ids as int64, or a mask as torch.bool")
    else:
        # No node at all may come as an empty list, which has no type.
        ids = as_ids(given if given.numel() else [], "node", count).to(given.device)
    if len(ids) == 0:
        raise ValueError(f"there is no node to {purpose}; choose a split that has some")
    if len(torch.unique(ids)) < len(ids):
        raise ValueError(f"a node to {purpose} is repeated; give each once")
    return ids


def check_feat(feat: Tensor, model: HyperSAGE, rows: int | None = None) -> None:
    """Refuse features that do not fit the model or that hold NaN or infinite values."""
    if not isinstance(feat, Tensor):
        raise TypeError(
            f"features are a {type(feat).__name__}; give a torch tensor, such as torch.from_numpy "
            "makes of an array"
        )
    wanted = model.first.in_feats
    if feat.dim() != 2 or feat.shape[1] != wanted:
        raise ValueError(
            f"features have shape {tuple(feat.shape)}; the model takes {wanted} columns"
        )
    if rows is not None and feat.shape[0] != rows:
        raise ValueError(f"{feat.shape[0]} rows of features for {rows} nodes; give one for each")
    dtype = model.first.linear.weight.dtype
    if feat.dtype != dtype:
        raise TypeError(
            f"features are of type {feat.dtype} and the model's weights of {dtype}; convert the "
            f"features with feat.to({dtype})"
        )
    values = feat.to_sparse_csr().values() if is_sparse(feat) else feat
    if not bool(torch.isfinite(values).all()):
        raise ValueError("features hold NaN or infinite values; replace or impute them")


def as_labels(labels: Any, count: int) -> Tensor:
    """Classes as int64, or 0/1 rows of labels as they are; one for each of ``count`` nodes."""
    given = torch.as_tensor(labels)
    if given.dim() not in (1, 2) or len(given) != count:
        raise ValueError(
            f"labels have shape {tuple(given.shape)}; give a class for each of the {count} nodes, "
            "or a 0/1 row of labels for each"
        )
    if given.dim() == 2:
        return given
    if given.is_floating_point():
        raise TypeError(f"labels are of type {given.dtype}; classes are whole numbers from 0 on")
    return given.long()


def check_targets(targets: Tensor, num_classes: int, every: bool) -> None:
    """Refuse labels that the model has no output for, and classes without a node if ``every``."""
    if targets.dim() == 2:
        if targets.shape[1] != num_classes or not bool(((targets == 0) | (targets == 1)).all()):
            raise ValueError(
                f"rows of labels must be {num_classes} zeros and ones, one for each output of the "
                f"model; these have {targets.shape[1]} columns and values from "
                f"{float(targets.min()):g} to {float(targets.max()):g}"
            )
        counts = targets.sum(0)
        if every and float(counts.min()) == 0:
            raise ValueError(
                f"label {int(counts.argmin())} has no training node, so the model cannot learn it; "
                "choose another split, or leave out its column"
            )
        return
    low, high = int(targets.min()), int(targets.max())
    if low < 0 or high >= num_classes:
        raise ValueError(
            f"label {low if low < 0 else high} is none of the model's {num_classes} classes, which "
            f"go from 0 to {num_classes - 1}"
        )
    counts = torch.bincount(targets, minlength=num_classes)
    if every and int(counts.min()) == 0:
        raise ValueError(
            f"class {int(counts.argmin())} has no training node, so the model cannot learn it; "
            "choose another split, or number only the classes that occur"
        )


def require_device(device: str | torch.device) -> None:
    """Refuse a device that cannot compute on this machine.

    Examples
    --------
    >>> require_device("meta")
    Traceback (most recent call last):
    ValueError: device 'meta' cannot be used here, as 'cpu' can: ...
    """
    try:
        # A number that comes back: `meta` takes tensors but holds none.
        torch.ones(1, device=device).item()
    except (AssertionError, ImportError, RuntimeError) as error:
        reason = str(error).partition("\n")[0]
        raise ValueError(
            f"device {str(device)!r} cannot be used here, as 'cpu' can: {reason}"
        ) from None
