"""A page on one run: curves, scores, errors and pictures in one file that opens offline."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dgl
import torch
from markupsafe import Markup
from torch import Tensor

from .._utils import PathLike
from .._version import __version__
from ..data import LabelledHypergraph
from ..training import History, evaluate
from .charts import line_chart
from .colours import PALETTE, class_colour
from .figure import has_matplotlib, inline_svg
from .findings import (
    Error,
    by_class,
    by_degree,
    confusion,
    embedding_map,
    node_to_show,
    surest_errors,
)
from .neighbourhood import draw_neighbourhood
from .page import shown, write_page


@dataclass(frozen=True)
class RunReport:
    """All that the page on a run is made of.

    Parameters
    ----------
    data
        The hypergraph with classes, whose first split is that of the run.
    probabilities
        A row for each node, a column for each class.
    history
        What the training did.
    embedding
        A row for each node, such as ``model.embed(graph, feat)``; without it the map is one of the
        log-probabilities.
    options
        The configuration of the run, to be listed.
    command
        What to type to repeat it.
    alpha, beta
        Fan-outs, if the run sampled: the picture then shows what a draw leaves out.
    """

    data: LabelledHypergraph
    probabilities: Tensor
    history: History | None = None
    embedding: Tensor | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    command: str = ""
    alpha: int = -1
    beta: int = -1

    def __post_init__(self) -> None:
        wanted = (self.data.num_nodes, self.data.num_classes)
        if tuple(self.probabilities.shape) != wanted:
            raise ValueError(
                f"probabilities have the shape {tuple(self.probabilities.shape)}; {self.data.name} "
                f"needs {wanted}, a row for each node and a column for each class"
            )


def write_report(report: RunReport, path: PathLike) -> Path:
    """Write the page as HTML that needs nothing else: no script, no font, no picture from outside.

    Without matplotlib, the extra ``viz``, it has no picture of a neighbourhood.

    Examples
    --------
    >>> import tempfile
    >>> from hypersage_dgl.data import load
    >>> data = load("synthetic")
    >>> guess = torch.full((data.num_nodes, data.num_classes), 0.25)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = write_report(RunReport(data, guess), f"{folder}/report.html")
    ...     "<h1>synthetic</h1>" in page.read_text(encoding="utf-8")
    True
    """
    return write_page(path, "report.html", **_content(report))


def _content(report: RunReport) -> dict[str, Any]:
    data, test = report.data, report.data.part("test") if report.data.splits else None
    nodes = data.part("all") if test is None or len(test) == 0 else test
    labels = data.require_labels()
    scores = evaluate(report.probabilities.double().logit(eps=1e-9), labels, nodes, data.graph)
    classes = [str(n) for n in data.class_names] or [str(k) for k in range(data.num_classes)]
    predicted = report.probabilities.argmax(dim=1)
    content: dict[str, Any] = {
        "name": data.name,
        "scored": "test nodes" if test is not None and len(test) else "nodes with a class",
        "scores": scores,
        "classes": classes,
        "colours": [class_colour(k) for k in range(len(classes))],
        "history": report.history,
        "curves": _curves(report.history),
        "by_class": by_class(scores, labels[nodes], classes),
        "options": {k: shown(v) for k, v in report.options.items()},
        "statistics": {k: shown(v) for k, v in data.statistics().items()},
        "environment": _environment(),
        "command": report.command,
        "sampled": (report.alpha, report.beta) != (-1, -1),
        "is_embedded": report.embedding is not None,
    }
    errors: list[Error] = []
    rest: dict[str, Any] = {"confusion": [], "by_degree": [], "map": None}
    if labels.dim() == 1:
        errors = surest_errors(data, report.probabilities, nodes, predicted, classes)
        embedding = report.embedding
        if embedding is None:
            embedding = report.probabilities.clamp(min=1e-9).log()
        rest = {
            "confusion": confusion(labels[nodes], predicted[nodes], len(classes)),
            "by_degree": by_degree(data, labels, predicted, nodes),
            "map": embedding_map(data, embedding, nodes, predicted),
        }
    picture = _picture(report, errors)
    if picture is not None and labels.dim() == 1:
        node = picture["node"]
        picture["truth"] = classes[int(labels[node])] if labels[node] >= 0 else None
        picture["guess"] = classes[int(predicted[node])]
        picture["probability"] = float(report.probabilities[node].max())
    return {**content, **rest, "errors": errors, "picture": picture}


def _curves(history: History | None) -> Mapping[str, Markup]:
    if history is None or not history.epochs:
        return {}
    best = history.best_epoch or None
    loss = line_chart({"training loss": [e.loss for e in history.epochs]}, [PALETTE["blue"]], best)
    found = {"training loss": Markup(loss)}
    values = [e.val for e in history.epochs]
    if any(v is not None for v in values):
        chart = line_chart({"validation score": values}, [PALETTE["vermilion"]], best)
        found["validation score"] = Markup(chart)
    return found


def _picture(report: RunReport, errors: list[Error]) -> dict[str, Any] | None:
    node = node_to_show(report.data.graph, errors)
    if node is None or not has_matplotlib():
        return None
    data = report.data
    figure = draw_neighbourhood(data, node, alpha=report.alpha, beta=report.beta)
    return {"name": str(data.node_names[node]), "node": node, "svg": Markup(inline_svg(figure))}


def _environment() -> dict[str, str]:
    return {
        "hypersage_dgl": __version__,
        "dgl": dgl.__version__,
        "torch": torch.__version__,
        "Python": platform.python_version(),
        "machine": platform.platform(terse=True),
    }
