"""The Python of the pages that teach runs, from top to bottom."""

import importlib.util
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
OTHERS = {"PyG": "torch_geometric", "DHG": "dhg", "HyperTorch": "hypertorch", "XGI": "xgi"}


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


def test_the_page_for_those_who_come_from_elsewhere_runs():
    """Lines of other libraries run where these are installed, and ours always."""
    text = (DOCS / "migrating.md").read_text(encoding="utf-8")
    names: dict[str, object] = {"h": None}
    ours = 0
    for section in text.split("\n## From ")[1:]:
        library = section.partition("\n")[0]
        snippets = re.findall(r"```python\n(.*?)```", section, re.S)
        theirs = [code for code in snippets if code.startswith(f"# {library}")]
        if library in OTHERS:
            assert len(theirs) == 1
            if importlib.util.find_spec(OTHERS[library]):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    exec(theirs[0], names)
        for code in set(snippets) - set(theirs):
            exec(code, names)
            ours += 1
    assert ours == 4
    assert names["logits"].shape == (5, 2)
    assert names["named"].graph.num_nodes("hyperedge") == 2
