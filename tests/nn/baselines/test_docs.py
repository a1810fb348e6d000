"""docs/baselines.md names every baseline, and its example prints what it says."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from statistics import fmean

import torch

from experiments.reading import read_results
from hypersage_dgl.nn import baselines

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "baselines.md").read_text(encoding="utf-8")


def test_table_has_every_model():
    named = re.findall(r"^\| `(\w+)` \|", PAGE, flags=re.MULTILINE)
    assert sorted([*named, "Baseline", "Stacked"]) == sorted(baselines.__all__)


def test_example_prints_what_it_says(tmp_path, capsys):
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    torch.manual_seed(0)
    (tmp_path / "example.py").write_text(example, encoding="utf-8")
    runpy.run_path(str(tmp_path / "example.py"))
    assert capsys.readouterr().out.strip() == example.rsplit("# ", 1)[1].strip()


def test_what_self_loops_do_is_what_the_committed_runs_say():
    def mean(dataset, folder, field):
        runs = read_results(
            ROOT / "experiments" / "results" / "self-loops" / folder / "table1.jsonl.gz"
        )
        found = [getattr(run, field) for run in runs if run.dataset == dataset]
        assert len(found) == 10
        return f"{100 * fmean(found):.1f}"

    for dataset in ("citeseer", "cora-coauthorship"):
        shown = re.search(
            rf"{dataset} ([\d.]+)(?: %)?[^;]*? against ([\d.]+).*? ([\d.]+) against (\d+\.\d)", PAGE
        )
        assert list(shown.groups()) == [
            mean(dataset, folder, field)
            for field in ("test_acc", "connected_acc")
            for folder in ("with", "without")
        ]
