"""Checkpoints: tensors as safetensors, everything else as JSON; whole or not at all, no code.

``checkpoint.json`` names the tensor files and their SHA-256. Tensor files get a new name each
time, so replacing the JSON file is the one moment of change: a process killed at any point leaves
the earlier checkpoint or the new one.
"""

from __future__ import annotations

import hashlib
import platform
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dgl
import safetensors.torch
import torch
from torch import Tensor

from .._version import __version__
from ..convert.files import PathLike, read_json, to_json, write_text
from ..convert.schema import check
from ..data.cache import replacing
from ..nn import HyperSAGE
from .config import decode_config, encode_config

RECORD = "checkpoint.json"
VERSION = 1
Tensors = Mapping[str, Tensor]


@dataclass(frozen=True)
class About:
    """What a model was trained for, kept beside its weights.

    ``classes[k]`` names class ``k``, ``feature_names[i]`` feature ``i``; ``statistics`` measures
    the training data. All may be empty.
    """

    classes: Sequence[str] = ()
    feature_names: Sequence[str] = ()
    statistics: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Checkpoint:
    """A model with what it is about and, if it can be resumed, the state of its training."""

    model: HyperSAGE
    about: About
    versions: Mapping[str, str]
    progress: Mapping[str, Any] | None = None
    state: Tensors = field(default_factory=dict)


def save_checkpoint(
    folder: PathLike,
    model: HyperSAGE,
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
        Made if need be.
    model
        A model whose aggregators, norm and activation have names in ``training/config.py``.
    about
        Classes, feature names and statistics.
    weights
        Weights to save in the place of the model's own, such as those of the best epoch.
    progress, state
        Numbers and tensors that training needs to resume.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_checkpoint(folder, HyperSAGE(4, 8, 2), About(classes=("red", "blue")))
    ...     load_checkpoint(folder).about.classes
    ('red', 'blue')
    """
    folder, about = Path(folder), about or About()
    record: dict[str, Any] = {
        "version": VERSION,
        "model": encode_config(model.config),
        "classes": list(about.classes),
        "feature_names": list(about.feature_names),
        "statistics": dict(about.statistics),
        "versions": _versions(),
        "progress": None if progress is None else dict(progress),
        "state": None,
    }
    earlier = _earlier_files(folder)
    written: list[Path] = []
    try:
        record["weights"] = _write(folder, "weights", weights or model.state_dict(), written)
        if state is not None:
            record["state"] = _write(folder, "state", state, written)
        write_text(folder / RECORD, to_json(record))
    except BaseException:
        for file in written:
            file.unlink(missing_ok=True)
        raise
    for file in earlier:
        file.unlink(missing_ok=True)


def load_checkpoint(folder: PathLike) -> Checkpoint:
    """Load a checkpoint onto the CPU. No code in it is run: it is JSON and plain tensors.

    Raises
    ------
    FileNotFoundError
        If there is none.
    ValueError
        If a file is foreign, truncated or changed since it was saved.
    """
    folder = Path(folder)
    record = _read_record(folder)
    weights = _read(folder, record["weights"])
    try:
        model = HyperSAGE(**decode_config(record["model"]))
        model.load_state_dict(dict(weights))
    except (RuntimeError, TypeError, ValueError) as error:
        raise ValueError(f"{folder / RECORD} does not describe its weights: {error}") from None
    about = About(tuple(record["classes"]), tuple(record["feature_names"]), record["statistics"])
    state = {} if record["state"] is None else _read(folder, record["state"])
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


def _write(folder: Path, kind: str, tensors: Tensors, written: list[Path]) -> dict[str, str]:
    # clone: safetensors refuses tensors that share memory, and a learned p may be shared.
    content = safetensors.torch.save({k: v.detach().cpu().clone() for k, v in tensors.items()})
    file = folder / f"{kind}-{secrets.token_hex(8)}.safetensors"
    with replacing(file) as stream:
        stream.write(content)
    written.append(file)
    return {"file": file.name, "sha256": hashlib.sha256(content).hexdigest()}


def _read(folder: Path, entry: Mapping[str, str]) -> Tensors:
    file = folder / entry["file"]
    if Path(entry["file"]).name != entry["file"] or file.suffix != ".safetensors":
        raise ValueError(
            f"{folder / RECORD} names {entry['file']!r}, which is not a file beside it"
        )
    if not file.is_file():
        raise ValueError(f"{file} is missing; restore it or train again")
    content = file.read_bytes()
    if hashlib.sha256(content).hexdigest() != entry["sha256"]:
        raise ValueError(
            f"{file} is truncated or was changed: its SHA-256 is not the noted one; restore it or "
            "train again"
        )
    tensors: Tensors = safetensors.torch.load(content)
    return tensors


def _read_record(folder: Path) -> dict[str, Any]:
    path = folder / RECORD
    if not path.is_file():
        raise FileNotFoundError(f"{folder} holds no checkpoint: there is no {RECORD} in it")
    record: dict[str, Any] = read_json(path)
    try:
        check(record, _SCHEMA)
    except ValueError as error:
        raise ValueError(f"{path} is not a checkpoint of hypersage_dgl: {error}") from None
    return record


def _earlier_files(folder: Path) -> list[Path]:
    try:
        record = _read_record(folder)
    except (FileNotFoundError, ValueError):
        return []
    entries = [record["weights"], record["state"]]
    return [folder / Path(entry["file"]).name for entry in entries if entry is not None]


_STRING = {"type": "string"}
_STRINGS = {"type": "array", "items": _STRING}
_TENSORS = {
    "required": ["file", "sha256"],
    "properties": {"file": _STRING, "sha256": _STRING},
}
_PROPERTIES = {
    "version": {"enum": [VERSION]},
    "model": {"type": "object"},
    "weights": {"type": "object", **_TENSORS},
    "state": {"type": ["object", "null"], **_TENSORS},
    "progress": {"type": ["object", "null"]},
    "classes": _STRINGS,
    "feature_names": _STRINGS,
    "statistics": {"type": "object"},
    "versions": {"type": "object"},
}
_SCHEMA = {"type": "object", "required": list(_PROPERTIES), "properties": _PROPERTIES}
