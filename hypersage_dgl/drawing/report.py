"""A page on one run: curves, scores, errors and pictures in one file that opens offline."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
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
from ..hypergraphs import CONTAINS
from ..training import History
from .charts import line_chart
from .colours import PALETTE, class_colour
from .contents import content_of, names_of
from .figure import has_matplotlib, inline_svg
from .findings import Error, node_to_show
from .neighbourhood import draw_neighbourhood
from .page import percent, shown, write_page


@dataclass(frozen=True)
class RunReport:
    """All that the page on a run is made of.

    Parameters
    ----------
    data
        The hypergraph with classes, labels or else numbers, whose first split is that of the run.
    outputs
        A row of probabilities for each node, with a column for each class or label; of numbers,
        the predicted one of each node.
    history
        What the training did.
    embedding
        A row for each node, such as ``model.embed(graph, feat)``; without it the map is one of the
        log-probabilities, and of numbers there is none.
    options
        The configuration of the run, to be listed.
    command
        What to type to repeat it.
    alpha, beta
        Fan-outs, if the run sampled: the picture then shows what a draw leaves out.
    """

    data: LabelledHypergraph
    outputs: Tensor
    history: History | None = None
    embedding: Tensor | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    command: str = ""
    alpha: int = -1
    beta: int = -1

    def __post_init__(self) -> None:
        data, given = self.data, tuple(self.outputs.shape)
        is_number = data.labels is None and data.numbers is not None
        wanted = (data.num_nodes,) if is_number else (data.num_nodes, data.num_classes)
        if given != wanted:
            columns = "" if is_number else " and a column for each class"
            raise ValueError(
                f"outputs have the shape {given}; {data.name} needs {wanted}, a row for each node"
                f"{columns}"
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
    found = content_of(data, report.outputs, nodes, report.embedding)
    history, tiles = report.history, list(found.scores)
    if history is not None and history.best_val is not None:
        best = shown(history.best_val) if found.is_number else percent(history.best_val)
        tiles.append((best, "best validation score" + ("" if found.is_number else ", %")))
    known = "number" if found.is_number else "class" if found.confusion else "label"
    picture = _picture(report, found.errors)
    return {
        "name": data.name,
        "nodes": len(nodes),
        "connected": int((data.graph.in_degrees(etype=CONTAINS)[nodes] > 0).sum()),
        "scored": "test nodes" if test is not None and len(test) else f"nodes with a {known}",
        "tiles": tiles,
        "known": known,
        "found": found,
        "classes": names_of(data),
        "colours": [class_colour(k) for k in range(max(data.num_classes, len(found.legend)))],
        # The longest bar of a table: all of a share, the largest mean error.
        "longest": max(r.share for r in found.by_degree) or 1.0 if found.is_number else 1.0,
        "history": history,
        "curves": _curves(history),
        "options": {k: shown(v) for k, v in report.options.items()},
        "statistics": {k: shown(v) for k, v in data.statistics().items()},
        "environment": _environment(),
        "command": report.command,
        "sampled": (report.alpha, report.beta) != (-1, -1),
        "is_embedded": report.embedding is not None,
        "picture": None if picture is None else {**picture, "said": found.say(picture["node"])},
    }


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


def _picture(report: RunReport, errors: Sequence[Error]) -> dict[str, Any] | None:
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
