"""Ctrl-C and kill -9 lose nothing but the epoch under way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hypersage_dgl.training import (
    fit,
    load_checkpoint,
)

from .killed import WAYS
from .runs import ABOUT, EPOCHS, WHOLE, epochs_in, kinds_of_files, make, outcome, train, unbroken


class Interrupted:
    """Batches with Ctrl-C in the middle of an epoch."""

    def __init__(self, batches, at: int):
        self.batches, self.left, self.options = batches, at, batches.options

    def __len__(self):
        return len(self.batches)

    def __iter__(self):
        for batch in self.batches:
            self.left -= 1
            if self.left == 0:
                raise KeyboardInterrupt
            yield batch


@pytest.mark.parametrize("kind", ["full", "minibatches"])
def test_ctrl_c_in_a_batch_keeps_the_last_full_epoch(tmp_path, kind):
    _, model, batches = make(kind)
    at = 3 * len(batches) + (2 if kind == "minibatches" else 1)
    broken = Interrupted(batches, at)
    history = fit(model, broken, epochs=EPOCHS, seed=8, folder=tmp_path)
    assert history.stopped == "interrupted"
    assert [e.epoch for e in history.epochs] == [1, 2, 3]
    assert epochs_in(tmp_path) == 3
    # Not a trace of the steps of epoch 4 in the model that the caller has in hand.
    saved = load_checkpoint(tmp_path).model.state_dict()
    assert {k: v.tolist() for k, v in model.state_dict().items()} == {
        k: v.tolist() for k, v in saved.items()
    }
    assert kinds_of_files(tmp_path) == WHOLE
    _, again, batches = make(kind)
    resumed = fit(again, batches, epochs=EPOCHS, seed=8, folder=tmp_path, resume=True)
    _, whole, batches = make(kind)
    assert outcome(resumed, again) == outcome(fit(whole, batches, epochs=EPOCHS, seed=8), whole)


def test_ctrl_c_in_the_first_epoch_leaves_the_model_as_it_was(tmp_path):
    _, model, batches = make("minibatches")
    before = {k: v.tolist() for k, v in model.state_dict().items()}
    history = fit(model, Interrupted(batches, 2), epochs=3, folder=tmp_path)
    assert (history.epochs, history.stopped) == ([], "interrupted")
    assert {k: v.tolist() for k, v in model.state_dict().items()} == before
    assert [file.name for file in tmp_path.iterdir() if file.name != ".lock"] == []


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_ctrl_c_at_any_point_of_saving_loses_no_finished_epoch(
    tmp_path, monkeypatch, number, after
):
    inner, calls = Path.replace, []

    def replace(self, target):
        calls.append(target)
        is_it = len(calls) == 4 * 2 + number
        if is_it and not after:
            raise KeyboardInterrupt
        result = inner(self, target)
        if is_it:
            raise KeyboardInterrupt
        return result

    monkeypatch.setattr(Path, "replace", replace)
    history, _ = train("full", tmp_path)
    assert (len(history.epochs), history.stopped) == (3, "interrupted")
    assert epochs_in(tmp_path) == 3
    assert kinds_of_files(tmp_path) == WHOLE
    assert outcome(*train("full", tmp_path, resume=True)) == unbroken("full")


@pytest.fixture(scope="module")
def graves(tmp_path_factory) -> Path:
    """Folders of processes that were killed, one for each way to die."""
    folder = tmp_path_factory.mktemp("killed")
    done = subprocess.run(
        [sys.executable, "-m", "training.killed", str(folder)],
        cwd=Path(__file__).parents[1],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=1800,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"{name}: -9" for name in WAYS], done.stderr
    return folder


@pytest.mark.exhaustive
@pytest.mark.parametrize("way", WAYS)
def test_kill_9_loses_nothing_but_the_epoch_under_way(graves, way):
    folder = graves / way
    _, saved = WAYS[way]
    assert epochs_in(folder) == saved
    assert load_checkpoint(folder).about == ABOUT
    assert outcome(*train("full", folder, resume=True)) == unbroken("full")
    # What the dead process left lying around is gone, too.
    assert kinds_of_files(folder) == WHOLE
