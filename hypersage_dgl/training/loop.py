"""The training loop: any batches, early stopping, progress, log, checkpoints, resume."""

from __future__ import annotations

import math
import sys
import time
import zlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Callable, Protocol

import torch
from torch import Tensor
from tqdm import tqdm

from .._utils import PathLike, require_count
from ..nn import HyperSAGE
from .batches import Batch
from .checkpoint import About
from .checks import check_targets
from .objective import Objective
from .run import Epoch, History, Run, check_score
from .seed import epoch_seed, seed_everything


class Batches(Protocol):
    """What an epoch goes through: :class:`FullGraph`, :class:`Minibatches` or your own."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Batch]: ...


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
        Scores the model, set to evaluation and without gradients, after each epoch; higher is
        better. Without it the last epoch counts.
    patience
        Stop after so many epochs without a better score; needs ``validate``.
    seed
        What an epoch draws depends on this and on its number alone.
    folder
        Where to keep a checkpoint and ``log.csv`` after each epoch; without it nothing is kept.
    about
        Goes into the checkpoint; on resume the earlier one stays if none is given.
    resume
        Go on from the checkpoint in ``folder``, which must be there: the curve is that of an
        unbroken run. So all options that decide it must be the same; ``epochs`` and ``patience``
        may differ.
    progress
        Show a progress bar; by default if standard error is a terminal.

    Returns
    -------
    History
        Ctrl-C ends the run after saving the last full epoch, with ``stopped="interrupted"``.
    """
    epochs = require_count(epochs, "epochs")
    if patience is not None:
        patience = require_count(patience, "patience")
        if validate is None:
            raise ValueError("patience needs validate: without a score nothing can get better")
    if resume and folder is None:
        raise ValueError("resume needs folder, where the checkpoint is")
    objective = objective or Objective()
    _check_batches(batches, model, objective)
    options = {
        "lr": lr,
        "weight_decay": weight_decay,
        "seed": seed,
        "scored": validate is not None,
        "class_weight": _numbers(objective),
        "data": _checksum(batches),
        **getattr(batches, "options", {}),
    }
    if getattr(batches, "targets", torch.empty(0)).dim() == 2:
        about = replace(about or About(), multi_label=True)
    run = Run(model, options, folder, about)
    run.restore() if resume else run.require_new()
    history = run.history
    show = sys.stderr.isatty() if progress is None else progress
    bar = tqdm(total=epochs, initial=len(history.epochs), unit="epoch", disable=not show)
    try:
        for number in range(len(history.epochs) + 1, epochs + 1):
            if patience is not None and number - 1 - history.best_epoch >= patience:
                history.stopped = f"no better score in {patience} epochs"
                break
            start = time.perf_counter()
            seed_everything(epoch_seed(seed, number))
            loss = _train_epoch(model, batches, objective, run.optimizer, number)
            val = None if validate is None else _score(model, validate)
            run.finish(Epoch(number, loss, val, time.perf_counter() - start))
            run.save()
            bar.update()
            bar.set_postfix(loss=f"{loss:.3f}", **({} if val is None else {"val": f"{val:.4f}"}))
    except KeyboardInterrupt:
        history.stopped = "interrupted"
        # Only where it came while the last full epoch was being saved.
        run.save()
    finally:
        bar.close()
    model.load_state_dict(run.best)
    model.eval()
    return history


def _score(model: HyperSAGE, validate: Callable[[HyperSAGE], float]) -> float:
    model.eval()
    with torch.no_grad():
        return check_score(validate(model))


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
    if count == 0:
        raise ValueError("an epoch needs at least one batch with a node; batches gave none")
    if not math.isfinite(total):
        raise FloatingPointError(
            f"the loss of epoch {number} is {total / count}; look for NaN or infinite features, or "
            "lower lr"
        )
    return total / count


def _check_batches(batches: Any, model: HyperSAGE, objective: Objective) -> None:
    """Refuse labels that cannot be learned, where the batches tell them, and a model not theirs."""
    called = getattr(batches, "model", model)
    if next(called.parameters()) is not next(model.parameters()):
        raise ValueError("the batches call another model than the one to train; make them with it")
    targets, weights = getattr(batches, "targets", None), _numbers(objective)
    if targets is not None:
        check_targets(targets, model.config["out_feats"], every=True)
        if weights is not None and len(weights) != model.config["out_feats"]:
            raise ValueError(
                f"{len(weights)} class weights for {model.config['out_feats']} classes; give one "
                "for each"
            )


def _checksum(batches: Any) -> int | None:
    """Tells other nodes or labels from those that a run began with; None if batches do not say."""
    known = [getattr(batches, name, None) for name in ("nodes", "targets")]
    parts = [part.detach().cpu().numpy().tobytes() for part in known if part is not None]
    return zlib.crc32(b"".join(parts)) if parts else None


def _numbers(objective: Any) -> list[float] | None:
    # An objective of one's own may have no weights.
    weight: Tensor | None = getattr(objective, "class_weight", None)
    return None if weight is None else weight.tolist()
