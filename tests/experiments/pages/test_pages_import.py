"""Text pages do not need matplotlib."""

import importlib
import sys

import experiments


def test_imports_and_writes_tables_without_matplotlib(monkeypatch):
    for name in list(sys.modules):
        if name.startswith("experiments.pages"):
            monkeypatch.delitem(sys.modules, name)
        elif name.partition(".")[0] == "matplotlib":
            monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr(experiments, "pages", None, raising=False)
    pages = importlib.import_module("experiments.pages")
    assert pages.table1([]) == "No results yet.\n"
    assert all(hasattr(pages, name) for name in pages.__all__)
