"""The newcomer's script of docs/own-data.md runs, in its order, and prints what the page says."""

from __future__ import annotations

import csv
import re
import runpy
import shlex
from pathlib import Path

import pytest

from hypersage_dgl.cli import main

PAGE = (Path(__file__).parents[1] / "docs" / "own-data.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"(?:`(\S+\.csv)`[^\n]*\n\n)?```(\w+)\n(.*?)^```$", PAGE, re.M | re.S)


@pytest.mark.filterwarnings("default")
def test_the_page_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    printed = ""
    for name, kind, content in BLOCKS:
        if kind == "csv":
            Path(name).write_text(content)
        elif kind == "sh":
            for line in content.splitlines():
                assert main(shlex.split(line)[1:]) == 0, capsys.readouterr().err
            capsys.readouterr()
        elif kind == "python":
            Path("script.py").write_text(content)
            runpy.run_path("script.py")
            printed = capsys.readouterr().out
        else:
            assert printed == content
    with Path("shelf-of-each.csv").open(encoding="utf-8") as file:
        shelves = {row["node"]: row["class"] for row in csv.DictReader(file)}
    assert len(shelves) == 8
    assert (shelves["Villette"], shelves["Ubik"]) == ("novel", "science fiction")
    with Path("arrived.csv").open(encoding="utf-8") as file:
        arrived = {row["node"]: row["class"] for row in csv.DictReader(file)}
    assert arrived == {"Foundation": "science fiction", "Cranford": "novel"}
    assert "<h1>memberships.csv</h1>" in Path("shelves/report.html").read_text(encoding="utf-8")
    assert Path("ubik.svg").stat().st_size > 1000
    kinds = " ".join(kind for _, kind, _ in BLOCKS)
    assert kinds == "csv csv sh csv sh python text python text"
