"""Refuse nodes, features, labels and devices that cannot work, where they enter."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from numbers import Real
from typing import Any

import torch
from torch import Tensor, nn

from .._utils import check_feat, shown
from ..hypergraphs import as_ids
from ..nn import Baseline, HyperSAGE

TRAIN, VALIDATE = "train on", "validate on"
# Of Adam, the paper's.
LR, WEIGHT_DECAY = 0.01, 5e-4
# Adam multiplies and divides by float32 numbers: ten times lr is its first step.
LARGEST_RATE = 1e37


def node_ids(nodes: Any, count: int, purpose: str, what: str = "node") -> Tensor:
    """Ids of a boolean mask over ``count`` nodes, or of ids; at least one, and each once.

    Examples
    --------
    >>> node_ids(torch.tensor([False, True, True]), 3, "score")
    tensor([1, 2])
    """
    try:
        given = torch.as_tensor(nodes)
    except (OverflowError, RuntimeError, TypeError, ValueError):
        given = as_ids(nodes, what, count)
    if given.dtype == torch.bool:
        if tuple(given.shape) != (count,):
            raise ValueError(
                f"the mask of the {what}s to {purpose} has shape {tuple(given.shape)}; it must be "
                f"({count},), one entry for each {what}"
            )
        ids = given.nonzero().flatten()
    elif given.dtype == torch.uint8:
        raise TypeError(
            f"{what}s are of type torch.uint8; give ids as int64, or a mask as torch.bool"
        )
    else:
        # No node at all may come as an empty list, which has no type.
        ids = as_ids(given if given.numel() else [], what, count).to(given.device)
    if len(ids) == 0:
        raise ValueError(f"there is no {what} to {purpose}; choose a split that has some")
    if len(torch.unique(ids)) < len(ids):
        raise ValueError(f"a {what} to {purpose} is repeated; give each once")
    return ids


def check_fits(feat: Tensor, model: nn.Module, rows: int | None = None, **rules: bool) -> None:
    """Refuse features that do not fit a model of ours; another may do with them what it likes."""
    first = model.first if isinstance(model, (HyperSAGE, Baseline)) else None
    weight = getattr(getattr(first, "linear", None), "weight", None)
    dtype = weight.dtype if isinstance(weight, Tensor) else None
    check_feat(feat, getattr(first, "in_feats", None), rows=rows, dtype=dtype, **rules)


def require_finite(
    outputs: Tensor, called: Sequence[Any] = (), what: str = "logits", rows: str = "node"
) -> None:
    """Refuse outputs of a model that are no numbers: they must not become a label or a score.

    ``called`` are names of the rows.
    """
    is_wrong = ~torch.isfinite(outputs).all(dim=1)
    if bool(is_wrong.any()):
        first = int(is_wrong.nonzero()[0])
        name = called[first] if len(called) else first
        raise FloatingPointError(
            f"the {what} of {int(is_wrong.sum())} {rows}s, first of {rows} {name!r}, are NaN or "
            "infinite; look for extreme features there, and for NaN in the weights of the model"
        )


def check_rates(lr: object, weight_decay: object) -> None:
    """Refuse rates that Adam cannot compute with.

    Examples
    --------
    >>> check_rates(1e39, 5e-4)
    Traceback (most recent call last):
    ValueError: lr is 1e+39; it must be a number from 0 to 1e+37, usually far below 1
    """
    for name, rate in (("lr", lr), ("weight_decay", weight_decay)):
        is_number = isinstance(rate, Real) and not isinstance(rate, bool)
        if not is_number or not 0 <= rate <= LARGEST_RATE:  # type: ignore[operator]
            raise ValueError(
                f"{name} is {shown(rate)}; it must be a number from 0 to {LARGEST_RATE:g}, usually "
                "far below 1"
            )


def check_optimizer(
    optimizer: torch.optim.Optimizer | None, lr: float, weight_decay: float
) -> None:
    """Refuse rates for no optimizer of ours, and an optimizer that the loop cannot serve."""
    if optimizer is None:
        check_rates(lr, weight_decay)
    elif (lr, weight_decay) != (LR, WEIGHT_DECAY):
        raise ValueError(
            f"lr={lr} and weight_decay={weight_decay} are for Adam, and an optimizer was given; "
            "set them there"
        )
    elif isinstance(optimizer, torch.optim.LBFGS):
        raise TypeError(
            "LBFGS computes the loss several times a step, which fit does not; give an optimizer "
            "that steps without a closure"
        )


def require_real(numbers: object, what: str) -> None:
    """Refuse what is no tensor of real numbers: torch drops the imaginary part in a conversion."""
    if not isinstance(numbers, Tensor) or numbers.is_complex() or numbers.dtype == torch.bool:
        kind = numbers.dtype if isinstance(numbers, Tensor) else type(numbers).__name__
        raise TypeError(f"{what} are {kind}; give a tensor of real numbers, a row for each node")


def as_labels(labels: Any, count: int, what: str = "node") -> Tensor:
    """One label for each of ``count`` nodes: classes as int64, rows and numbers as they are."""
    try:
        given = torch.as_tensor(labels)
    except (OverflowError, RuntimeError, TypeError, ValueError):
        raise TypeError(
            f"labels are {shown(labels)}; give a class for each of the {count} {what}s, or a 0/1 "
            "row of labels for each"
        ) from None
    if given.is_complex():
        raise TypeError(f"labels are {given.dtype}; give classes, 0/1 rows of labels, or numbers")
    if given.dim() not in (1, 2) or len(given) != count:
        raise ValueError(
            f"labels have shape {tuple(given.shape)}; give a class for each of the {count} "
            f"{what}s, or a 0/1 row of labels for each"
        )
    return given if given.dim() == 2 or given.is_floating_point() else given.long()


def require_classes(labels: Tensor) -> None:
    """Refuse numbers where classes are meant."""
    if labels.dim() == 1 and labels.is_floating_point():
        raise TypeError(
            f"labels are of type {labels.dtype}; classes are non-negative integers, and numbers "
            "to learn need task='regression', or an objective such as torch.nn.MSELoss()"
        )


def is_multi_label(targets: Tensor) -> bool:
    """Whether these are 0/1 rows of labels."""
    return targets.dim() == 2 and bool(((targets == 0) | (targets == 1)).all())


def num_outputs(logits: Tensor) -> int:
    """How many outputs there are for each node; refuse logits that are no rows of some."""
    require_real(logits, "logits")
    if logits.dim() != 2 or logits.shape[1] == 0:
        raise ValueError(
            f"logits have shape {tuple(logits.shape)}; give a row for each node, with one column "
            "or more"
        )
    return logits.shape[1]


def check_targets(targets: Tensor, num_classes: int) -> None:
    """Refuse labels that the model has no output for."""
    require_classes(targets)
    if targets.dim() == 2:
        if targets.shape[1] != num_classes or not is_multi_label(targets):
            raise ValueError(
                f"rows of labels must be {num_classes} zeros and ones, one for each output of the "
                f"model; these have {targets.shape[1]} columns and values from "
                f"{float(targets.min()):g} to {float(targets.max()):g}"
            )
        return
    low, high = int(targets.min()), int(targets.max())
    if low < 0 or high >= num_classes:
        raise ValueError(
            f"label {low if low < 0 else high} is none of the model's {num_classes} classes, which "
            f"go from 0 to {num_classes - 1}"
        )


def warn_of_missing(targets: Tensor, num_classes: int, names: Sequence[str] = ()) -> None:
    """Warn of classes without a training node, by name where they have one."""
    is_rows = targets.dim() == 2
    counts = targets.sum(0) if is_rows else torch.bincount(targets, minlength=num_classes)
    missing = (counts == 0).nonzero().flatten().tolist()
    if not missing:
        return
    what = "label" if is_rows else "class"
    said = ", ".join(repr(names[k]) if names else str(k) for k in missing[:5])
    more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
    have, them = ("has", "it") if len(missing) == 1 else ("have", "them")
    plural = what if len(missing) == 1 else f"{what}es" if what == "class" else f"{what}s"
    warnings.warn(
        f"{plural} {said}{more} {have} no training node, so the model cannot learn {them}; choose "
        "another split, such as a stratified one",
        stacklevel=2,
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
