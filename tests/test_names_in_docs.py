"""Names that the pages say exist: none outlives a change of the library."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

import hypersage_dgl
from hypersage_dgl import convert, data, drawing, hypergraphs, nn, training

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
# The changelog tells of names that are gone.
PAGES = [page for page in PAGES if page.name != "CHANGELOG.md"]
IDS = [page.relative_to(ROOT).as_posix() for page in PAGES]
PARTS = (hypersage_dgl, convert, data, drawing, hypergraphs, nn, training)


def exists(dotted: str) -> bool:
    """Whether a name leads somewhere: modules first, then what they have."""
    module, *rest = dotted.split(".")
    found = importlib.import_module(module)
    for name in rest:
        if not hasattr(found, name):
            try:
                importlib.import_module(f"{found.__name__}.{name}")
            except (AttributeError, ImportError):
                return False
        found = getattr(found, name)
    return True


def missing(text: str) -> list[str]:
    """Names in a page that do not exist."""
    # A file or folder, as hypersage_dgl/nn, is no dotted name; other libraries have names too.
    dotted = set(re.findall(r"(?<![\w/.])hypersage_dgl(?:\.[A-Za-z_]\w*)+", text))
    gone = [name for name in dotted if not exists(name)]
    for name in set(re.findall(r"`((?:from|to|read|write)_\w+)(?:\([^`]*\))?`", text)):
        # read_x and write_x stand for those of a new format.
        if not name.endswith("_x") and not any(hasattr(part, name) for part in PARTS):
            gone.append(name)
    parts = "|".join(("convert", "data", "drawing", "nn", "training"))
    for name in set(re.findall(rf"`((?:{parts})(?:\.[A-Za-z_]\w*)+)(?:\([^`]*\))?`", text)):
        # nn is torch's too.
        known = name == "nn.Module" or exists(f"hypersage_dgl.{name}")
        if not known and not name.endswith((".py", ".md")):
            gone.append(name)
    return sorted(gone)


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_name_exists(page):
    assert missing(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_file_of_the_repository_exists(page):
    text = page.read_text(encoding="utf-8")
    folders = "|".join(("hypersage_dgl", "tests", "examples", "benchmarks", "docs", "scripts"))
    named = set(re.findall(rf"(?<![\w/.])(?:{folders})(?:/\w+)+\.(?:py|md|svg)\b", text))
    # The pattern of names in CONTRIBUTING.md.
    named -= {"hypersage_dgl/a/b.py", "tests/a/test_b.py"}
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_a_name_that_is_gone_is_found():
    text = "`to_nothing(graph)`, hypersage_dgl.nn.Nothing, `data.nothing`, `write_hif`, `data.load`"
    assert missing(text) == ["data.nothing", "hypersage_dgl.nn.Nothing", "to_nothing"]
