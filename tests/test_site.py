"""The site: built strictly, every public name on it, and nothing asked of the network."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest
from headless_browser import open_in_browser

ROOT = Path(__file__).parents[1]


@pytest.mark.exhaustive
def test_the_site_is_built_strictly_and_works_without_a_server(tmp_path):
    site = tmp_path / "site"
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    check_names(site)
    check_formulas(site)
    check_links(site)
    for page in sorted(site.rglob("*.html")):
        open_in_browser(page, within=site)


class Links(HTMLParser):
    """The names in a page, where its links lead, and what it loads."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.names |= {given[key] for key in ("id", "name") if given.get(key)}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag in ("script", "img", "iframe", "source") and given.get("src"):
            self.loaded.append(given["src"])
        if tag == "link" and given.get("rel") != "canonical" and given.get("href"):
            self.loaded.append(given["href"])


def check_names(site: Path) -> None:
    """Every public name has its place in the reference."""
    for page in sorted((site / "api").glob("*.html")):
        package = importlib.import_module(page.stem)
        promised = getattr(package, "__all__", ["HyperSAGESampler"])
        names = Links(page).names
        assert [n for n in promised if f"{page.stem}.{n}" not in names] == []
    assert len(list((site / "api").glob("*.html"))) == 9


def check_formulas(site: Path) -> None:
    """No formula is left as it is written."""
    for page in (site / "api").glob("*.html"):
        shown = re.sub(r"<[^>]*>", "", page.read_text(encoding="utf-8"))
        assert re.findall(r"\\(?:frac|sum|mathrm|sigma|hat)\b", shown) == [], page.name


def check_links(site: Path) -> None:
    """Every link leads somewhere, and nothing is loaded from outside."""
    pages = {page: Links(page) for page in site.rglob("*.html")}
    assert len(pages) > 40
    wrong = []
    for page, found in pages.items():
        for link in found.links + found.loaded:
            path, name = urldefrag(unquote(link))
            if re.match(r"\w+:|//", path):
                if link in found.loaded:
                    wrong.append((page.name, link))
                continue
            there = (page.parent / path).resolve() if path else page
            known = there not in pages or not name or name in pages[there].names
            if not there.is_file() or not known:
                wrong.append((page.name, link))
    assert wrong == []


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.name)
def test_lists_and_tables_are_not_run_into_a_paragraph(page):
    """GitHub needs no blank line before them, the site does."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    assert re.findall(r"^(?![-|#<\n]|\d+\. |  ).*\n(?:-|\d+\.|\|) .*", text, flags=re.M) == []


def test_reference_has_a_sentence_for_every_value(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts" / "site"))
    reference = importlib.import_module("reference")
    for path in reference.PACKAGES:
        package = importlib.import_module(path)
        for name in reference.public(package):
            thing = getattr(package, name)
            own = callable(thing) and getattr(thing, "__module__", "").startswith("hypersage_dgl")
            documented = bool(own and thing.__doc__) or type(thing).__name__ == "module"
            assert documented or name in reference.VALUES, (
                f"{path}.{name} has no docstring; give it one, or a value a sentence in VALUES of "
                "scripts/site/reference.py"
            )


def test_docstrings_on_the_site(monkeypatch):
    """Each line of a formula is a picture, each parameter stands by itself, with its own type."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts" / "site"))
    pytest.importorskip("griffe")
    translated = importlib.import_module("docstrings").translated
    display = ".. math::\n    a &= b \\qquad\n    c\n\n    d &= \\frac{1}{2}\n\nThen."
    assert [t.count("<svg") for t in translated(display, {}).split("\n\n")] == [1, 1, 0]
    shared = "Parameters\n----------\na, b\n    Both,\n    long.\nc\n    One."
    apart = "Parameters\n----------\na\n    Both,\n    long.\nb\n    Both,\n    long.\nc\n    One."
    assert translated(shared, {}) == apart
