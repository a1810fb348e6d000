"""The pages in the repository are what the lines in it say."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.hyperedges import read_rows
from experiments.pages import page_text, read_defaults, read_folder, read_grids, read_search
from experiments.pages.allset import allset_table
from experiments.pages.fano import fano_table
from experiments.pages.grid import grid_table
from experiments.pages.hyperedges import hyperedges_table
from experiments.pages.markdown import replace_block
from experiments.pages.page_text import TABLES, with_blocks

ROOT = Path(__file__).parents[3]
RESULTS, DOCS = ROOT / "experiments" / "results", ROOT / "docs"
CURE = "make the pages again with `python -m experiments report`"


@pytest.fixture(scope="module")
def results():
    files = [RESULTS / f"{name}.jsonl.gz" for name in TABLES]
    if not any(path.exists() and path.stat().st_size for path in files):
        pytest.skip("there are no results here")
    return read_folder(RESULTS)


def committed(name):
    path = DOCS / name
    # A missing page is no reason to skip: the lines are there.
    assert path.exists(), f"docs/{name} is missing; {CURE}"
    return path.read_text(encoding="utf-8")


def test_the_page_of_results_is_made_of_the_lines(results):
    assert committed("results.md") == page_text(results), CURE


def test_the_blocks_of_the_reproduction_are_made_of_the_lines(results):
    text = committed("reproduction.md")
    assert text == with_blocks(text, results), CURE
    assert text == replace_block(text, "grid", grid_table(read_grids(RESULTS))), CURE


def test_the_page_of_the_search_is_made_of_its_lines():
    assert committed("search.md") == read_search(RESULTS), CURE


def test_the_page_of_the_defaults_is_made_of_its_lines():
    assert committed("defaults.md") == read_defaults(RESULTS), CURE


def test_the_table_of_hyperedges_is_made_of_its_lines():
    text, rows = committed("hyperedge-prediction.md"), read_rows(RESULTS / "hyperedges.jsonl.gz")
    assert text == replace_block(text, "hyperedges", hyperedges_table(rows)), CURE


def test_the_tables_of_the_protocols_are_made_of_their_lines():
    text = committed("protocols.md")
    for name, table in (("fano", fano_table), ("allset", allset_table)):
        rows = read_rows(RESULTS / f"{name}.jsonl.gz")
        assert text == replace_block(text, name, table(rows)), CURE
