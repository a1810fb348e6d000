"""The files of a checkpoint: a record in JSON, and safetensors that it names by their SHA-256."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import safetensors.torch
from torch import Tensor

from ..._utils import read_record, replacing, required

Tensors = Mapping[str, Tensor]
VERSION = 1
RECORD, LOG = "checkpoint.json", "log.csv"
TENSOR_FILE = re.compile(r"(weights|state)-[0-9a-f]{16}\.safetensors")
# With what a killed process leaves of files that it was writing.
OUR_FILE = re.compile(
    rf"{TENSOR_FILE.pattern}"
    rf"|\.({TENSOR_FILE.pattern}|{re.escape(RECORD)}|{re.escape(LOG)})\.[0-9a-f]+\.part"
)


@contextmanager
def saving(folder: Path) -> Iterator[None]:
    """Let an error of the file system say what was to be written and where."""
    try:
        yield
    except OSError as error:
        reason = f"cannot save into {folder}: {error.strerror or error}"
        raise OSError(error.errno, reason) from error


def write_tensors(folder: Path, kind: str, tensors: Tensors) -> dict[str, str]:
    """Write a new file and return its entry in the record."""
    # clone: safetensors refuses tensors that share memory, and a learned p may be shared.
    content = safetensors.torch.save({k: v.detach().cpu().clone() for k, v in tensors.items()})
    file = folder / f"{kind}-{secrets.token_hex(8)}.safetensors"
    with replacing(file) as stream:
        stream.write(content)
    return {"file": file.name, "sha256": hashlib.sha256(content).hexdigest()}


def read_tensors(folder: Path, entry: Mapping[str, str] | None) -> Tensors:
    """Read the file of an entry; ``ValueError`` for what it cannot be, whatever the entry says."""
    if entry is None:
        return {}
    if not TENSOR_FILE.fullmatch(entry["file"]):
        raise ValueError(
            f"{folder / RECORD} names {entry['file']!r:.60}, which is not a file of a checkpoint"
        )
    file = folder / entry["file"]
    content = file.read_bytes()
    if hashlib.sha256(content).hexdigest() != entry["sha256"]:
        raise ValueError(
            f"{file} is truncated or was changed: its SHA-256 is not the recorded one; restore it "
            "or train again"
        )
    try:
        tensors: Tensors = safetensors.torch.load(content)
    # Besides its own, safetensors raises a KeyError on a type that torch has not, and others.
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise ValueError(
            f"{file} is not a safetensors file: {reason}; restore it or train again"
        ) from None
    return tensors


def recorded(folder: Path) -> dict[str, Any]:
    """Read the record of a folder; ``ValueError`` if it was changed since it was saved."""
    return read_record(folder / RECORD, _SCHEMA, "checkpoint", "restore it or train again")


def sweep_folder(folder: Path, record: Mapping[str, Any] | None = None) -> None:
    """Remove files of earlier checkpoints and of broken saves, which the record does not name."""
    try:
        record = record or recorded(folder)
        entries = [record["weights"], record["state"]]
    except FileNotFoundError:
        entries = []
    except (OSError, ValueError):
        # A damaged record cannot tell what someone may still want to rescue.
        return
    kept = [entry["file"] for entry in entries if entry is not None]
    with suppress(OSError):
        for file in folder.iterdir():
            if OUR_FILE.fullmatch(file.name) and file.name not in kept:
                file.unlink()


_OBJECT, _STRING, _STRINGS = (
    {"type": "object"},
    {"type": "string"},
    {"type": "array", "items": {"type": "string"}},
)
_TENSORS = required(file=_STRING, sha256=_STRING)
_OPTIONAL = {"type": ["object", "null"]}
_SCHEMA = required(
    version={"enum": [VERSION]},
    model=_OBJECT,
    weights=_TENSORS,
    state={**_TENSORS, **_OPTIONAL},
    progress=_OPTIONAL,
    classes=_STRINGS,
    feature_names=_STRINGS,
    statistics=_OBJECT,
    task=_STRING,
    scale={"type": "array", "items": {"type": "number"}},
    training=_OBJECT,
    sha256=_STRING,
    versions=_OBJECT,
)
