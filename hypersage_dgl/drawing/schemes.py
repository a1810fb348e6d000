"""Light and dark: an SVG file has the colours of both, and its viewer takes those of the reader."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# Not quite white, which data may be: white names on dark cells stay white.
PAPER, INK, LINE, GRID = "#fefefe", "#1b2733", "#8a97a3", "#dddddd"
# What else needs another shade on dark paper: greys of lines, and black lines.
GREY, BLACK = "#555555", "#000000"
DARK: Mapping[str, str] = MappingProxyType(
    {
        PAPER: "#1e2129",
        INK: "#e6edf3",
        LINE: "#7c8896",
        GRID: "#3a424c",
        GREY: "#a4b1bd",
    }
)


def with_dark_scheme(svg: str) -> str:
    """An SVG of matplotlib, with a style sheet for readers who like it dark.

    Viewers that know no style sheets show the light one.

    Examples
    --------
    >>> svg = '<svg><defs></defs><path style="fill: #1b2733"/></svg>'
    >>> with_dark_scheme(svg).count("#e6edf3") > 0
    True
    """
    rules = [
        f'[style*="{property}: {light}"]{{{property}:{dark} !important}}'
        for light, dark in DARK.items()
        for property in ("fill", "stroke")
    ]
    rules.append(f'[style*="stroke: {BLACK}"]{{stroke:{DARK[INK]} !important}}')
    sheet = f"<style>@media (prefers-color-scheme: dark){{{''.join(rules)}}}</style>"
    return svg.replace("<defs>", f"{sheet}\n <defs>", 1)
