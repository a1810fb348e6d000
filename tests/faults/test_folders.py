"""Full, closed, moved and removed folders, and dead workers: one clear error, nothing in part."""

from __future__ import annotations

import errno
import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from small_hypergraph import model_for
from training.runs import epochs_in, kinds_of_files, make, outcome, train, unbroken

from hypersage_dgl._utils import replacing
from hypersage_dgl.training import fit, load_checkpoint, save_checkpoint


class Disk:
    """A file on a disk that has room for so many bytes, however they are handed over."""

    def __init__(self, file, room: int):
        self.file, self.room = file, room

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def __getattr__(self, name: str):
        return getattr(self.file, name)

    def write(self, content) -> int:
        content = bytes(content)
        written = self.file.write(content[: self.room])
        self.room -= written
        if written < len(content):
            self.file.flush()
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return written


@contextmanager
def room_for(count: int):
    """Let every new file take so many bytes and no more."""
    inner = open

    def open_(path, mode="r", *rest, **options):
        file = inner(path, mode, *rest, **options)
        return Disk(file, count) if mode == "xb" else file

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hypersage_dgl._utils.writing.open", open_, raising=False)
        yield


def test_full_at_every_byte_of_the_last_kilobyte(tmp_path):
    path, old, new = tmp_path / "file", b"old" * 500, os.urandom(1500)
    path.write_bytes(old)
    for room in range(len(new) - 1024, len(new)):
        with room_for(room), pytest.raises(OSError, match="No space left"), replacing(path) as file:
            file.write(new)
        assert path.read_bytes() == old
    assert list(tmp_path.iterdir()) == [path]
    with room_for(len(new)), replacing(path) as file:
        file.write(new)
    assert path.read_bytes() == new


def test_a_checkpoint_on_a_disk_that_is_full_at_any_of_its_last_bytes(tmp_path):
    save_checkpoint(tmp_path, model_for())
    kept = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    largest = max(map(len, kept.values()))
    for room in range(largest - 1024, largest, 97):
        with room_for(max(room, 0)), pytest.raises(OSError, match="cannot save into"):
            save_checkpoint(tmp_path, model_for(layers=3))
        assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == kept


def after_epoch(number: int, act):
    """A score that does something to the folder once, in the epoch of this number."""
    calls = []

    def validate(model) -> float:
        calls.append(model)
        if len(calls) == number:
            act()
        return 0.5

    return validate


def test_a_removed_folder_is_made_again_and_holds_all(tmp_path):
    folder = tmp_path / "run"
    gone = after_epoch(3, lambda: shutil.rmtree(folder))
    train("full", folder, 4, validate=gone)
    assert epochs_in(folder) == 4
    assert kinds_of_files(folder) == ["checkpoint.json", "log.csv", "state", "weights"]
    assert load_checkpoint(folder).progress["best_epoch"] == 1


def test_a_moved_folder_keeps_what_it_had_and_can_be_resumed_there(tmp_path):
    folder, moved = tmp_path / "run", tmp_path / "moved"
    train("full", folder, 3)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    folder.rename(moved)
    assert {file.name: file.read_bytes() for file in moved.iterdir()} == before
    assert outcome(*train("full", moved, resume=True)) == unbroken("full")
    assert not folder.exists()


def test_a_file_in_the_place_of_the_folder_is_an_error(tmp_path):
    folder = tmp_path / "run"

    def swap() -> None:
        shutil.rmtree(folder)
        folder.write_text("mine")

    with pytest.raises(OSError, match="cannot save into"):
        train("full", folder, 4, validate=after_epoch(2, swap))
    assert folder.read_text() == "mine"


@pytest.mark.exhaustive
def test_a_killed_worker_is_an_error_and_the_run_can_be_resumed(tmp_path):
    script = Path(__file__).with_name("killed_worker.py")
    done = subprocess.run([sys.executable, script, tmp_path], capture_output=True, text=True)
    assert done.returncode == 1
    # In torch's words, or in ours where torch only finds the pipe closed.
    assert re.search(r"RuntimeError: (a )?DataLoader worker", done.stderr), done.stderr
    assert epochs_in(tmp_path) == 2
    _, again, batches = make("workers")
    resumed = fit(again, batches, epochs=5, seed=8, folder=tmp_path, resume=True)
    _, whole, batches = make("workers")
    assert outcome(resumed, again) == outcome(fit(whole, batches, epochs=5, seed=8), whole)


def test_the_disk_of_these_tests_fills_where_it_says(tmp_path):
    full = pytest.raises(OSError, match="No space left")
    with room_for(3), full, replacing(tmp_path / "x") as file:
        assert file.write(b"fou") == 3
        assert file.room == 0
        file.write(b"r")
    assert not (tmp_path / "x").exists()
