"""What a run of training did, epoch by epoch."""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass, field, fields
from typing import Any


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
