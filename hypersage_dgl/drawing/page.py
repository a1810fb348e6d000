"""Pages of one file: a template, our style sheet, and nothing from outside."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from .._utils import PathLike, write_text


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
