"""One page with all tables and plots of the reproduction, made from the results alone."""

from __future__ import annotations

import warnings
from pathlib import Path

from .._utils import PathLike, read_text, write_text
from ..reproduction.search import UnfinishedSearchError, read
from .figure import save_figure
from .page_text import FIGURES, TABLES, Results, page_text, pictures, with_blocks
from .records import Result, read_results
from .search_page import search_page


def write_page(results: PathLike, docs: PathLike) -> list[Path]:
    """Write ``results.md``, its figures and ``search.md``; judge ``reproduction.md`` anew.

    Parameters
    ----------
    results
        Folder with ``table1.jsonl``, ``table2.jsonl``, ``table3.jsonl``, ``stability.jsonl`` and
        ``search.jsonl``; what is not there, or a search that is not finished, is left out.
    docs
        Folder for the page; the figures go into its folder ``figures``. If it has a
        ``reproduction.md``, the blocks ``claims`` and ``goals`` of that are replaced, and nothing
        else of it.

    Returns
    -------
    list of Path
        The files that were written.
    """
    found = read_folder(results)
    explained = Path(docs) / "reproduction.md"
    # Before anything is written, for the page may be refused.
    judged = _judged(explained, found)
    searched = read_search(results)
    text = page_text(found)
    written = [
        path
        for name, runs in found.items()
        for picture in pictures(name, runs)
        for path in save_figure(picture.draw(), Path(docs) / FIGURES, picture.stem)
    ]
    page = Path(docs) / "results.md"
    write_text(page, text)
    if searched is not None:
        written.append(Path(docs) / "search.md")
        write_text(written[-1], searched)
    if judged is not None:
        write_text(explained, judged)
        written.append(explained)
    return [page, *written]


def read_folder(folder: PathLike) -> Results:
    """Results of each experiment that has a file in the folder; refuse a folder without any."""
    found = {name: _read(Path(folder) / f"{name}.jsonl") for name in TABLES}
    if not any(found.values()):
        raise FileNotFoundError(
            f"{folder} has no results; make some with `hypersage reproduce table1`, or name "
            "another folder with --out"
        )
    return found


def read_search(folder: PathLike) -> str | None:
    """Text of the page of the search in the folder; None if there is none or it goes on."""
    rows = read(Path(folder) / "search.jsonl")
    try:
        return search_page(rows) if rows else None
    except UnfinishedSearchError as error:
        warnings.warn(f"no page of the search: {error}", stacklevel=2)
        return None


def _read(path: Path) -> list[Result]:
    return read_results(path) if path.exists() else []


def _judged(path: Path, found: Results) -> str | None:
    """Text of the page with its blocks made anew; None if there is no page or nothing changes."""
    if not path.exists():
        return None
    text = read_text(path)
    try:
        judged = with_blocks(text, found)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return None if judged == text else judged
