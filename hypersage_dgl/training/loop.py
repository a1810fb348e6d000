"""The training loop: any batches, early stopping, progress, log, checkpoints, resume."""

from __future__ import annotations

import math
import sys
import time
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from tqdm import tqdm

from .._utils import PathLike, require_count
from ..data import REGRESSION
from .batches import Batches
from .checks import LR, WEIGHT_DECAY, check_optimizer, check_targets, warn_of_missing
from .evaluator import evaluating
from .processes import bare, from_first, my_rank, num_ranks, summed
from .saving import (
    About,
    Epoch,
    History,
    Run,
    Scheduler,
    check_scheduler,
    check_score,
    digests,
    step,
)
from .seed import epoch_seed, seed_everything
from .tasks import Objective, check_labels, check_task, objective_of, task_of
from .threads import threads_for

Loss = Callable[[Tensor, Tensor], Tensor]


def fit(
    model: nn.Module,
    batches: Batches,
    *,
    epochs: int,
    lr: float = LR,
    weight_decay: float = WEIGHT_DECAY,
    task: str | None = None,
    objective: Loss | None = None,
    optimizer: torch.optim.Optimizer | None = None,
    scheduler: Scheduler | None = None,
    validate: Callable[[Any], float] | None = None,
    patience: int | None = None,
    seed: int = 0,
    folder: PathLike | None = None,
    about: About | None = None,
    save_interval: float = 0.0,
    resume: bool = False,
    progress: bool | None = None,
    on_epoch: Callable[[Epoch], None] | None = None,
) -> History:
    """Train a model; it ends with the weights of its best, or else its last, epoch.

    Parameters
    ----------
    model
        Any module that is called as ``model(graph, feat)``. One with a method
        ``penalty(graph, logits)``, such as :class:`~hypersage_dgl.nn.baselines.MLPHLR`, is trained
        on the loss plus that penalty, divided by the number of nodes to train on as the mean loss
        is; the loss that is logged is the objective's alone. One that
        :func:`~hypersage_dgl.training.data_parallel` made is trained by all ranks together; the
        first one scores and saves.
    batches
        :class:`~hypersage_dgl.training.FullGraph`, :class:`~hypersage_dgl.training.Minibatches`,
        or any :class:`~hypersage_dgl.training.Batch` objects that each epoch can go through, such
        as a list.
    epochs
        Number of epochs, those before a resume included.
    lr, weight_decay
        Of Adam; the defaults are the paper's. Not beside an ``optimizer``, which has its own.
    task
        What is learned: ``"classification"`` (one class a node), ``"multilabel"`` (0/1 rows of
        labels), ``"regression"`` (numbers: one a node, or a row of them), or, with
        :class:`~hypersage_dgl.training.HyperedgeBatches`, ``"hyperedge"``. It decides the loss and
        goes into the checkpoint. By default classes or rows, as the labels are;
        :func:`~hypersage_dgl.training.score_on` makes the ``validate`` of tasks of nodes.
    objective
        The loss, ``objective(logits, labels)``, a mean over nodes; by default that of the task:
        :class:`~hypersage_dgl.training.Objective`, cross-entropy without class weights, or
        :class:`~hypersage_dgl.training.SquaredError`.
    optimizer, scheduler
        In the place of Adam, a torch optimizer of the model's parameters, and a scheduler of it,
        which steps after each epoch. Both are saved and resumed.
    validate
        Scores the model, set to evaluation and without gradients, after each epoch; higher is
        better; :func:`~hypersage_dgl.training.accuracy_on` makes the usual one. Without it the
        last epoch counts.
    patience
        Stop after that many epochs without a better score; needs ``validate``.
    seed
        What an epoch draws depends on this and on its number alone.
    folder
        Where to keep a checkpoint and ``log.csv`` after each epoch; without it nothing is kept.
        One run at a time holds its ``.lock``; a second one is told who (``BlockingIOError``).
        Of a module of your own, or with an aggregator of your own, only the weights are kept:
        ``load_checkpoint(folder, model=...)`` asks for the module.
    about
        Goes into the checkpoint; on resume the earlier one stays if none is given.
    save_interval
        Seconds from one save to the next, at least: where an epoch takes less than saving does. A
        killed process loses the epochs since then; the end, Ctrl-C and an error save the rest.
    resume
        Go on from the checkpoint in ``folder``, which must be there: the curve is that of an
        unbroken run. So all options that decide it must be the same, and so must features,
        hypergraph, nodes and labels; ``epochs`` and ``patience`` may differ.
    progress
        Show a progress bar; by default if standard error is a terminal.
    on_epoch
        Called after each epoch, once it is kept, with its row of the history.

    Returns
    -------
    History
        Ctrl-C ends the run after saving the last full epoch, with ``stopped="interrupted"``.
    """
    epochs = require_count(epochs, "epochs")
    if not isinstance(save_interval, (int, float)) or not save_interval >= 0:
        raise ValueError(f"save_interval is {save_interval!r}; it must be a number of seconds")
    if patience is not None:
        patience = require_count(patience, "patience")
        if validate is None:
            raise ValueError("patience needs validate: without a score nothing can get better")
    if resume and folder is None:
        raise ValueError("resume needs folder, where the checkpoint is")
    if scheduler is not None:
        check_scheduler(scheduler, optimizer, validate is not None)
    check_optimizer(optimizer, lr, weight_decay)
    if epochs > 1 and hasattr(batches, "__next__"):
        kind = type(batches).__name__
        raise TypeError(
            f"batches is a {kind}, which is empty after one epoch; give what each can go through, "
            "such as a list"
        )
    task = None if task is None else check_task(task)
    objective = objective or objective_of(task)
    targets: Tensor | None = getattr(batches, "targets", None)
    if targets is not None and task is not None:
        check_labels(targets, task)
    if hasattr(batches, "check"):
        batches.check(bare(model))
    if my_rank() > 0:
        folder = None
    options = {
        "seed": seed,
        "scored": validate is not None,
        "class_weight": _numbers(objective),
        "data": _checksum(batches),
        # Read through only where it will be asked for.
        **(digests(batches) if folder is not None else {}),
        **({"task": task} if task == REGRESSION else {}),
        **getattr(batches, "options", {}),
    }
    learned = task or (None if targets is None else task_of(targets))
    # On resume without one, the earlier about stays, and has its task.
    if learned is not None and not (resume and about is None):
        about = replace(about or About(), task=learned)
    adam = {"lr": lr, "weight_decay": weight_decay}
    run = Run(bare(model), optimizer or adam, scheduler, options, folder, about, save_interval)
    show = my_rank() == 0 and (sys.stderr.isatty() if progress is None else progress)
    with run.alone():
        if my_rank() == 0:
            run.restore() if resume else run.require_new()
        if resume and num_ranks() > 1:
            run.load(from_first(run.state))
        return _train(
            model, batches, objective, run, epochs, validate, patience, seed, show, on_epoch
        )


def _train(
    model: nn.Module,
    batches: Batches,
    objective: Loss,
    run: Run,
    epochs: int,
    validate: Callable[[Any], float] | None,
    patience: int | None,
    seed: int,
    show: bool,
    on_epoch: Callable[[Epoch], None] | None,
) -> History:
    history, scheduler = run.history, run.scheduler
    bar = tqdm(total=epochs, initial=len(history.epochs), unit="epoch", disable=not show)
    try:
        first = len(history.epochs) + 1
        for number in range(first, epochs + 1):
            if patience is not None and number - 1 - history.best_epoch >= patience:
                history.stopped = f"no better score in {patience} epochs"
                break
            start = time.perf_counter()
            seed_everything(epoch_seed(seed, number))
            loss = _train_epoch(
                model, batches, objective, run.optimizer, number == first, run.about
            )
            if not math.isfinite(loss):
                raise FloatingPointError(
                    f"the loss of epoch {number} is {loss}; look for NaN or infinite features, or "
                    "lower lr"
                )
            val = None if validate is None else from_first(partial(_score, bare(model), validate))
            if scheduler is not None:
                step(scheduler, loss, val)
            run.finish(Epoch(number, loss, val, time.perf_counter() - start))
            run.save_in_time()
            if on_epoch is not None:
                on_epoch(history.epochs[-1])
            bar.update()
            bar.set_postfix(loss=f"{loss:.3f}", **({} if val is None else {"val": f"{val:.4f}"}))
        run.save()
    except KeyboardInterrupt:
        history.stopped = "interrupted"
        # What was not saved yet, or was being saved when it came.
        run.save()
    except Exception:
        run.save_rest()
        raise
    finally:
        bar.close()
    bare(model).load_state_dict(run.best)
    model.eval()
    return history


def _score(model: nn.Module, validate: Callable[[Any], float]) -> float:
    with evaluating(model):
        return check_score(validate(model))


def _train_epoch(
    model: nn.Module,
    batches: Batches,
    objective: Loss,
    optimizer: torch.optim.Optimizer,
    is_first: bool,
    about: About | None,
) -> float:
    model.train()
    # An attribute of that name may be anything, such as a factor.
    penalty = getattr(bare(model), "penalty", None)
    penalty = penalty if callable(penalty) else None
    total, count = 0.0, 0.0
    for batch in batches:
        with threads_for(batch):
            logits = model(batch.graph, batch.feat)
            if count == 0 and is_first:
                _check_outputs(logits, batches, objective, about)
            loss = objective(logits[batch.rows], batch.labels)
            goal = loss
            if penalty is not None:
                # The penalty is a sum, the loss a mean: divided alike, lambda weighs sum against
                # sum.
                goal = loss + penalty(batch.graph, logits) / len(batch.labels)
            if batch.share != 1:
                goal = goal * batch.share
            optimizer.zero_grad()
            goal.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
        counted = len(batch.labels) if batch.share > 0 else 0
        total, count = total + float(loss.detach()) * counted, count + counted
    total, count = summed(total, count)
    if count == 0:
        raise ValueError("an epoch needs at least one batch with a node; batches gave none")
    return total / count


def _check_outputs(logits: Tensor, batches: Any, objective: Loss, about: About | None) -> None:
    """Refuse labels that cannot be learned, where the batches tell them, before the first step."""
    targets: Tensor | None = getattr(batches, "targets", None)
    if targets is None:
        return
    outputs = logits.shape[1] if logits.dim() > 1 else 1
    # With another loss only integers for several outputs are sure to be classes.
    is_class = targets.dim() == 1 and not targets.is_floating_point() and outputs > 1
    if isinstance(objective, Objective) or is_class:
        check_targets(targets, outputs)
        warn_of_missing(targets, outputs, () if about is None else about.classes)
    weights = _numbers(objective)
    if weights is not None and len(weights) != outputs:
        raise ValueError(f"{len(weights)} class weights for {outputs} classes; give one for each")


def _checksum(batches: Any) -> int | None:
    """Tells other nodes or labels from those that a run began with; None if batches do not say."""
    known = [getattr(batches, name, None) for name in ("nodes", "targets")]
    parts = [part.detach().cpu().numpy().tobytes() for part in known if part is not None]
    return zlib.crc32(b"".join(parts)) if parts else None


def _numbers(objective: Any) -> list[float] | None:
    # An objective of one's own may have no weights.
    weight: Tensor | None = getattr(objective, "class_weight", None)
    return None if weight is None else weight.tolist()
