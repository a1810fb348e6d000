"""The Python of the README runs."""

import re
import warnings
from pathlib import Path

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_snippets_run_one_after_the_other(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    snippets = re.findall(r"```python\n(.*?)```", README, re.S)
    assert len(snippets) == 5
    names = {}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Dataloader CPU affinity")
        for snippet in snippets:
            exec(compile(snippet, "README.md", "exec"), names)
    assert names["logits"].shape == (3, 4)
    assert 0 < float(names["new"].probability) <= 1
    assert len(names["history"].epochs) == 20
    assert capsys.readouterr().out.endswith("6 nodes, 3 hyperedges, 16 features, 4 classes\n")


def test_links_lead_somewhere():
    root = Path(__file__).parents[1]
    links = re.findall(r"\]\((?!https?:)([^)#]+)", README)
    assert links
    assert [link for link in links if not (root / link).exists()] == []
