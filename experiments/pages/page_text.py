"""The pages of the reproduction as text, made from the results alone; nothing is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ..protocol import COLUMNS, DATASETS
from ..result import Result
from .box_plots import box_plots
from .claims import claims
from .goals import goals
from .heat_map import heat_map
from .markdown import replace_block
from .stability import stability
from .stability_curves import stability_curves
from .tables import table1, table2, table3

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Results = Mapping[str, Sequence[Result]]
"""Results of each experiment, by the name of its file."""

FIGURES = "figures"
HEAD = """# Results

Made by `python -m experiments report` from the JSON lines in `experiments/results/`; what they mean
is in [reproduction.md](reproduction.md). Every line names its data set, method, split,
initialisation and command; the seed of a run is 100 x split + init. The splits of table 3 and of
the stability are random, and the seed of such a split is its number. Recipes, never mixed:

- `paper`: the paper's protocol (2 layers, hidden 32, dropout 0.5, lr 0.01, weight decay 5e-4, 150
  epochs, raw features), HyperSAGE with weights that sum to one (`inter="size"`), the node itself
  included, floor 1e-7. Dropout acts before every W in HyperSAGE, between the layers in the others.
- `literal`: the same with Equation 4 as printed (`inter="paper"`).
- `best`: for each method the recipe that a search chose on validation nodes, see
  [reproduction.md](reproduction.md).
"""
TABLES = {
    "table1": ("Table 1: node classification", table1),
    "table2": ("Table 2: alpha and p", table2),
    "table3": ("Table 3: inductive", table3),
    "stability": ("Stability: the share of training nodes", stability),
}
BLOCKS = {"claims": claims, "goals": goals}


class Picture(NamedTuple):
    """A figure of the page: the name of its files, what it shows, and how to draw it."""

    stem: str
    text: str
    draw: Callable[[], Figure]


def page_text(results: Results) -> str:
    """Text of ``results.md``: a section for each experiment that has results.

    Examples
    --------
    >>> run = Result("dblp", "hgnn", "paper", 1, test_acc=0.7, seconds=2.5)
    >>> for line in page_text({"table1": [run]}).splitlines():
    ...     if line.startswith(("## ", "!")):
    ...         print(line)
    ## Table 1: node classification
    ![Test accuracy by method, recipe paper](figures/box-paper.svg)
    """
    parts = [HEAD]
    for name, (title, table) in TABLES.items():
        found = results.get(name)
        if found:
            parts += [f"## {title}\n", table(found).rstrip() + "\n"]
            parts += [f"![{p.text}]({FIGURES}/{p.stem}.svg)\n" for p in pictures(name, found)]
    return "\n".join(parts)


def with_blocks(text: str, results: Results) -> str:
    """Text of ``reproduction.md`` with its blocks made again; each of them must be there."""
    for name, block in BLOCKS.items():
        text = replace_block(text, name, block(chain.from_iterable(results.values())))
    return text


def pictures(name: str, results: Sequence[Result]) -> list[Picture]:
    """Figures that belong to an experiment.

    Examples
    --------
    >>> run = Result("dblp", "hypersage", "paper", 1, p=1.0, alpha=5, test_acc=0.8)
    >>> [(picture.stem, picture.text) for picture in pictures("table2", [run])]
    [('heat-map-dblp', 'Accuracy by alpha and p on DBLP')]
    """
    if name == "table1":
        columns = {r.column for r in results}
        return [
            Picture(
                f"box-{c}", f"Test accuracy by method, recipe {c}", partial(box_plots, results, c)
            )
            for c in COLUMNS
            if c in columns
        ]
    if name == "table2":
        datasets = {r.dataset for r in results}
        return [
            Picture(
                f"heat-map-{d}",
                f"Accuracy by alpha and p on {title}",
                partial(heat_map, results, d),
            )
            for d, title in DATASETS.items()
            if d in datasets
        ]
    if name == "stability" and results:
        text = "Accuracy by the ratio of training to test nodes"
        return [Picture("stability", text, partial(stability_curves, results))]
    return []
