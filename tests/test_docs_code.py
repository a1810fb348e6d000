"""The Python of the pages that teach runs, from top to bottom."""

import re
import warnings
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
# What each prints at its end.
PAGES = {
    "start": "0.",
    "dgl-project": "True\n",
    "minibatches": "tensor(True)\n",
    "arrivals": "5\n",
    "cheat-sheet": "",
}


@pytest.mark.parametrize("page", PAGES)
def test_the_python_of_a_page_runs(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    snippets = re.findall(r"```python\n(.*?)```", text, re.S)
    assert snippets
    names: dict[str, object] = {}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Dataloader CPU affinity")
        for snippet in snippets:
            exec(compile(snippet, f"{page}.md", "exec"), names)
    assert PAGES[page] in capsys.readouterr().out
