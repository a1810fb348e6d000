"""Fano planes: no run twice, and one level is at chance where two are not."""

from __future__ import annotations

import pytest

from experiments import fano
from experiments.fano import METHODS, one_run, runs, tell_planes
from experiments.ledger import read_lines


def test_runs_go_on_where_they_stopped(tmp_path, monkeypatch):
    for name, value in {"NOISES": (0.0,), "SPLITS": (1,), "EPOCHS": 1, "PLANES": 8}.items():
        monkeypatch.setattr(fano, name, value)
    path = tmp_path / "fano.jsonl.gz"
    assert tell_planes(path, "command") == len(METHODS)
    lines = read_lines(path)
    assert tell_planes(path, "command") == 0
    assert read_lines(path) == lines
    assert [run["method"] for run in runs()] == list(METHODS)


@pytest.mark.parametrize("method", ["hgnn", "hypersage p=1", "hypersage p=3"])
def test_one_level_is_at_chance(method, monkeypatch):
    monkeypatch.setattr(fano, "PLANES", 8)
    monkeypatch.setattr(fano, "EPOCHS", 3)
    run = {"noise": 0.0, "split": 1, "method": method}
    assert one_run(run)["test_acc"] == pytest.approx(0.5)
