"""Pictures of hypergraphs, and what figures of runs are made of.

matplotlib, the extra ``viz``, is needed only when a figure is made.
"""

from .colours import PALETTE
from .draw import draw_hypergraph
from .figure import canvas, save_figure
from .panels import add_legend, add_panels, panels_shape

__all__ = [
    "PALETTE",
    "add_legend",
    "add_panels",
    "canvas",
    "draw_hypergraph",
    "panels_shape",
    "save_figure",
]
