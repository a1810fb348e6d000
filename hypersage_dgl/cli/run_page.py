"""The page on a run, ``report.html``, from a model and the data that it was trained on."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from ..data import REGRESSION, HyperedgeSplit, LabelledHypergraph, NodeSet
from ..nn import Baseline, HyperedgePredictor, HyperSAGE, in_evaluation
from ..training import (
    History,
    Predictor,
    evaluate_hyperedges,
    score_candidates,
    seed_everything,
)
from .run_record import RunRecord
from .sources import say
from .text import printable

FILE = "report.html"
NO_PICTURE = (
    "the page has no picture of a neighbourhood, which needs matplotlib: "
    'pip install "hypersage-dgl[viz]"'
)


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


def write_sets_page(
    path: Path,
    model: HyperedgePredictor,
    data: LabelledHypergraph,
    split: HyperedgeSplit,
    feat: Tensor,
    negatives: Mapping[str, Sequence[NodeSet]],
    history: History,
    record: RunRecord,
) -> None:
    """Write the page of a model that scores sets of nodes, and say where it is."""
    from ..drawing import HyperedgeReport, write_hyperedge_report

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
