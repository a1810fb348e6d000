"""The training loop: any batches, early stopping, progress, log, checkpoints, resume."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, astuple, dataclass, field, fields
from pathlib import Path
from typing import Any, Callable, Protocol

import torch
from torch import Tensor
from tqdm import tqdm

from ..convert.files import PathLike, write_text
from ..nn import HyperSAGE
from .batches import Batch
from .checkpoint import About, load_checkpoint, save_checkpoint
from .objective import Objective
from .seed import epoch_seed, seed_everything

LOG = "log.csv"


class Batches(Protocol):
    """What an epoch goes through: :class:`FullGraph`, :class:`Minibatches` or your own."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Batch]: ...


@dataclass(frozen=True)
class Epoch:
    """One row of the log; ``val`` is None where nothing was validated."""

    epoch: int
    loss: float
    val: float | None
    seconds: float


@dataclass
class History:
    """What a run did, the epoch whose weights the model has now, and why it stopped."""

    epochs: list[Epoch] = field(default_factory=list)
    best_epoch: int = 0
    best_val: float | None = None
    stopped: str = "all epochs done"

    def to_csv(self) -> str:
        """The rows as CSV with a header."""
        rows = [",".join("" if v is None else f"{v:.9g}" for v in astuple(e)) for e in self.epochs]
        return "\n".join([",".join(f.name for f in fields(Epoch)), *rows, ""])


def fit(
    model: HyperSAGE,
    batches: Batches,
    *,
    epochs: int,
    lr: float = 0.01,
    weight_decay: float = 5e-4,
    objective: Objective | None = None,
    validate: Callable[[HyperSAGE], float] | None = None,
    patience: int | None = None,
    seed: int = 0,
    folder: PathLike | None = None,
    about: About | None = None,
    resume: bool = False,
    progress: bool | None = None,
) -> History:
    """Train a model with Adam; it ends with the weights of its best, or else its last, epoch.

    Parameters
    ----------
    model
        The model that ``batches`` calls.
    batches
        :class:`~hypersage_dgl.training.FullGraph` or
        :class:`~hypersage_dgl.training.Minibatches`.
    epochs
        Number of epochs, those before a resume included.
    lr, weight_decay
        Of Adam; the defaults are the paper's.
    objective
        The loss; by default cross-entropy without class weights.
    validate
        Scores the model after each epoch, higher is better. Without it the last epoch counts.
    patience
        Stop after so many epochs without a better score; needs ``validate``.
    seed
        What an epoch draws depends on this and on its number alone.
    folder
        Where to keep a checkpoint and ``log.csv`` after each epoch; without it nothing is kept.
    about
        Goes into the checkpoint.
    resume
        Go on from the checkpoint in ``folder``: the curve is that of an unbroken run.
    progress
        Show a progress bar; by default if standard error is a terminal.

    Returns
    -------
    History
        Ctrl-C ends the run after saving the last full epoch, with ``stopped="interrupted"``.
    """
    if patience is not None and validate is None:
        raise ValueError("patience needs validate: without a score nothing can get better")
    if resume and folder is None:
        raise ValueError("resume needs folder, where the checkpoint is")
    run = _Run(model, lr, weight_decay, seed, validate is not None)
    if resume and folder is not None:
        run.restore(folder)
    show = sys.stderr.isatty() if progress is None else progress
    history, objective = run.history, objective or Objective()
    bar = tqdm(total=epochs, initial=len(history.epochs), unit="epoch", disable=not show)
    try:
        for number in range(len(history.epochs) + 1, epochs + 1):
            if patience is not None and number - 1 - history.best_epoch >= patience:
                history.stopped = f"no better score in {patience} epochs"
                break
            start = time.perf_counter()
            seed_everything(epoch_seed(seed, number))
            loss = _train_epoch(model, batches, objective, run.optimizer, number)
            val = None if validate is None else validate(model)
            run.finish(Epoch(number, loss, val, time.perf_counter() - start))
            if folder is not None:
                run.save(folder, about)
            bar.update()
            bar.set_postfix(loss=f"{loss:.3f}", **({} if val is None else {"val": f"{val:.4f}"}))
    except KeyboardInterrupt:
        history.stopped = "interrupted"
        run.roll_back()
    finally:
        bar.close()
    model.load_state_dict(run.best)
    model.eval()
    return history


def _train_epoch(
    model: HyperSAGE,
    batches: Batches,
    objective: Objective,
    optimizer: torch.optim.Optimizer,
    number: int,
) -> float:
    model.train()
    total, count = 0.0, 0
    for batch in batches:
        loss = objective(batch.logits, batch.labels)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        total, count = total + float(loss.detach()) * len(batch.labels), count + len(batch.labels)
    if not math.isfinite(total):
        raise FloatingPointError(
            f"the loss of epoch {number} is {total / count}; look for NaN or infinite features, or "
            "lower lr"
        )
    return total / count


class _Run:
    """Weights, optimizer and history of a run, as they go into and come out of a checkpoint."""

    def __init__(
        self, model: HyperSAGE, lr: float, weight_decay: float, seed: int, scored: bool
    ) -> None:
        self.model, self.history = model, History()
        self.options = {"lr": lr, "weight_decay": weight_decay, "seed": seed, "scored": scored}
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr, weight_decay=weight_decay)
        self.best = self.last = _copy(model.state_dict())

    def finish(self, epoch: Epoch) -> None:
        """Take note of a finished epoch."""
        history = self.history
        history.epochs.append(epoch)
        self.last = _copy(self.model.state_dict())
        is_better = history.best_val is None or (epoch.val or -math.inf) > history.best_val
        if epoch.val is None or is_better:
            self.best, history.best_epoch, history.best_val = self.last, epoch.epoch, epoch.val

    def roll_back(self) -> None:
        """Forget an epoch that was not finished."""
        self.model.load_state_dict(self.last)

    def save(self, folder: PathLike, about: About | None) -> None:
        """Save the best weights, and what resuming needs."""
        history = self.history
        state = {f"last.{name}": value for name, value in self.last.items()}
        for index, entry in self.optimizer.state_dict()["state"].items():
            state.update({f"optimizer.{index}.{k}": torch.as_tensor(v) for k, v in entry.items()})
        progress = {
            "options": self.options,
            "best_epoch": history.best_epoch,
            "best_val": history.best_val,
            "epochs": [asdict(epoch) for epoch in history.epochs],
        }
        save_checkpoint(
            folder, self.model, about, weights=self.best, progress=progress, state=state
        )
        write_text(Path(folder) / LOG, history.to_csv())

    def restore(self, folder: PathLike) -> None:
        """Go back to where a checkpoint was made."""
        saved = load_checkpoint(folder)
        if saved.progress is None:
            raise ValueError(f"{folder} holds a model but no state of training to resume from")
        if saved.progress["options"] != self.options:
            raise ValueError(
                f"{folder} was trained with {saved.progress['options']}, not {self.options}; "
                "resume with the same options, or start anew in another folder"
            )
        self.best = dict(saved.model.state_dict())
        self.last = _part(saved.state, "last.")
        try:
            self.model.load_state_dict(self.last)
        except RuntimeError as error:
            raise ValueError(f"{folder} holds another model: {error}") from None
        entries: dict[int, dict[str, Tensor]] = {}
        for name, value in _part(saved.state, "optimizer.").items():
            index, key = name.split(".", 1)
            entries.setdefault(int(index), {})[key] = value
        groups = self.optimizer.state_dict()["param_groups"]
        self.optimizer.load_state_dict({"state": entries, "param_groups": groups})
        self.history.epochs = [Epoch(**row) for row in saved.progress["epochs"]]
        self.history.best_epoch = saved.progress["best_epoch"]
        self.history.best_val = saved.progress["best_val"]


def _copy(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name: value.detach().clone() for name, value in tensors.items()}


def _part(tensors: Any, prefix: str) -> dict[str, Tensor]:
    return {k[len(prefix) :]: v for k, v in tensors.items() if k.startswith(prefix)}
