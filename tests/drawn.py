"""What a picture shows, read from its file: words, numbers and shapes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

NUMBER = re.compile(r"[-\u2212]?\d[\d,]*\.?\d*(?:e[-+]?\d+)?")
# Of the width of a picture: other versions lay out a little otherwise.
SHIFT = 0.02


@dataclass(frozen=True)
class Drawn:
    """Words in their order, and for each shape its name, its colours and its coordinates."""

    size: tuple[float, float]
    words: list[str]
    shapes: list[tuple[str, list[float]]]


def read_svg(text: str) -> Drawn:
    """What an SVG of matplotlib shows: letters are text, or outlines with a comment."""
    parser = ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True))
    root = ElementTree.fromstring(text, parser)
    words: list[str] = []
    shapes: list[tuple[str, list[float]]] = []

    def walk(element: ElementTree.Element, name: str) -> None:
        if element.tag is ElementTree.Comment:
            words.append((element.text or "").strip())
            return
        tag = str(element.tag).rpartition("}")[2]
        name = element.get("id", name) if tag == "g" else name
        if tag in ("defs", "metadata", "style"):
            return
        if tag == "text":
            words.append("".join(element.itertext()).strip())
        elif not name.startswith("text_") and tag in ("path", "use", "image", "rect", "line"):
            where = element.get("d") or " ".join(element.get(k, "") for k in ("x", "y"))
            colours = re.findall(r"(?:fill|stroke): ?[^;]+", element.get("style", ""))
            numbers = [float(found.replace("\u2212", "-")) for found in NUMBER.findall(where)]
            shapes.append((" ".join([name, tag, *colours]), numbers))
        for child in element:
            walk(child, name)

    walk(root, "")
    width, height = (float(v) for v in root.get("viewBox", "0 0 1 1").split()[2:])
    return Drawn((width, height), words, shapes)


def differences(shown: str, made: str) -> list[str]:
    """What is drawn otherwise in two SVGs: empty where they show the same."""
    one, two = read_svg(shown), read_svg(made)
    found = [f"word {a!r} is now {b!r}" for a, b in zip(one.words, two.words) if not alike(a, b)]
    for what, a, b in (("words", one.words, two.words), ("shapes", one.shapes, two.shapes)):
        if len(a) != len(b):
            found.append(f"{len(a)} {what} are now {len(b)}")
    allowed = SHIFT * max(one.size)
    for (name, before), (other, after) in zip(one.shapes, two.shapes):
        if name != other:
            found.append(f"{name} is now {other}")
        elif max(map(abs_difference, *boxed(before, after)), default=0) > allowed:
            found.append(f"{name} is elsewhere")
    return found


def boxed(before: list[float], after: list[float]) -> tuple[list[float], list[float]]:
    """Coordinates to hold against each other: all, or the box where a curve was simplified."""
    if len(before) == len(after):
        return before, after
    return box(before), box(after)


def box(numbers: list[float]) -> list[float]:
    """The smallest and the largest coordinates."""
    return [each for half in (numbers[::2], numbers[1::2]) for each in (min(half), max(half))]


def abs_difference(one: float, two: float) -> float:
    """How far apart two coordinates are."""
    return abs(one - two)


def alike(one: str, two: str, share: float = 0.02) -> bool:
    """Whether words are the same, and numbers in them nearly so."""
    if NUMBER.sub("#", one) != NUMBER.sub("#", two):
        return False
    pairs = zip(*(map(number, NUMBER.findall(text)) for text in (one, two)))
    return all(abs(a - b) <= share * max(abs(a), abs(b)) for a, b in pairs)


def number(text: str) -> float:
    """A number as it is written in a picture."""
    return float(text.replace(",", "").replace("\u2212", "-"))


class Page(HTMLParser):
    """What a page on a run shows: headings, tables' headings, tiles, and curves."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.headings: list[str] = []
        self.tiles: list[float] = []
        self.curves: list[list[float]] = []
        self.counts: dict[str, int] = {}
        self._tag = ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._tag = tag
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag == "polyline":
            self.curves.append([float(v) for v in re.findall(r"[\d.]+", dict(attrs)["points"])])

    def handle_endtag(self, tag: str) -> None:
        self._tag = ""

    def handle_data(self, data: str) -> None:
        if self._tag in ("h1", "h2", "th"):
            self.headings.append(data)
        elif self._tag == "b":
            self.tiles.append(float(data))


def page_differences(shown: Path, made: Path) -> list[str]:
    """What two pages on a run show otherwise; a point of accuracy is that of another machine."""
    one, two = Page(shown), Page(made)
    found = [f"{a!r} is now {b!r}" for a, b in zip(one.headings, two.headings) if a != b]
    if len(one.headings) != len(two.headings):
        found.append(f"{len(one.headings)} headings are now {len(two.headings)}")
    for tag in ("section", "tr", "polyline", "svg", "circle"):
        before, after = one.counts.get(tag, 0), two.counts.get(tag, 0)
        if before != after:
            found.append(f"{before} of {tag} are now {after}")
    found += [f"tile {a} is now {b}" for a, b in zip(one.tiles, two.tiles) if abs(a - b) > 1.5]
    for before, after in zip(one.curves, two.curves):
        # A curve is 206 pixels high.
        if len(before) != len(after) or max(map(abs_difference, before, after)) > 10:
            found.append(f"a curve from {before[:4]} is now from {after[:4]}")
    return found
