"""Checkpoints: tensors as safetensors, everything else as JSON; whole or not at all, no code.

``checkpoint.json`` names the tensor files and their SHA-256. Tensor files get a new name each
time, so replacing the JSON file is the one moment of change: a process killed at any point leaves
the earlier checkpoint or the new one. What it leaves besides is swept away by the next save.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar, overload

import dgl
import torch
from torch import nn

from ..._utils import PathLike, locked, write_sealed
from ..._version import __version__
from ..tasks import Scale, check_task
from .about import About
from .files import (
    RECORD,
    VERSION,
    Tensors,
    read_tensors,
    recorded,
    saving,
    sweep_folder,
    write_tensors,
)
from .model_json import MODULE, described, fill, rebuilt

Module = TypeVar("Module", bound=nn.Module)
# Seconds for another who saves into the same folder to end.
PATIENCE = 10.0


@dataclass(frozen=True)
class Checkpoint(Generic[Module]):
    """A model with what it is about and, if it can be resumed, the state of its training."""

    model: Module
    about: About
    versions: Mapping[str, str]
    progress: Mapping[str, Any] | None = None
    state: Tensors = field(default_factory=dict)


def save_checkpoint(
    folder: PathLike,
    model: nn.Module,
    about: About | None = None,
    *,
    weights: Tensors | None = None,
    progress: Mapping[str, Any] | None = None,
    state: Tensors | None = None,
) -> None:
    """Save a model; an earlier checkpoint in the folder is replaced.

    Parameters
    ----------
    folder
        Created if needed.
    model
        A HyperSAGE whose aggregators, norm and activation have names in ``saving/model_json.py``,
        or one of :data:`~hypersage_dgl.nn.baselines.BASELINES`: they are made again by
        :func:`load_checkpoint`. Or any module, of which the weights are kept and which must be
        given there.
    about
        Classes, feature names and statistics.
    weights
        Weights to save instead of the model's own, such as those of the best epoch.
    progress, state
        Numbers and tensors that training needs to resume.

    Raises
    ------
    OSError
        If the folder cannot be written or is full; the earlier checkpoint is then as it was.
    BlockingIOError
        If a training goes on in the folder; the error says whose.

    Examples
    --------
    >>> import tempfile
    >>> from hypersage_dgl.nn import HyperSAGE
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_checkpoint(folder, HyperSAGE(4, 8, 2), About(classes=("red", "blue")))
    ...     load_checkpoint(folder).about.classes
    ('red', 'blue')
    """
    folder = Path(folder)
    (about or About()).check(model)
    with saving(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with locked(folder, "save a checkpoint", wait=PATIENCE):
        write_checkpoint(folder, model, about, weights=weights, progress=progress, state=state)


def write_checkpoint(
    folder: Path,
    model: nn.Module,
    about: About | None = None,
    *,
    weights: Tensors | None = None,
    progress: Mapping[str, Any] | None = None,
    state: Tensors | None = None,
) -> None:
    """What :func:`save_checkpoint` does, by one who holds the lock of the folder."""
    about = about or About()
    about.check(model)
    record: dict[str, Any] = {
        "version": VERSION,
        "model": described(model),
        "classes": list(about.classes),
        "feature_names": list(about.feature_names),
        "statistics": dict(about.statistics),
        "task": about.task,
        "scale": list(about.scale),
        "training": dict(about.training),
        "versions": _versions(),
        "progress": None if progress is None else dict(progress),
        "state": None,
    }
    try:
        with saving(folder):
            record["weights"] = write_tensors(folder, "weights", weights or model.state_dict())
            if state is not None:
                record["state"] = write_tensors(folder, "state", state)
            write_sealed(folder / RECORD, record)
    except BaseException:
        # The record is the earlier one, or just the new one.
        sweep_folder(folder)
        raise
    sweep_folder(folder, record)


@overload
def load_checkpoint(folder: PathLike) -> Checkpoint[Any]: ...


@overload
def load_checkpoint(folder: PathLike, model: Module) -> Checkpoint[Module]: ...


@overload
def load_checkpoint(folder: PathLike, model: nn.Module | None) -> Checkpoint[Any]: ...


def load_checkpoint(folder: PathLike, model: nn.Module | None = None) -> Checkpoint[Any]:
    """Load a checkpoint onto the CPU. No code in it is run: it is JSON and plain tensors.

    Parameters
    ----------
    folder
        Where it was saved.
    model
        What gets the weights; by default a new HyperSAGE or baseline, or a HyperedgePredictor with
        one. A checkpoint of a module of your own needs it, made as the saved one was.

    Raises
    ------
    FileNotFoundError
        If there is none.
    ValueError
        If a file is foreign, truncated or changed since it was saved.
    """
    folder = Path(folder)
    record = recorded(folder)
    try:
        weights = read_tensors(folder, record["weights"])
        state = read_tensors(folder, record["state"])
    except FileNotFoundError as error:
        if recorded(folder) != record:
            # A training process has just replaced it.
            return load_checkpoint(folder, model)
        raise ValueError(f"{error.filename} is missing; restore it or train again") from None
    if MODULE in record["model"] and model is None:
        raise ValueError(
            f"{folder} holds a {record['model'][MODULE]} that is not made of this library's parts "
            "alone; make one as it was and give it: load_checkpoint(folder, model=...)"
        )
    try:
        if model is None:
            model = rebuilt(record["model"], weights)
        else:
            fill(model, record["model"], weights)
        about = About(
            tuple(record["classes"]),
            tuple(record["feature_names"]),
            record["statistics"],
            check_task(record["task"]),
            record["training"],
            Scale(*record["scale"]),
        )
        about.check(model)
    except (KeyError, OverflowError, RuntimeError, TypeError, ValueError) as error:
        raise ValueError(f"{folder / RECORD} does not describe its weights: {error}") from None
    return Checkpoint(model, about, record["versions"], record["progress"], state)


def has_checkpoint(folder: PathLike) -> bool:
    """Whether the folder holds a checkpoint."""
    return (Path(folder) / RECORD).is_file()


def _versions() -> dict[str, str]:
    return {
        "hypersage_dgl": __version__,
        "dgl": dgl.__version__,
        "torch": torch.__version__,
        "python": platform.python_version(),
    }
