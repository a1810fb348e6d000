"""What every page on a run shows: its curves, configuration, data and environment, a picture."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from typing import Any

import dgl
import torch
from markupsafe import Markup

from .._version import __version__
from ..data import LabelledHypergraph, Split
from ..training import History
from .charts import line_chart
from .colours import PALETTE
from .figure import has_matplotlib, inline_svg
from .neighbourhood import draw_neighbourhood
from .page import shown


def run_content(
    data: LabelledHypergraph, history: History | None, options: Mapping[str, Any], command: str
) -> dict[str, Any]:
    """Content of the template ``run.html`` that does not depend on what was learned."""
    return {
        "name": data.name,
        "history": history,
        "curves": _curves(history),
        "options": {k: shown(v) for k, v in options.items()},
        "statistics": _statistics(data),
        "environment": _environment(),
        "command": command,
    }


def picture_of(
    data: LabelledHypergraph, node: int, said: str, alpha: int = -1, beta: int = -1
) -> dict[str, Any] | None:
    """The neighbourhood of a node, and a sentence below it; None without matplotlib."""
    if not has_matplotlib():
        return None
    svg = inline_svg(draw_neighbourhood(data, node, alpha=alpha, beta=beta))
    return {"name": str(data.node_names[node]), "svg": Markup(svg), "said": said}


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


def _statistics(data: LabelledHypergraph) -> dict[str, str]:
    """Measurements of what there is: numbers have no classes, hyperedges no split of nodes."""
    lacking = set() if data.num_classes else {"classes"}
    if not data.splits:
        lacking |= {f"{of}{part}" for of in ("", "isolated_") for part in Split._fields}
    return {k: shown(v) for k, v in data.statistics().items() if k not in lacking}


def _environment() -> dict[str, str]:
    return {
        "hypersage_dgl": __version__,
        "dgl": dgl.__version__,
        "torch": torch.__version__,
        "Python": platform.python_version(),
        "machine": platform.platform(terse=True),
    }
