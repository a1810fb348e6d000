"""Results of the paper's experiments as Markdown tables and figures; pictures of hypergraphs.

matplotlib, the extra ``viz``, is needed only when a figure is made.
"""

from .box_plots import box_plots
from .claims import claims
from .draw import draw_hypergraph
from .figure import save_figure
from .goals import goals
from .heat_map import heat_map
from .markdown import markdown_table
from .names import Setting
from .page import write_page
from .page_text import page_text
from .paper import paper_cells, paper_numbers
from .records import Result, cells, read_results
from .spread import Spread
from .stability_curves import stability_curves
from .stability_table import stability
from .tables import table1, table2, table3

__all__ = [
    "Result",
    "Setting",
    "Spread",
    "box_plots",
    "cells",
    "claims",
    "draw_hypergraph",
    "goals",
    "heat_map",
    "markdown_table",
    "page_text",
    "paper_cells",
    "paper_numbers",
    "read_results",
    "save_figure",
    "stability",
    "stability_curves",
    "table1",
    "table2",
    "table3",
    "write_page",
]
