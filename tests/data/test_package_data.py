"""What setup.py packs beside the modules is all that the package reads."""

import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "hypersage_dgl"


def packed(monkeypatch):
    """Files that the patterns of ``package_data`` in setup.py find."""
    told = {}
    # Not every environment that runs the tests has setuptools.
    stand_in = SimpleNamespace(setup=told.update, find_packages=lambda **_: [])
    monkeypatch.setitem(sys.modules, "setuptools", stand_in)
    runpy.run_path(str(ROOT / "setup.py"))
    patterns = told["package_data"]
    assert list(patterns) == ["hypersage_dgl"]
    return {path for pattern in patterns["hypersage_dgl"] for path in PACKAGE.glob(pattern)}


def test_every_file_that_is_no_module_is_packed(monkeypatch):
    other = {p for p in PACKAGE.rglob("*") if p.is_file() and p.suffix not in (".py", ".pyc")}
    assert packed(monkeypatch) == other
    names = {path.name for path in other}
    assert {"py.typed", "debian.npz", "debian.md", "hif_schema.json"} <= names
