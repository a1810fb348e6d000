"""What a run of training did, epoch by epoch."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field, fields
from typing import Any

from .._utils import check_schema


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
            check_schema(progress, PROGRESS_SCHEMA)
        except ValueError:
            # Whoever saves a checkpoint may note what they like as progress.
            return cls(stopped=stopped)
        assert progress is not None
        rows = [Epoch(**{name: row[name] for name in _ROW}) for row in progress["epochs"]]
        return cls(rows, progress["best_epoch"], progress["best_val"], stopped)

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


_ROW = {
    "epoch": {"type": "integer"},
    "loss": {"type": "number"},
    "val": {"type": ["number", "null"]},
    "seconds": {"type": "number"},
}
ROW_SCHEMA = {"type": "object", "required": list(_ROW), "properties": _ROW}
_NOTED = {
    "epochs": {"type": "array", "items": ROW_SCHEMA},
    "best_epoch": {"type": "integer"},
    "best_val": {"type": ["number", "null"]},
}
PROGRESS_SCHEMA = {"type": "object", "required": list(_NOTED), "properties": _NOTED}
