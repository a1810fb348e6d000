"""TensorBoard files have the curve of the log, of a resumed run too; the package is an extra."""

from __future__ import annotations

import sys

import pytest

from hypersage_dgl.cli.events import Events, require_tensorboard
from hypersage_dgl.training import Epoch

from .own_data import losses


def scalars(folder, tag):
    loading = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    events = loading.EventAccumulator(str(folder))
    events.Reload()
    return [(event.step, event.value) for event in events.Scalars(tag)]


def test_a_run_writes_its_curve(data, hypersage):
    words = ("train", "--hypergraph", "recipes.npz", "--val-fraction", "0.25", "--tensorboard")
    assert hypersage(*words, "--epochs", "2", "--out", "new").code == 0
    done = hypersage(*words, "--epochs", "4", "--out", "new", "--resume")
    assert done.code == 0, done
    log = losses(data / "new" / "log.csv")
    folder = data / "new" / "tensorboard"
    for tag, column in (("loss/train", 1), ("accuracy/validation", 2)):
        found = scalars(folder, tag)
        assert [step for step, _ in found] == [1, 2, 3, 4]
        assert [value for _, value in found] == pytest.approx(
            [float(row[column]) for row in log], rel=1e-5
        )
    assert [step for step, _ in scalars(folder, "accuracy/test full")] == [2, 4]


def test_epochs_without_a_score(tmp_path):
    events = Events(tmp_path)
    events(Epoch(1, 2.0, None, 0.1))
    events.close()
    assert scalars(tmp_path / "tensorboard", "loss/train") == [(1, 2.0)]


def test_scores_have_the_name_of_what_is_learned(tmp_path):
    events = Events(tmp_path, "R²")
    events(Epoch(1, 2.0, 0.25, 0.1))
    events.finish({"full": 0.5}, "hypersage train")
    events.close()
    assert scalars(tmp_path / "tensorboard", "R2/validation") == [(1, 0.25)]
    assert scalars(tmp_path / "tensorboard", "R2/test full") == [(1, 0.5)]


def test_no_epoch_is_no_file(tmp_path):
    events = Events(tmp_path)
    events.finish({"full": 0.5}, "hypersage train")
    events.close()
    assert not (tmp_path / "tensorboard").exists()


def test_without_the_package_the_cure_is_named(data, fails, monkeypatch):
    monkeypatch.setitem(sys.modules, "tensorboard", None)
    with pytest.raises(ImportError, match=r"hypersage-dgl\[tensorboard\]"):
        require_tensorboard()
    error = fails("train", "--hypergraph", "recipes.npz", "--tensorboard", "--out", "new")
    assert 'pip install "hypersage-dgl[tensorboard]"' in error
    assert not (data / "new").exists()
