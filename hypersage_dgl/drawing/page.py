"""Pages of one file, nothing from outside, and what every page on a run shows."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import dgl
import torch
from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from .._utils import PathLike, write_text
from .._version import __version__
from ..data import LabelledHypergraph, Split
from ..training import History
from .charts import line_chart
from .figure import PALETTE, has_matplotlib, inline_svg
from .neighbourhood import draw_neighbourhood


def write_page(path: PathLike, template: str, **content: Any) -> Path:
    """Fill a template of this package and write it; all text of the content is escaped.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = write_page(
    ...         f"{folder}/page.html", "compare.html", runs=[], curves={}, options=[], scores=[]
    ...     )
    ...     page.read_text(encoding="utf-8").splitlines()[0]
    '<!DOCTYPE html>'
    """
    environment = Environment(
        loader=FunctionLoader(_read), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.filters.update(percent=percent, shown=shown)
    # Our own file, which autoescape would spoil.
    style = Markup(_read("page.css"))
    text = environment.get_template(template).render(style=style, **content)
    write_text(path, text + "\n")
    return Path(path)


def percent(share: float) -> str:
    """A share in percent, for people.

    Examples
    --------
    >>> percent(0.8841), percent(float("nan"))
    ('88.4', 'n/a')
    """
    return "n/a" if share != share else f"{100 * share:.1f}"


def shown(value: Any) -> str:
    """A value of an option or a measurement, for people.

    Examples
    --------
    >>> shown(26476), shown(0.00050001), shown(len)
    ('26,476', '0.0005', 'len')
    """
    if isinstance(value, float):
        return f"{value:,.4g}"
    if callable(value):
        # Without the address in memory that its repr shows.
        return getattr(value, "__name__", type(value).__name__)
    return f"{value:,}" if type(value) is int else str(value)


def _read(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


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
