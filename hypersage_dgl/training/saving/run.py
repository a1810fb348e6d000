"""What a run of training has done so far, and how it goes into a checkpoint and comes back."""

from __future__ import annotations

import copy
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple

from torch import Tensor, nn
from torch.optim import Adam, Optimizer

from ..._utils import PathLike, check_schema, locked, required, write_text
from .about import About
from .checkpoint import has_checkpoint, load_checkpoint, write_checkpoint
from .files import LOG, saving, sweep_folder
from .model_json import MODULE, described
from .progress import (
    NOTED,
    ROW_SCHEMA,
    Epoch,
    History,
    Scheduler,
    options_of,
    pack,
    pack_groups,
    pack_tensors,
    require_same,
    restore_optimizer,
    unpack,
)


class Kept(NamedTuple):
    """All that a checkpoint needs of the last full epoch, whatever the next one has changed."""

    history: History
    best: dict[str, Tensor]
    last: dict[str, Tensor]
    optimizer: dict[str, Tensor]
    groups: list[dict[str, Any]]
    schedule: Any


class Run:
    """Weights, optimizer and history of a run, kept in a folder as it goes on if there is one.

    ``options`` are all numbers that decide its curve: to resume, they must be the same.
    """

    def __init__(
        self,
        model: nn.Module,
        optimizer: Optimizer | dict[str, Any],
        scheduler: Scheduler | None,
        options: Mapping[str, Any],
        folder: PathLike | None,
        about: About | None,
        save_interval: float = 0.0,
    ) -> None:
        self.save_interval, self._last_save = save_interval, time.monotonic()
        self.model, self.history, self.scheduler = model, History(), scheduler
        self.folder, self.about = None if folder is None else Path(folder), about
        self.is_adam = not isinstance(optimizer, Optimizer)
        if isinstance(optimizer, Optimizer):
            self.optimizer = optimizer
        else:
            self.optimizer = Adam(model.parameters(), **optimizer)
        self.best = _copy(model.state_dict())
        self._kept: Kept | None = None
        self._saved = 0
        self.options = dict(options)
        if self.folder is not None:
            # What cannot be saved is better known before the first epoch than after it.
            described(model)
            self._schedule()
            if isinstance(optimizer, Optimizer):
                optimizer = options_of(optimizer, scheduler)
            self.options.update(optimizer)
            with saving(self.folder):
                self.folder.mkdir(parents=True, exist_ok=True)
                TemporaryFile(dir=self.folder).close()

    def alone(self) -> AbstractContextManager[None]:
        """Hold the folder, if there is one: two runs would remove each other's files."""
        return nullcontext() if self.folder is None else locked(self.folder, "train")

    def finish(self, epoch: Epoch) -> None:
        """Take note of a finished epoch."""
        history, last, best = self.history, _copy(self.model.state_dict()), self.best
        score = history.best_epoch, history.best_val
        if epoch.val is None or history.best_val is None or epoch.val > history.best_val:
            best, score = last, (epoch.epoch, epoch.val)
        if self.folder is not None:
            # In one step, and a copy: Ctrl-C may come at any point, in the middle of a step too.
            self._kept = Kept(
                History([*history.epochs, epoch], *score),
                best,
                last,
                _copy(pack_tensors(self.optimizer)),
                pack_groups(self.optimizer),
                self._schedule(),
            )
        history.epochs.append(epoch)
        self.best, (history.best_epoch, history.best_val) = best, score

    def save_in_time(self) -> None:
        """Save, unless that was done less than ``save_interval`` seconds ago."""
        if time.monotonic() - self._last_save >= self.save_interval:
            self.save()

    def save_rest(self) -> None:
        """Save what the interval left, on the way out with an error."""
        if self.save_interval > 0:
            with suppress(OSError):
                self.save()

    def save(self) -> None:
        """Save the best weights, and what resuming needs, unless that is done already."""
        kept = self._kept
        if self.folder is None or kept is None or self._saved == len(kept.history.epochs):
            return
        state = {f"last.{name}": value for name, value in kept.last.items()}
        for name, value in kept.optimizer.items():
            state[f"optimizer.{name}"] = value
        progress = {
            "options": self.options,
            **kept.history.to_progress(),
            "groups": kept.groups,
            "scheduler": kept.schedule,
        }
        write_checkpoint(
            self.folder, self.model, self.about, weights=kept.best, progress=progress, state=state
        )
        self._write_log()
        self._saved, self._last_save = len(kept.history.epochs), time.monotonic()

    def require_new(self) -> None:
        """Refuse to write over a run that someone may want to resume."""
        if self.folder is not None and has_checkpoint(self.folder):
            raise FileExistsError(
                f"{self.folder} holds a checkpoint already; continue it with resume=True, or name "
                "another folder"
            )

    def restore(self) -> None:
        """Go back to where the checkpoint in the folder was made."""
        assert self.folder is not None
        # Into a copy, so that a run that is turned away leaves the model as it was.
        saved = load_checkpoint(self.folder, self._filled())
        if saved.progress is None:
            raise ValueError(f"{self.folder} holds a model but no state of training to resume from")
        try:
            check_schema(saved.progress, required(**_PROGRESS))
        except ValueError as error:
            raise ValueError(f"{self.folder} cannot be resumed: progress{error}") from None
        require_same(self.folder, described(saved.model), described(self.model))
        require_same(self.folder, saved.progress["options"], self.options)
        self.best = dict(saved.model.state_dict())
        try:
            self.model.load_state_dict(_part(saved.state, "last."))
            restore_optimizer(
                self.optimizer,
                _part(saved.state, "optimizer."),
                saved.progress["groups"],
                is_adam=self.is_adam,
            )
            if self.scheduler is not None:
                self.scheduler.load_state_dict(unpack(saved.progress["scheduler"]))
        # A scheduler may be of anyone's making.
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise ValueError(f"{self.folder} holds no state of this model: {reason}") from None
        try:
            self.history = History.from_progress(saved.progress, self.history.stopped)
            self.history.to_csv()
        except OverflowError as error:
            raise ValueError(f"{self.folder} cannot be resumed: progress.epochs: {error}") from None
        self.history.resumed_from = len(self.history.epochs)
        self.about = self.about or saved.about
        # A process killed between checkpoint and log left the log one row behind.
        self._write_log()
        # And files in part, which no later save removes if the run was at its end.
        sweep_folder(self.folder)
        self._saved = len(self.history.epochs)

    def state(self) -> dict[str, Any]:
        """What another rank needs to go on from here."""
        return {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "scheduler": None if self.scheduler is None else self.scheduler.state_dict(),
            "history": self.history,
            "best": self.best,
        }

    def load(self, state: Mapping[str, Any]) -> None:
        """Take over the :meth:`state` of another rank."""
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        if self.scheduler is not None:
            self.scheduler.load_state_dict(state["scheduler"])
        self.history, self.best = state["history"], state["best"]

    def _filled(self) -> nn.Module | None:
        """What a checkpoint is to be loaded into; None for a HyperSAGE, which loads by itself."""
        return copy.deepcopy(self.model) if MODULE in described(self.model) else None

    def _schedule(self) -> Any:
        scheduler = self.scheduler
        return None if scheduler is None else pack(scheduler.state_dict(), "the scheduler")

    def _write_log(self) -> None:
        assert self.folder is not None
        with saving(self.folder):
            write_text(self.folder / LOG, self.history.to_csv())


def _copy(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name: value.detach().clone() for name, value in tensors.items()}


def _part(tensors: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {k[len(prefix) :]: v for k, v in tensors.items() if k.startswith(prefix)}


_PROGRESS: dict[str, Any] = {
    **NOTED,
    "epochs": {"type": "array", "items": {**ROW_SCHEMA, "additionalProperties": False}},
    "options": {"type": "object"},
    "groups": {"type": "array", "items": {"type": "object"}},
    "scheduler": {"type": ["object", "null"]},
}
