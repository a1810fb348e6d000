"""A page on one run: curves, scores, errors and pictures in one file that opens offline."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import dgl
import torch
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup
from torch import Tensor

from .._utils import PathLike, write_text
from .._version import __version__
from ..data import LabelledHypergraph
from ..hypergraphs import CONTAINS
from ..training import History, Scores, evaluate
from .charts import line_chart, scatter_chart
from .colours import PALETTE, class_colour
from .figure import render
from .neighbourhood import draw_neighbourhood, neighbourhood

# Nodes on the map, rows of errors, members of a picture: more cannot be looked at.
MOST_POINTS, MOST_ERRORS, MOST_MEMBERS = 1500, 15, 40
FEWEST_MEMBERS = 5
DEGREES = ((0, 0), (1, 1), (2, 2), (3, 5), (6, 10), (11, None))


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
        A row for each node, such as ``model.embed(graph, feat)``.
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
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    source = resources.files(__package__).joinpath("report.html").read_text(encoding="utf-8")
    environment.filters["percent"] = lambda share: "n/a" if share != share else f"{100 * share:.1f}"
    write_text(path, environment.from_string(source).render(**_content(report)) + "\n")
    return Path(path)


def _content(report: RunReport) -> dict[str, Any]:
    data, test = report.data, report.data.part("test") if report.data.splits else None
    nodes = data.part("all") if test is None or len(test) == 0 else test
    labels = data.require_labels()
    scores = evaluate(report.probabilities.logit(eps=1e-9), labels, nodes, data.graph)
    classes = [str(n) for n in data.class_names] or [str(k) for k in range(data.num_classes)]
    is_single = labels.dim() == 1
    predicted = report.probabilities.argmax(dim=1)
    errors = _errors(report, nodes, predicted, classes) if is_single else []
    return {
        "name": data.name,
        "scored": "test nodes" if test is not None and len(test) else "nodes with a class",
        "scores": scores,
        "classes": classes,
        "colours": [class_colour(k) for k in range(len(classes))],
        "history": report.history,
        "curves": _curves(report.history),
        "confusion": _confusion(labels[nodes], predicted[nodes], len(classes)) if is_single else [],
        "by_class": _by_class(scores, labels[nodes], classes),
        "by_degree": _by_degree(data, labels, predicted, nodes) if is_single else [],
        "map": _map(report, nodes, predicted) if is_single else None,
        "errors": errors,
        "picture": _picture(report, errors),
        "options": {k: _shown(v) for k, v in report.options.items()},
        "statistics": {k: _shown(v) for k, v in data.statistics().items()},
        "environment": _environment(),
        "command": report.command,
        "sampled": (report.alpha, report.beta) != (-1, -1),
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


def _confusion(target: Tensor, predicted: Tensor, count: int) -> list[list[int]]:
    """Rows are true classes, columns predicted ones."""
    table = torch.bincount(target.cpu() * count + predicted.cpu(), minlength=count * count)
    found: list[list[int]] = table.view(count, count).tolist()
    return found


def _by_class(scores: Scores, target: Tensor, classes: list[str]) -> list[tuple[str, int, float]]:
    if target.dim() == 2:
        counts = target.sum(0).tolist()
    else:
        counts = torch.bincount(target, minlength=len(classes)).tolist()
    return [
        (name, int(count), score) for name, count, score in zip(classes, counts, scores.per_class)
    ]


def _by_degree(
    data: LabelledHypergraph, labels: Tensor, predicted: Tensor, nodes: Tensor
) -> list[tuple[str, int, float]]:
    degree = data.graph.in_degrees(etype=CONTAINS)[nodes.to(data.graph.device)].cpu()
    is_right = (predicted[nodes] == labels[nodes]).cpu()
    rows = []
    for low, high in DEGREES:
        chosen = (degree >= low) & (degree <= (high if high is not None else degree.max()))
        if bool(chosen.any()):
            name = (
                "none (isolated)" if high == 0 else f"{low}" if low == high else f"{low} to {high}"
            )
            name = f"{low} or more" if high is None else name
            rows.append((name, int(chosen.sum()), float(is_right[chosen].double().mean())))
    return rows


def _errors(
    report: RunReport, nodes: Tensor, predicted: Tensor, classes: list[str]
) -> list[dict[str, Any]]:
    """The wrong predictions that the model is surest of."""
    labels = report.data.require_labels()
    wrong = nodes[(predicted != labels)[nodes]]
    sureness = report.probabilities[wrong].amax(dim=1) if len(wrong) else torch.empty(0)
    order = sureness.argsort(descending=True, stable=True)[:MOST_ERRORS]
    return [
        {
            "node": node,
            "name": str(report.data.node_names[node]),
            "truth": classes[int(labels[node])],
            "guess": classes[int(predicted[node])],
            "probability": float(report.probabilities[node].max()),
            "degree": int(report.data.graph.in_degrees(node, etype=CONTAINS)),
        }
        for node in wrong[order].tolist()
    ]


def _map(report: RunReport, nodes: Tensor, predicted: Tensor) -> Markup | None:
    """The embeddings of some nodes on their two main axes."""
    if report.embedding is None or report.embedding.shape[1] < 2 or len(nodes) < 3:
        return None
    # Evenly over the ids, so that a page of the same run is the same page.
    places = torch.linspace(0, len(nodes) - 1, min(len(nodes), MOST_POINTS)).long()
    chosen = torch.unique(nodes[places])
    rows = report.embedding[chosen].detach().double().cpu()
    rows = rows - rows.mean(0)
    _, _, axes = torch.linalg.svd(rows, full_matrices=False)
    labels = report.data.require_labels()[chosen]
    names = [str(report.data.node_names[i]) for i in chosen.tolist()]
    points = [(x, y) for x, y in (rows @ axes[:2].T).tolist()]
    wrong = (predicted[chosen] != labels).tolist()
    return Markup(scatter_chart(points, labels.tolist(), names, wrong))


def _picture(report: RunReport, errors: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The surest error, or else the first node, with a neighbourhood that is worth a look."""
    graph = report.data.graph
    others = (graph.in_degrees(etype=CONTAINS) > 0).nonzero().flatten()[:200].tolist()
    candidates = [*(e["node"] for e in errors if e["degree"]), *others]
    sizes = {node: len(neighbourhood(graph, node).members) for node in dict.fromkeys(candidates)}
    for least in (FEWEST_MEMBERS, 1):
        fitting = [node for node in sizes if least <= sizes[node] <= MOST_MEMBERS]
        if fitting:
            node = fitting[0]
            break
    else:
        return None
    try:
        figure = draw_neighbourhood(report.data, node, alpha=report.alpha, beta=report.beta)
    except ImportError:
        # matplotlib is an extra; the page does without.
        return None
    svg = render(figure, "svg").decode("utf-8")
    return {"name": str(report.data.node_names[node]), "svg": Markup(svg[svg.index("<svg") :])}


def _environment() -> dict[str, str]:
    return {
        "hypersage_dgl": __version__,
        "dgl": dgl.__version__,
        "torch": torch.__version__,
        "Python": platform.python_version(),
        "machine": platform.platform(terse=True),
    }


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.4g}"
    if callable(value):
        # Without the address in memory that its repr shows.
        return getattr(value, "__name__", type(value).__name__)
    return f"{value:,}" if type(value) is int else str(value)
