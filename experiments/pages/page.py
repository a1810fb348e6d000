"""One page with all tables and plots of the reproduction, made from the results alone."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hypersage_dgl._utils import PathLike, read_text, write_text
from hypersage_dgl.drawing import save_figure

from ..allset import PROTOCOL
from ..defaults import UnfinishedComparisonError, read_comparison
from ..fano import FANO
from ..grid import GRIDS
from ..hyperedges import HYPEREDGES, read_rows
from ..protocol import SEARCH
from ..reading import read_results
from ..search import UnfinishedSearchError
from .allset import allset_table
from .defaults import defaults_page
from .fano import fano_lines, fano_table
from .grid import grid_table
from .hyperedge_bars import hyperedge_bars
from .hyperedges import hyperedges_table
from .markdown import replace_block
from .page_text import FIGURES, TABLES, Results, page_text, pictures, with_blocks
from .search import search_page

# By the name of the results and of the block: the page, its table, and its picture if it has one.
_BLOCKS: Mapping[str, tuple[str, Callable[..., str], Callable[..., Any] | None]] = MappingProxyType(
    {
        HYPEREDGES: ("hyperedge-prediction.md", hyperedges_table, hyperedge_bars),
        FANO: ("protocols.md", fano_table, fano_lines),
        PROTOCOL: ("protocols.md", allset_table, None),
    }
)


def write_pages(results: PathLike, docs: PathLike) -> list[Path]:
    """Write ``results.md`` with figures, ``search.md``, ``defaults.md``; judge ``reproduction.md``.

    Parameters
    ----------
    results
        Folder with the files of the experiments, as ``table1.jsonl.gz``, and of the search; what
        is not there, or a search that is not finished, is left out.
    docs
        Folder for the page; the figures go into its folder ``figures``. If it has a
        ``reproduction.md``, the blocks ``claims``, ``goals`` and ``grid`` of that are replaced, and
        nothing else of it; so are the block ``hyperedges`` of ``hyperedge-prediction.md`` and those
        of ``protocols.md``.

    Returns
    -------
    list of Path
        The files that were written.
    """
    found = read_folder(results)
    explained = Path(docs) / "reproduction.md"
    # Before anything is written, for the page may be refused.
    judged = _judged(explained, found, read_grids(results))
    searched = read_search(results)
    text = page_text(found)
    written = [
        path
        for name, runs in found.items()
        for picture in pictures(name, runs)
        for path in save_figure(picture.draw(), Path(docs) / FIGURES, picture.stem, ["svg"])
    ]
    page = Path(docs) / "results.md"
    write_text(page, text)
    if searched is not None:
        written.append(Path(docs) / "search.md")
        write_text(written[-1], searched)
    compared = read_defaults(results)
    if compared is not None:
        written.append(Path(docs) / "defaults.md")
        write_text(written[-1], compared)
    written += _blocks(Path(results), Path(docs))
    if judged is not None:
        write_text(explained, judged)
        written.append(explained)
    return [page, *written]


def read_folder(folder: PathLike) -> Results:
    """Results of each experiment that has a file in the folder; refuse a folder without any."""
    found = {name: read_results(Path(folder) / f"{name}.jsonl.gz") for name in TABLES}
    for name, runs in found.items():
        if any(run.column == SEARCH for run in runs):
            raise ValueError(f"{folder}/{name}.jsonl.gz has runs of the search; remove their lines")
    if not any(found.values()):
        raise FileNotFoundError(
            f"{folder} has no results; make some with `python -m experiments table1`, or name "
            "another folder with --out"
        )
    return found


def read_grids(folder: PathLike) -> Results:
    """Results of the grids in the folder."""
    return {name: read_results(Path(folder) / f"{name}.jsonl.gz") for name in GRIDS}


def read_search(folder: PathLike) -> str | None:
    """Text of the page of the search in the folder; None if there is none or it goes on."""
    rows = read_results(Path(folder) / "search.jsonl.gz")
    try:
        return search_page(rows) if rows else None
    except UnfinishedSearchError as error:
        warnings.warn(f"no page of the search: {error}", stacklevel=2)
        return None


def read_defaults(folder: PathLike) -> str | None:
    """Text of the page of the defaults; None if there are no results or some are missing."""
    path = Path(folder) / "defaults.jsonl.gz"
    if not path.exists():
        return None
    try:
        return defaults_page(read_comparison(path))
    except UnfinishedComparisonError as error:
        warnings.warn(f"no page of the defaults: {error}", stacklevel=2)
        return None


def _blocks(results: Path, docs: Path) -> list[Path]:
    """Make tables and pictures of other pages again, where there are results and a page."""
    written = []
    for name, (file, table, picture) in _BLOCKS.items():
        rows, page = read_rows(results / f"{name}.jsonl.gz"), docs / file
        if not rows or not page.exists():
            continue
        write_text(page, replace_block(read_text(page), name, table(rows)))
        written += [page]
        if picture is not None:
            written += save_figure(picture(rows), docs / FIGURES, name, ["svg"])
    return written


def _judged(path: Path, found: Results, grids: Results) -> str | None:
    """Text of the page with its blocks made again; None if there is no page or nothing changes."""
    if not path.exists():
        return None
    text = read_text(path)
    try:
        judged = replace_block(with_blocks(text, found), "grid", grid_table(grids))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return None if judged == text else judged
