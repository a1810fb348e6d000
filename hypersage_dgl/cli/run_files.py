"""What ``train --out`` leaves beside its checkpoint: ``run.json`` and the page ``report.html``."""

from __future__ import annotations

import argparse
import math
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from .._utils import JSON_TYPES, PathLike, read_record, to_json, write_text
from ..data import REGRESSION, HyperedgeSplit, LabelledHypergraph, NodeSet
from ..nn import Baseline, HyperedgePredictor, HyperSAGE, in_evaluation
from ..training import (
    History,
    Predictor,
    evaluate_hyperedges,
    has_checkpoint,
    score_candidates,
    seed_everything,
)
from .sources import say
from .text import printable

RECORD = "run.json"
VERSION = 1
# Neither decides what is trained.
LEFT_OUT = {"checkpoint", "debug", "no_report", "out", "prog", "resume", "run", "runs"}
LEFT_OUT |= {"hyperedge_columns", "jobs", "ranges", "recipe", "tensorboard", "words"}
PAGE = "report.html"
NO_PICTURE = (
    "the page has no picture of a neighbourhood, which needs matplotlib: "
    'pip install "hypersage-dgl[viz]"'
)


class Sets(NamedTuple):
    """A model that scores sets of nodes, and what it is tested on."""

    data: LabelledHypergraph
    model: HyperedgePredictor
    feat: Tensor
    split: HyperedgeSplit
    negatives: Mapping[str, Sequence[NodeSet]]


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
        write_text(Path(folder) / RECORD, to_json(document) + "\n")


def read_run_record(folder: PathLike) -> RunRecord:
    """Read that of a folder; an empty one if there is none, as beside a model of ``fit``."""
    path = Path(folder) / RECORD
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


def write_run_page(
    args: argparse.Namespace,
    path: Path,
    predictor: Predictor,
    task: LabelledHypergraph,
    history: History,
    record: RunRecord,
    *,
    batch_size: int | None = None,
) -> None:
    """Write the page and say where it is; ``batch_size`` as in ``Predictor.predict``."""
    # Here, since `--help` shall not wait for what pages need.
    from ..drawing import RunReport, has_matplotlib, write_report

    found = predictor.predict(task, task.require_feat(), batch_size)
    outputs = found.label if predictor.about.task == REGRESSION else found.probabilities
    # What a sampler draws for the picture, so that the same run gives the same page.
    seed_everything(args.seed)
    write_report(
        RunReport(
            task,
            outputs.cpu(),
            history,
            _embedding(predictor.model, task, batch_size),
            record.options,
            record.command,
            alpha=_fan_out(record.options, "alpha"),
            beta=_fan_out(record.options, "beta"),
        ),
        path,
    )
    if not has_matplotlib():
        say(args, NO_PICTURE)
    print(f"page on the run: {printable(path)}")


def write_sets_page(path: Path, given: Sets, history: History, record: RunRecord) -> None:
    """Write the page of a model that scores sets of nodes, and say where it is."""
    from ..drawing import HyperedgeReport, write_hyperedge_report

    data, model, feat, split, negatives = given
    sets = [*split.test, *(members for each in negatives.values() for members in each)]
    with torch.no_grad():
        embedding = in_evaluation(model.encoder)(split.graph, feat).cpu()
    write_hyperedge_report(
        HyperedgeReport(
            data,
            split.test,
            negatives,
            score_candidates(model, split.graph, feat, sets).cpu(),
            evaluate_hyperedges(model, split, feat, negatives),
            history,
            record.options,
            record.command,
            embedding,
        ),
        path,
    )
    print(f"page on the run: {printable(path)}")


def _embedding(
    model: HyperSAGE | Baseline, task: LabelledHypergraph, batch_size: int | None
) -> Tensor | None:
    """The last hidden layer, where there is one and the whole hypergraph fits at once."""
    if not isinstance(model, HyperSAGE) or len(model.layers) < 2 or batch_size is not None:
        return None
    device = next(model.parameters()).device
    with torch.no_grad():
        hidden: Tensor = in_evaluation(model).embed(
            task.graph.to(device), task.require_feat().to(device)
        )
    return hidden.cpu()


def _fan_out(options: Mapping[str, Any], name: str) -> int:
    """That of the last layer, which is the one around the node in the picture; -1 for all."""
    try:
        return int(str(options.get(name, -1)).rpartition(",")[2])
    except ValueError:
        return -1
