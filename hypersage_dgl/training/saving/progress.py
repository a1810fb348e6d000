"""How far a training is: its history, and its optimizer and scheduler as tensors and JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass, field, fields
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler, ReduceLROnPlateau

from ..._utils import check_schema, required


@dataclass(frozen=True)
class Epoch:
    """One row of the log; ``val`` is None where nothing was validated."""

    epoch: int
    loss: float
    val: float | None
    seconds: float


@dataclass
class History:
    """What a run did, the epoch whose weights the model has now, and why it stopped.

    ``resumed_from`` is how many of the epochs a resumed run had before.
    """

    epochs: list[Epoch] = field(default_factory=list)
    best_epoch: int = 0
    best_val: float | None = None
    stopped: str = "all epochs done"
    resumed_from: int = 0

    @classmethod
    def from_progress(cls, progress: Mapping[str, Any] | None, stopped: str = "") -> History:
        """What a checkpoint noted of its training; empty where it noted nothing of the kind.

        Examples
        --------
        >>> row = {"epoch": 1, "loss": 2.0, "val": None, "seconds": 0.1}
        >>> History.from_progress({"epochs": [row], "best_epoch": 1, "best_val": None}).epochs
        [Epoch(epoch=1, loss=2.0, val=None, seconds=0.1)]
        """
        try:
            check_schema(progress, required(**NOTED))
        except ValueError:
            # Whoever saves a checkpoint may note what they like as progress.
            return cls(stopped=stopped)
        assert progress is not None
        rows = [
            Epoch(**{name: row[name] for name in ROW_SCHEMA["properties"]})
            for row in progress["epochs"]
        ]
        return cls(rows, progress["best_epoch"], progress["best_val"], stopped)

    def to_progress(self) -> dict[str, Any]:
        """What :meth:`from_progress` reads."""
        rows = [asdict(epoch) for epoch in self.epochs]
        return {"epochs": rows, "best_epoch": self.best_epoch, "best_val": self.best_val}

    def to_csv(self) -> str:
        """The rows as CSV with a header."""
        rows = [",".join("" if v is None else f"{v:.9g}" for v in astuple(e)) for e in self.epochs]
        return "\n".join([",".join(f.name for f in fields(Epoch)), *rows, ""])


def check_score(val: Any) -> float:
    """Score of a validation as a finite number."""
    score = float(val)
    if not math.isfinite(score):
        raise ValueError(
            f"validate gave {score}; a score must be a finite number, higher is better"
        )
    return score


ROW_SCHEMA = required(
    epoch={"type": "integer"},
    loss={"type": "number"},
    val={"type": ["number", "null"]},
    seconds={"type": "number"},
)
NOTED: dict[str, Any] = {
    "epochs": {"type": "array", "items": ROW_SCHEMA},
    "best_epoch": {"type": "integer"},
    "best_val": {"type": ["number", "null"]},
}
Scheduler = LRScheduler
# Options that are checksums, and in words what differs with them.
DATA = {
    "data": "other nodes or labels",
    "features": "other features",
    "hypergraph": "another hypergraph, or other weights of it,",
}
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


def require_same(folder: Path, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuse to go on with other options than those that a run began with."""
    # Another model may also have cut out other data: say the cause first.
    for name in sorted({*before, *now}, key=lambda name: (name in DATA, name)):
        is_unknown = name in DATA and None in (before.get(name), now.get(name))
        if before.get(name) == now.get(name) or is_unknown:
            continue
        what = f"with {name}={before.get(name)!r}, not {now.get(name)!r}"
        what = f"on {DATA[name]} than these" if name in DATA else what
        raise ValueError(
            f"{folder} was trained {what}; resume with the same, or start again in another folder"
        )


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
            # Nothing moves them. Another kind of option, or an lr beyond float32, would end in an
            # error of torch, in the middle of a step.
            if is_adam and now[name] != then[name]:
                raise ValueError(
                    f"the optimizer's {name} is {then[name]!r:.60}, and the run's {now[name]!r}"
                )
    optimizer.load_state_dict({"state": entries, "param_groups": moved})


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
