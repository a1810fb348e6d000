"""Pages of the results: Markdown tables beside the paper's numbers, figures, and verdicts.

matplotlib, the extra ``viz``, is needed only when a figure is made.
"""

from .box_plots import box_plots
from .claims import claims
from .goals import goals
from .heat_map import heat_map
from .page import read_defaults, read_folder, read_grids, read_search, write_pages
from .page_text import page_text
from .stability import stability
from .stability_curves import stability_curves
from .tables import table1, table2, table3

__all__ = [
    "box_plots",
    "claims",
    "goals",
    "heat_map",
    "page_text",
    "read_defaults",
    "read_folder",
    "read_grids",
    "read_search",
    "stability",
    "stability_curves",
    "table1",
    "table2",
    "table3",
    "write_pages",
]
