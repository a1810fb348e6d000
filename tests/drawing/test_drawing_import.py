"""Importing the report does not need matplotlib."""

import importlib
import sys

import hypersage_dgl


def test_imports_without_matplotlib(monkeypatch):
    for name in list(sys.modules):
        if name.startswith("hypersage_dgl.report"):
            monkeypatch.delitem(sys.modules, name)
        elif name.partition(".")[0] == "matplotlib":
            monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr(hypersage_dgl, "report", None, raising=False)
    report = importlib.import_module("hypersage_dgl.report")
    assert report.table1([]) == "No results yet.\n"
    assert all(hasattr(report, name) for name in report.__all__)
