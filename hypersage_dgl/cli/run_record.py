"""What ``train --out`` notes of a run beside its checkpoint: ``run.json``."""

from __future__ import annotations

import argparse
import math
import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .._utils import JSON_TYPES, PathLike, read_record, to_json, write_text
from ..training import Scores, has_checkpoint

FILE = "run.json"
VERSION = 1
# Neither decides what is trained.
LEFT_OUT = {"checkpoint", "debug", "no_report", "out", "prog", "resume", "run", "runs"}
LEFT_OUT |= {"hyperedge_columns", "jobs", "ranges", "recipe", "tensorboard", "words"}


@dataclass(frozen=True)
class RunRecord:
    """The command of a run, its options, its scores on test nodes, and why it stopped."""

    command: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)
    stopped: str = ""

    def write(self, folder: PathLike) -> None:
        """Write it into the folder of the run."""
        document = {"version": VERSION, **asdict(self)}
        write_text(Path(folder) / FILE, to_json(document) + "\n")


def read_run_record(folder: PathLike) -> RunRecord:
    """Read that of a folder; an empty one if there is none, as beside a model of ``fit``."""
    path = Path(folder) / FILE
    if not path.is_file():
        return RunRecord()
    noted = read_record(path, _SCHEMA, "run")
    for name, value in noted["scores"].items():
        if not JSON_TYPES["number"](value):
            raise ValueError(f"{path}: the score {name!r} is {value!r:.40}; it must be a number")
    return RunRecord(*(noted[name] for name in _PARTS))


def refuse_kept(args: argparse.Namespace) -> None:
    """Refuse to overwrite the run that is in ``--out``."""
    if args.out is not None and has_checkpoint(args.out) and not args.resume:
        raise ValueError(
            f"{args.out} holds a checkpoint already; continue it with --resume, or name another "
            "folder"
        )


def command_of(args: argparse.Namespace) -> str:
    """What to type to train the same once more; one of several runs is named by its seed."""
    words = [word for word in args.words if word != "--resume"]
    if args.runs > 1:
        # Of an option that is given twice the last one counts.
        words += ["--runs", "1", "--seed", str(args.seed), "--out", str(args.out)]
    return shlex.join([args.prog.split()[0], *words])


def options_of(args: argparse.Namespace, **known: Any) -> dict[str, Any]:
    """The options that decide what is trained, those that were not given with their defaults.

    ``known`` are values that the options alone do not tell.
    """
    given = {name: value for name, value in vars(args).items() if name not in LEFT_OUT}
    return {
        name: _plain(value)
        for name, value in {**given, **known}.items()
        if value is not None and value is not False and value != []
    }


def scores_of(found: Mapping[str, Scores]) -> dict[str, float]:
    """Scores on test nodes by name; without those that there was nothing to score for."""
    rows = {}
    for name, scores in found.items():
        rows[f"accuracy ({name})"] = scores.accuracy
        rows[f"macro-F1 ({name})"] = scores.macro_f1
        rows[f"accuracy of connected nodes ({name})"] = scores.connected_accuracy
    return {name: value for name, value in rows.items() if not math.isnan(value)}


def _plain(value: Any) -> Any:
    """As JSON can hold it: it has neither infinity nor paths."""
    if isinstance(value, (tuple, list)):
        return ",".join(str(_plain(part)) for part in value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if isinstance(value, (bool, int, float, str)) else str(value)


_PARTS: Mapping[str, Any] = {
    "command": {"type": "string"},
    "options": {"type": "object"},
    "scores": {"type": "object"},
    "stopped": {"type": "string"},
}
_SCHEMA = {
    "type": "object",
    "required": ["version", *_PARTS],
    "properties": {"version": {"enum": [VERSION]}, **_PARTS},
}
