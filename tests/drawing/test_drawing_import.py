"""Importing the pictures does not need matplotlib."""

import importlib
import sys

import hypersage_dgl


def test_imports_without_matplotlib(monkeypatch):
    for name in list(sys.modules):
        if name.startswith("hypersage_dgl.drawing"):
            monkeypatch.delitem(sys.modules, name)
        elif name.partition(".")[0] == "matplotlib":
            monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr(hypersage_dgl, "drawing", None, raising=False)
    drawing = importlib.import_module("hypersage_dgl.drawing")
    assert all(hasattr(drawing, name) for name in drawing.__all__)
