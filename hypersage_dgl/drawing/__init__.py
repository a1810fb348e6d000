"""Pictures of hypergraphs, and what figures of runs are made of.

matplotlib, the extra ``viz``, is needed only when a figure is made.
"""

from .draw import draw_hypergraph
from .figure import (
    PALETTE,
    add_legend,
    add_panels,
    canvas,
    has_matplotlib,
    panels_shape,
    save_figure,
)
from .hyperedge_report import HyperedgeReport, write_hyperedge_report
from .neighbourhood import Neighbourhood, draw_neighbourhood, neighbourhood
from .report import (
    ComparedRun,
    RunReport,
    compared_scores,
    differing_options,
    is_share,
    write_comparison,
    write_report,
)

__all__ = [
    "PALETTE",
    "ComparedRun",
    "HyperedgeReport",
    "Neighbourhood",
    "RunReport",
    "add_legend",
    "add_panels",
    "canvas",
    "compared_scores",
    "differing_options",
    "draw_hypergraph",
    "draw_neighbourhood",
    "has_matplotlib",
    "is_share",
    "neighbourhood",
    "panels_shape",
    "save_figure",
    "write_comparison",
    "write_hyperedge_report",
    "write_report",
]
