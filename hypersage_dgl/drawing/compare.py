"""A page on several runs: what was different, how they scored, and their curves in one picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markupsafe import Markup

from .._utils import PathLike
from ..training import History
from .charts import line_chart
from .figure import class_colour
from .page import percent, shown, write_page

# What stands where a run has no such option, or no such score.
NONE = "-"


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
