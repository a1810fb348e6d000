"""The examples of docs/interchange.md run, and print what their comments say."""

import re
import runpy
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "interchange.md"
SNIPPETS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
HEADINGS = re.findall(r"^## (.*)$", PAGE.read_text(encoding="utf-8"), re.M)


def test_every_section_has_one_snippet():
    assert len(SNIPPETS) == len(HEADINGS) > 10


@pytest.mark.parametrize("snippet", SNIPPETS, ids=HEADINGS)
def test_snippet_prints_what_it_says(snippet, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "snippet.py").write_text(snippet, encoding="utf-8")
    runpy.run_path("snippet.py")
    said = re.findall(r"^print\(.*\)  # (.*)$", snippet, re.M)
    assert said
    assert capsys.readouterr().out.splitlines() == said
