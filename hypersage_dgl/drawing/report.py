"""Pages on one run, and on several side by side: each one file that opens offline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markupsafe import Markup
from torch import Tensor

from .._utils import PathLike
from ..data import LabelledHypergraph
from ..hypergraphs import CONTAINS
from ..training import History
from .charts import line_chart
from .contents import content_of, names_of
from .figure import class_colour
from .findings import node_to_show
from .page import percent, picture_of, run_content, shown, write_page

# What stands where a run has no such option, or no such score.
NONE = "-"


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
    >>> import tempfile, torch
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
    kind = "test nodes" if test is not None and len(test) else f"nodes with a {known}"
    connected = int((data.graph.in_degrees(etype=CONTAINS)[nodes] > 0).sum())
    node = node_to_show(data.graph, found.errors)
    return {
        **run_content(data, history, report.options, report.command),
        "scored": f"Scored on {len(nodes):,} {kind}, {connected:,} of them in a hyperedge.",
        "tiles": tiles,
        "known": known,
        "found": found,
        "classes": names_of(data),
        "colours": [class_colour(k) for k in range(max(data.num_classes, len(found.legend)))],
        # The longest bar of a table: all of a share, the largest mean error.
        "longest": max(r.share for r in found.by_degree) or 1.0 if found.is_number else 1.0,
        "is_embedded": report.embedding is not None,
        "sampled": (report.alpha, report.beta) != (-1, -1),
        "picture": None
        if node is None
        else picture_of(data, node, found.say(node), report.alpha, report.beta),
    }


@dataclass(frozen=True)
class ComparedRun:
    """A run beside others: its name, options and scores, and its history.

    Scores are shares from 0 to 1, but those whose names begin with ``MAE``, ``RMSE`` or ``R²``.
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    scores: Mapping[str, float] = field(default_factory=dict)
    history: History | None = None


def differing_options(runs: Sequence[ComparedRun]) -> dict[str, list[str]]:
    """Options that are not the same in all runs, with the value of each run.

    Examples
    --------
    >>> runs = [ComparedRun("a", {"p": 1.0, "lr": 0.01}), ComparedRun("b", {"p": 2.0, "lr": 0.01})]
    >>> differing_options(runs)
    {'p': ['1', '2']}
    """
    names = dict.fromkeys(name for run in runs for name in run.options)
    rows = {n: [shown(r.options[n]) if n in r.options else NONE for r in runs] for n in names}
    return {name: values for name, values in rows.items() if len(set(values)) > 1}


def compared_scores(runs: Sequence[ComparedRun]) -> dict[str, list[float | None]]:
    """Scores by name with the value of each run; the best validation score comes last."""
    names = dict.fromkeys(name for run in runs for name in run.scores)
    rows: dict[str, list[float | None]] = {n: [r.scores.get(n) for r in runs] for n in names}
    # What is validated is R² where numbers were learned, else a share.
    for name in ("best validation", "R² (best validation)"):
        best = [
            run.history.best_val if run.history and is_share(name) == _has_shares(run) else None
            for run in runs
        ]
        if any(value is not None for value in best):
            rows[name] = best
    return rows


def is_share(name: str) -> bool:
    """Whether a score is a share of something, so that percent and "more is better" fit it."""
    return not name.startswith(("MAE", "RMSE", "R²"))


def _has_shares(run: ComparedRun) -> bool:
    return all(is_share(name) for name in run.scores)


def write_comparison(runs: Sequence[ComparedRun], path: PathLike) -> Path:
    """Write a page on two or more runs as HTML that needs nothing else.

    Examples
    --------
    >>> import tempfile
    >>> runs = [ComparedRun("a", {"p": 1}, {"accuracy": 0.8}), ComparedRun("b", {"p": 2})]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = write_comparison(runs, f"{folder}/compare.html")
    ...     "80.0" in page.read_text(encoding="utf-8")
    True
    """
    if len(runs) < 2:
        raise ValueError(f"{len(runs)} run cannot be compared; give two or more")
    names = [run.name for run in runs]
    if len(set(names)) < len(names):
        raise ValueError(f"the runs are called {', '.join(names)}; give each another name")
    rows = []
    for name, values in compared_scores(runs).items():
        better = min if name.startswith(("MAE", "RMSE")) else max
        best = better((v for v in values if v is not None), default=None)
        text = percent if is_share(name) else "{:.4g}".format
        marked = [(NONE if v is None else text(v), v is not None and v == best) for v in values]
        rows.append((name + (", %" if is_share(name) else ""), marked))
    return write_page(
        path,
        "compare.html",
        runs=[(run.name, class_colour(k)) for k, run in enumerate(runs)],
        options=list(differing_options(runs).items()),
        scores=rows,
        curves=_curves(runs),
    )


def _curves(runs: Sequence[ComparedRun]) -> dict[str, Markup]:
    found = {}
    for title, field_name in (("training loss", "loss"), ("validation score", "val")):
        series, colours = {}, []
        for k, run in enumerate(runs):
            epochs = [] if run.history is None else run.history.epochs
            values = [getattr(epoch, field_name) for epoch in epochs]
            if any(value is not None for value in values):
                series[run.name] = values
                colours.append(class_colour(k))
        if series:
            found[title] = Markup(line_chart(series, colours))
    return found
