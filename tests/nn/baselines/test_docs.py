"""docs/baselines.md names every baseline, and its example prints what it says."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import torch

from hypersage_dgl.nn import baselines

PAGE = (Path(__file__).parents[3] / "docs" / "baselines.md").read_text(encoding="utf-8")


def test_table_has_every_model():
    named = re.findall(r"^\| `(\w+)` \|", PAGE, flags=re.MULTILINE)
    assert sorted([*named, "Baseline"]) == sorted(baselines.__all__)


def test_example_prints_what_it_says(tmp_path, capsys):
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    torch.manual_seed(0)
    (tmp_path / "example.py").write_text(example, encoding="utf-8")
    runpy.run_path(str(tmp_path / "example.py"))
    assert capsys.readouterr().out.strip() == example.rsplit("# ", 1)[1].strip()
