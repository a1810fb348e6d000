"""Docstrings as the API reference shows them: roles become links, formulas become pictures."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from html import escape
from pathlib import Path
from typing import Any

import griffe
from matplotlib.path import Path as Outline
from matplotlib.textpath import TextPath

# mkdocstrings loads this file by its path.
sys.path.append(str(Path(__file__).parent))
from reference import PACKAGES, public

MATH = re.compile(r":math:`([^`]+)`")
# Lines of a display stand apart by a blank line.
DISPLAY = re.compile(r"^( *)\.\. math::(.*\n?(?:\n*\1 +\S.*\n?)*)", re.M)
LINK = re.compile(r"`([^`<]+?)\s+<([^>`]+)>`__?")
# Parameters that share a description: griffe would give all of them the first one's type.
SEVERAL = re.compile(r"^(\w+(?:, \w+)+)\n((?: {4}.*\n?|\n(?= {4}))+)", re.M)
ROLE = re.compile(r":(?:attr|class|data|func|meth|mod):`~?([\w.]+)`")
# What matplotlib's formulas do not know.
KNOWN = {r"\Big": "", r"\big": "", r"\lVert": r"\|", r"\rVert": r"\|", r"\top": "T"}
KNOWN |= {r"\text{": r"\mathrm{", r"\qquad": r"\quad\quad"}
SEGMENTS = {Outline.MOVETO: "M", Outline.LINETO: "L", Outline.CURVE3: "Q", Outline.CURVE4: "C"}


class Docstrings(griffe.Extension):
    """Reads what docstrings say when the package is imported, and translates it."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Go through everything that has a docstring."""
        pages = public_names()
        waiting: list[Any] = [pkg]
        while waiting:
            thing = waiting.pop()
            waiting += [each for each in thing.members.values() if not each.is_alias]
            if thing.docstring is None:
                continue
            if "<options>" in thing.docstring.value and thing.is_class:
                take_from_running(thing)
            thing.docstring.value = translated(thing.docstring.value, pages)


def public_names() -> dict[str, str]:
    """The page of each public name, by the name alone: the first that has it."""
    found: dict[str, str] = {}
    for package in PACKAGES:
        found[package.rpartition(".")[2]] = f"{package}.md#{package}"
        for name in public(importlib.import_module(package)):
            found.setdefault(name, f"{package}.md#{package}.{name}")
    return found


def take_from_running(cls: griffe.Class) -> None:
    """The docstring and the parameters that a decorator gave to a class."""
    made = getattr(importlib.import_module(cls.module.path), cls.name)
    cls.docstring.value = inspect.getdoc(made)
    own = cls.members["__init__"]
    own.parameters = griffe.Parameters(
        *(
            griffe.Parameter(
                p.name,
                kind=getattr(griffe.ParameterKind, p.kind.name.lower()),
                default=None if p.default is p.empty else repr(p.default),
            )
            for p in inspect.signature(made.__init__).parameters.values()
        )
    )


def translated(text: str, pages: dict[str, str]) -> str:
    """Sphinx's roles as Markdown."""

    def role(found: re.Match[str]) -> str:
        *_, owner, name = ("", *found[1].split("."))
        of_class = owner[:1].isupper() and owner in pages
        page = pages.get(name) or (f"{pages[owner]}.{name}" if of_class else None)
        return f"`{name}`" if page is None else f"[`{name}`]({page})"

    text = SEVERAL.sub(
        lambda f: "".join(f"{name}\n{f[2].rstrip()}\n" for name in f[1].split(", ")), text
    )
    text = DISPLAY.sub(displayed, text)
    text = MATH.sub(lambda found: picture(found[1]), text)
    text = LINK.sub(lambda found: f"[{' '.join(found[1].split())}]({found[2]})", text)
    return ROLE.sub(role, text)


def displayed(found: re.Match[str]) -> str:
    """A picture for each line of a display, without the marks that align them."""
    lines = (" ".join(part.split()) for part in found[2].replace("&", "").strip().split("\n\n"))
    return "\n\n".join(found[1] + picture(line) for line in lines) + "\n"


def picture(formula: str) -> str:
    """A formula as SVG of one line, in the colour of the text around it."""
    for word, other in KNOWN.items():
        formula = formula.replace(word, other)
    outline = TextPath((0, 0), f"${formula}$", size=14)
    box = outline.get_extents()
    steps = (
        SEGMENTS.get(code, "Z") + " ".join(f"{v:.1f}" for v in (points if code != 79 else ()))
        for points, code in outline.iter_segments(curves=True, simplify=False)
    )
    left, top, wide, high = box.x0 - 1, -box.y1 - 1, box.width + 2, box.height + 2
    return (
        f'<svg role="img" aria-label="{escape(formula)}" style="height:{high / 14:.2f}em;'
        f'vertical-align:{(box.y0 - 1) / 14:.2f}em;max-width:100%" '
        f'viewBox="{left:.1f} {top:.1f} {wide:.1f} {high:.1f}">'
        f'<path transform="scale(1,-1)" fill="currentColor" d="{"".join(steps)}"/></svg>'
    )
