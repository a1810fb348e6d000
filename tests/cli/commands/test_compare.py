"""``hypersage compare`` sets runs side by side: scores, options that differ, curves."""

from __future__ import annotations

import json

import pytest
from headless_browser import open_in_browser

from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import save_checkpoint


@pytest.fixture
def runs(data, hypersage):
    common = ("train", "--hypergraph", "recipes.npz", "--epochs", "3", "--no-report")
    assert hypersage(*common, "--out", "runs/a").code == 0
    assert hypersage(*common, "--out", "runs/b", "--p", "2", "--val-fraction", "0.25").code == 0
    return data


def test_scores_and_options_that_differ(runs, hypersage):
    done = hypersage("compare", "runs/a", "runs/b")
    assert (done.code, done.err) == (0, "")
    lines = [line.split() for line in done.out.splitlines()]
    assert lines[0] == ["score", "a", "b"]
    noted = [json.loads((runs / "runs" / n / "run.json").read_text())["scores"] for n in "ab"]
    wanted = [f"{100 * scores['accuracy (full)']:.2f}" for scores in noted]
    assert ["accuracy", "(full)", *wanted] in lines
    assert ["p", "1", "2"] in lines
    assert ["val_fraction", "0", "0.25"] in lines
    assert not any(line[0] == "lr" for line in lines)


def test_the_page_has_the_curves(runs, hypersage, tmp_path):
    done = hypersage("compare", "runs/a", "runs/b", "--out", "deep/c.html")
    assert done.out.endswith("page on the runs: deep/c.html\n")
    text = (runs / "deep" / "c.html").read_text(encoding="utf-8")
    assert text.count("<polyline") == 3
    open_in_browser(runs / "deep" / "c.html")


def test_runs_with_the_same_options_and_models_without_a_record(runs, hypersage):
    for name in ("x", "y"):
        save_checkpoint(name, HyperSAGE(12, 8, 3))
    done = hypersage("compare", "x", "y")
    assert done.out == "all options are the same\n"
    save_checkpoint("z", HyperSAGE(12, 9, 3))
    assert ["hidden_feats", "8", "9"] in [
        line.split() for line in hypersage("compare", "x", "z").out.splitlines()
    ]


def test_a_folder_without_a_run_is_named(data, fails):
    assert "saved holds no checkpoint" in fails("compare", "model", "saved")
