"""Colours that the colour-blind can tell apart, the same for a method in every figure."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# The eight colours of Okabe and Ito, "Color Universal Design" (2008), the black as a grey.
ORANGE, SKY, GREEN, YELLOW = "#E69F00", "#56B4E9", "#009E73", "#F0E442"
BLUE, VERMILION, PURPLE, GREY = "#0072B2", "#D55E00", "#CC79A7", "#555555"

METHOD_COLOURS: Mapping[str, str] = MappingProxyType(
    {
        "mlp": "#CCCCCC",
        "mlp+hlr": "#888888",
        "hgnn": GREEN,
        "fasthypergcn": SKY,
        "hypergcn": BLUE,
        "clique-gcn": PURPLE,
        "clique-sage": ORANGE,
        "hypersage": VERMILION,
    }
)
METHOD_MARKERS: Mapping[str, str] = MappingProxyType(
    dict(zip(METHOD_COLOURS, ("v", "^", "s", "P", "D", "X", "p", "o")))
)
CLASS_COLOURS = (BLUE, VERMILION, GREEN, PURPLE, SKY, ORANGE, GREY, YELLOW)
CLASS_MARKERS = ("o", "s", "^", "D", "v", "P")
# The "light" scheme of Paul Tol, pale enough to lie behind the nodes.
HYPEREDGE_COLOURS = (
    *("#77AADD", "#EE8866", "#44BB99", "#EEDD88", "#FFAABB", "#99DDFF", "#BBCC33", "#AAAA00"),
)


def class_style(number: int) -> tuple[str, str]:
    """Colour and marker of a class; after eight classes the markers change.

    Examples
    --------
    >>> class_style(0), class_style(8)
    (('#0072B2', 'o'), ('#0072B2', 's'))
    """
    colours, markers = len(CLASS_COLOURS), len(CLASS_MARKERS)
    return CLASS_COLOURS[number % colours], CLASS_MARKERS[number // colours % markers]
