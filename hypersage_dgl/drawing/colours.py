"""Colours that the colour-blind can tell apart."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# The eight colours of Okabe and Ito, "Color Universal Design" (2008), the black as a grey.
PALETTE: Mapping[str, str] = MappingProxyType(
    {
        "blue": "#0072B2",
        "vermilion": "#D55E00",
        "green": "#009E73",
        "purple": "#CC79A7",
        "sky": "#56B4E9",
        "orange": "#E69F00",
        "grey": "#555555",
        "yellow": "#F0E442",
    }
)
CLASS_COLOURS = tuple(PALETTE.values())
CLASS_MARKERS = ("o", "s", "^", "D", "v", "P")
# The "light" scheme of Paul Tol, pale enough to lie behind the nodes.
HYPEREDGE_COLOURS = (
    *("#77AADD", "#EE8866", "#44BB99", "#EEDD88", "#FFAABB", "#99DDFF", "#BBCC33", "#AAAA00"),
)


def class_colour(number: int) -> str:
    """Colour of a class where there are no markers: sixteen, the paler half last.

    Examples
    --------
    >>> class_colour(0), class_colour(8)
    ('#0072B2', '#77AADD')
    """
    colours = (*CLASS_COLOURS, *HYPEREDGE_COLOURS)
    return colours[number % len(colours)]


def class_style(number: int) -> tuple[str, str]:
    """Colour and marker of a class; after eight classes the markers change.

    Examples
    --------
    >>> class_style(0), class_style(8)
    (('#0072B2', 'o'), ('#0072B2', 's'))
    """
    colours, markers = len(CLASS_COLOURS), len(CLASS_MARKERS)
    return CLASS_COLOURS[number % colours], CLASS_MARKERS[number // colours % markers]
