"""An optimizer and its scheduler as tensors and JSON, and back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler, ReduceLROnPlateau

Scheduler = LRScheduler
# What Adam knows of each parameter.
ADAM = ("step", "exp_avg", "exp_avg_sq")


def check_scheduler(scheduler: Scheduler, optimizer: Optimizer | None, scored: bool) -> None:
    """Refuse a scheduler that would move nothing, or that waits for a score that never comes."""
    if scheduler.optimizer is not optimizer:
        raise ValueError(
            "the scheduler moves another optimizer than the one to train with; give that one as "
            "optimizer too"
        )
    if isinstance(scheduler, ReduceLROnPlateau) and scheduler.mode == "max" and not scored:
        raise ValueError(
            "a ReduceLROnPlateau with mode='max' waits for a better score; give validate, or use "
            "mode='min' for the loss"
        )


def step(scheduler: Scheduler, loss: float, val: float | None) -> None:
    """After an epoch: one step, which a ``ReduceLROnPlateau`` takes by the score or the loss."""
    if isinstance(scheduler, ReduceLROnPlateau):
        scheduler.step(loss if val is None or scheduler.mode == "min" else val)
    else:
        scheduler.step()


def options_of(optimizer: Optimizer, scheduler: Scheduler | None) -> dict[str, Any]:
    """What decides a curve: kinds, and the numbers that the groups of parameters begin with."""
    groups = pack_groups(optimizer)
    if scheduler is not None:
        # It moves lr, from where each group has its initial one.
        groups = [{k: v for k, v in group.items() if k != "lr"} for group in groups]
    kind = None if scheduler is None else type(scheduler).__name__
    return {"optimizer": type(optimizer).__name__, "groups": groups, "scheduler": kind}


def pack_groups(optimizer: Optimizer) -> list[dict[str, Any]]:
    """The options of each group of parameters."""
    return [
        {name: pack(value, name) for name, value in group.items() if name != "params"}
        for group in optimizer.param_groups
    ]


def pack_tensors(optimizer: Optimizer) -> dict[str, Tensor]:
    """What the optimizer knows of each parameter, by its number."""
    return {
        f"{index}.{name}": torch.as_tensor(value)
        for index, entry in optimizer.state_dict()["state"].items()
        for name, value in entry.items()
        if value is not None
    }


def restore_optimizer(
    optimizer: Optimizer, tensors: Mapping[str, Tensor], groups: Any, *, is_adam: bool
) -> None:
    """Bring back what :func:`pack_tensors` and :func:`pack_groups` gave."""
    state = optimizer.state_dict()
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    entries: dict[int, dict[str, Tensor]] = {}
    for name, value in tensors.items():
        index, _, key = name.partition(".")
        if not (index.isascii() and index.isdigit()) or int(index) >= len(parameters):
            raise ValueError(
                f"optimizer.{name} is of a parameter that the model has not: its {len(parameters)} "
                f"are numbered to {len(parameters) - 1}"
            )
        if is_adam and key not in ADAM:
            raise ValueError(f"optimizer.{name} is no state of Adam, which has {', '.join(ADAM)}")
        # Another optimizer may keep what has another shape.
        if is_adam and value.dim() and value.shape != parameters[int(index)].shape:
            raise ValueError(f"optimizer.{name} has the shape {tuple(value.shape)}")
        entries.setdefault(int(index), {})[key] = value
    if is_adam and any(entry.keys() != set(ADAM) for entry in entries.values()):
        raise ValueError(f"the state of Adam needs {', '.join(ADAM)} of each parameter")
    moved = [
        {**now, **{name: unpack(value) for name, value in before.items()}}
        for now, before in zip(state["param_groups"], groups, strict=True)
    ]
    for now, then in zip(state["param_groups"], moved):
        for name in now:
            # An option of another kind would end in an error of torch, in the middle of a step.
            if is_adam and not _is_alike(now[name], then[name]):
                raise ValueError(f"the optimizer's {name} is {then[name]!r:.60}")
    optimizer.load_state_dict({"state": entries, "param_groups": moved})


def _is_alike(one: Any, other: Any) -> bool:
    numbers = (int, float)
    if isinstance(one, numbers) and isinstance(other, numbers):
        return isinstance(one, bool) is isinstance(other, bool)
    if isinstance(one, (tuple, list)) and type(one) is type(other):
        return len(one) == len(other) and all(map(_is_alike, one, other))
    return type(one) is type(other)


def pack(value: Any, name: str) -> Any:
    """A state as JSON can hold it, with tuples, infinite numbers and keys that are not strings.

    Examples
    --------
    >>> unpack(pack({"best": float("inf"), "milestones": {30: 1}, "betas": (0.9, 0.99)}, "state"))
    {'best': inf, 'milestones': {30: 1}, 'betas': (0.9, 0.99)}
    """
    if isinstance(value, Tensor) and value.numel() == 1:
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, list):
        return [pack(item, name) for item in value]
    if isinstance(value, tuple):
        return {"tuple": [pack(item, name) for item in value]}
    if isinstance(value, Mapping):
        return {"dict": [[pack(k, name), pack(v, name)] for k, v in value.items()]}
    raise ValueError(
        f"{name} has {value!r:.60}, which cannot be saved as JSON; train without a folder"
    )


def unpack(packed: Any) -> Any:
    """Inverse of :func:`pack`."""
    if isinstance(packed, list):
        return [unpack(item) for item in packed]
    if not isinstance(packed, dict):
        return packed
    [(kind, value)] = packed.items()
    if kind == "float":
        return float(value)
    if kind == "tuple":
        return tuple(unpack(item) for item in value)
    return {unpack(k): unpack(v) for k, v in value}
