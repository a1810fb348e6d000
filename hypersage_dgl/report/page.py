"""One page with all tables and plots of the reproduction, made from the results alone."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from ..convert.files import PathLike, read_text, write_text
from .block import replace_block
from .box_plots import box_plots
from .claims import claims
from .figure import save_figure
from .heat_map import heat_map
from .names import COLUMNS, DATASETS
from .records import Result, read_results
from .stability_curves import stability_curves
from .tables import stability, table1, table2, table3

FIGURES = "figures"
HEAD = """# Results

Made by `hypersage reproduce report` from the JSON lines in `results/`; what they mean is in
[reproduction.md](reproduction.md). Every line of `results/` names its data set, method, split,
seed and command. Recipes, never mixed:

- `paper`: the paper's protocol (2 layers, hidden 32, dropout 0.5 before W, lr 0.01, weight decay
  5e-4, 150 epochs, raw features), HyperSAGE with weights that sum to one (`inter="size"`), the
  node itself included, floor 1e-7.
- `literal`: the same with Equation 4 as printed (`inter="paper"`).
- `best`: for each method the recipe that a search chose on validation nodes, see
  [reproduction.md](reproduction.md).
"""


def write_page(results: PathLike, docs: PathLike) -> list[Path]:
    """Write ``results.md`` and its figures; judge the claims in ``reproduction.md`` anew.

    Parameters
    ----------
    results
        Folder with ``table1.jsonl``, ``table2.jsonl``, ``table3.jsonl`` and ``stability.jsonl``;
        what is not there is left out.
    docs
        Folder for the page; the figures go into its folder ``figures``. If it has a
        ``reproduction.md``, the block ``claims`` of that is replaced, and nothing else of it.

    Returns
    -------
    list of Path
        The files that were written.
    """
    found = {name: _read(Path(results) / f"{name}.jsonl") for name in TABLES}
    if not any(found.values()):
        raise FileNotFoundError(
            f"{results} has no results; make some with `hypersage reproduce table1`, or name "
            "another folder with --out"
        )
    explained = Path(docs) / "reproduction.md"
    # Before anything is written, for the page may be refused.
    judged = _with_claims(explained, chain.from_iterable(found.values()))
    written: list[Path] = []
    parts = [HEAD]
    for name, (title, table) in TABLES.items():
        if found[name]:
            pictures = _figures(name, found[name], Path(docs), written)
            parts += [f"## {title}\n", table(found[name]).rstrip() + "\n", *pictures]
    page = Path(docs) / "results.md"
    write_text(page, "\n".join(parts))
    if judged is not None:
        write_text(explained, judged)
        written.append(explained)
    return [page, *written]


TABLES = {
    "table1": ("Table 1: node classification", table1),
    "table2": ("Table 2: alpha and p", table2),
    "table3": ("Table 3: inductive", table3),
    "stability": ("Stability: the share of training nodes", stability),
}


def _read(path: Path) -> list[Result]:
    return read_results(path) if path.exists() else []


def _with_claims(path: Path, results: Iterable[Result]) -> str | None:
    """Text of the page with its claims judged; None if there is no page or nothing changes."""
    if not path.exists():
        return None
    text = read_text(path)
    try:
        judged = replace_block(text, "claims", claims(results))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return None if judged == text else judged


def _figures(name: str, results: list[Result], docs: Path, written: list[Path]) -> list[str]:
    """Draw what belongs to a table; return the lines that show it."""
    figures = {}
    if name == "table1":
        columns = {r.column for r in results}
        figures = {
            f"box-{c}": (box_plots(results, c), f"Test accuracy by method, recipe {c}")
            for c in COLUMNS
            if c in columns
        }
    elif name == "table2":
        datasets = {r.dataset for r in results}
        figures = {
            f"heat-map-{d}": (heat_map(results, d), f"Accuracy by alpha and p on {title}")
            for d, title in DATASETS.items()
            if d in datasets
        }
    elif name == "stability":
        text = "Accuracy by the ratio of training to test nodes"
        figures = {"stability": (stability_curves(results), text)}
    lines = []
    for stem, (figure, text) in figures.items():
        written += save_figure(figure, docs / FIGURES, stem)
        lines.append(f"![{text}]({FIGURES}/{stem}.svg)\n")
    return lines
