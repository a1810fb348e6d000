"""Importing the package: what it exposes, and that it comes before DGL."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import hypersage_dgl

ROOT = Path(__file__).parents[1]
# Python and pytest run these before anything else in their folders.
ENTRIES = ["experiments/__init__.py", "tests/conftest.py"]
SCRIPTS = sorted(
    str(path.relative_to(ROOT))
    for folder in ("benchmarks", "examples", "scripts")
    for path in (ROOT / folder).glob("*.py")
)


def imported(text: str) -> list[str]:
    """Packages that a text imports, in order."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.append((node.lineno, node.module or ""))
    return [name.split(".")[0] for _, name in sorted(found)]


def test_exposes_its_parts():
    for name in ("nn", "data", "dataloading", "hypergraph", "num_neighbors", "validate"):
        assert name in hypersage_dgl.__all__
        assert hasattr(hypersage_dgl, name)
    assert re.fullmatch(r"\d+\.\d+\.\d+\w*", hypersage_dgl.__version__)


@pytest.mark.parametrize("path", [*ENTRIES, *SCRIPTS])
def test_comes_before_dgl(path):
    # It sets DGL's backend, lest DGL write into the home, and lets DGL's graphbolt fail.
    names = imported((ROOT / path).read_text(encoding="utf-8"))
    ours = names.index("hypersage_dgl") if "hypersage_dgl" in names else len(names)
    assert "dgl" not in names[:ours]
    if path in ENTRIES:
        assert "hypersage_dgl" in names


@pytest.mark.parametrize(
    "page", ["README.md", *sorted(p.name for p in (ROOT / "docs").glob("*.md"))]
)
def test_comes_before_dgl_in_the_docs(page):
    path = ROOT / page if page == "README.md" else ROOT / "docs" / page
    snippets = re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.S)
    names = re.findall(r"^(?:import|from) (dgl|hypersage_dgl)\b", "\n".join(snippets), re.M)
    assert names[:1] != ["dgl"]
