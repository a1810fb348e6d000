"""TensorBoard event files of a run, on request."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..training import Epoch

FOLDER = "tensorboard"


def require_tensorboard() -> None:
    """Raise ``ImportError`` with the cure where TensorBoard is missing."""
    if find_spec("tensorboard") is None:
        raise ImportError(
            "--tensorboard needs the package tensorboard: pip install "
            '"hypersage-dgl[tensorboard]", or leave the option out'
        )


class Events:
    """Writes what a run does, epoch by epoch, into the folder ``tensorboard`` of its folder.

    ``score`` names what validation and test measure.
    """

    def __init__(self, folder: str | Path, score: str = "accuracy") -> None:
        require_tensorboard()
        # TensorBoard takes no other letters.
        self.score = score.replace("²", "2")
        self.folder = Path(folder) / FOLDER
        self._writer: Any = None
        self._last = 0

    def __call__(self, epoch: Epoch) -> None:
        """Write the row of an epoch."""
        writer = self._open(epoch.epoch)
        writer.add_scalar("loss/train", epoch.loss, epoch.epoch)
        if epoch.val is not None:
            writer.add_scalar(f"{self.score}/validation", epoch.val, epoch.epoch)
        writer.add_scalar("seconds/epoch", epoch.seconds, epoch.epoch)
        writer.flush()
        self._last = epoch.epoch

    def finish(self, scores: Mapping[str, float], command: str) -> None:
        """Write the score on test nodes by each evaluation, and the command."""
        if self._writer is not None:
            for name, score in scores.items():
                self._writer.add_scalar(f"{self.score}/test {name}", score, self._last)
            self._writer.add_text("command", f"    {command}", self._last)

    def close(self) -> None:
        """Close the file, if there is one; the writer has a thread of its own."""
        if self._writer is not None:
            self._writer.close()

    def _open(self, first: int) -> Any:
        if self._writer is None:
            from torch.utils.tensorboard import SummaryWriter

            # A resumed run replaces what a killed one wrote after its checkpoint.
            self._writer = SummaryWriter(str(self.folder), purge_step=first)
        return self._writer
