"""A full or closed disk: one clear error, no file in part, and the earlier checkpoint as it was."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from pathlib import Path

import pytest
from small_hypergraph import model_for

from hypersage_dgl.training import load_checkpoint, save_checkpoint

from .runs import WHOLE, epochs_in, kinds_of_files, outcome, train

# The files of one epoch, in the order of writing.
FILES = ["weights", "state", "record", "log"]


class FullFile:
    """A file that takes a few bytes, and then the disk is full."""

    def __init__(self, file):
        self.file = file

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def fileno(self):
        return self.file.fileno()

    def write(self, content: bytes) -> int:
        self.file.write(content[:10])
        self.file.flush()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@contextmanager
def disk_full_at(number: int):
    """Let the disk be full from the nth new file on."""
    inner, opened = open, []

    def open_(path, mode="r", *rest, **options):
        file = inner(path, mode, *rest, **options)
        if mode != "xb":
            return file
        opened.append(path)
        return file if len(opened) < number else FullFile(file)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hypersage_dgl._utils.writing.open", open_, raising=False)
        yield


@pytest.mark.parametrize("at", FILES)
def test_full_while_saving_a_later_epoch(tmp_path, at):
    train("full", tmp_path, 2)
    number = len(FILES) + FILES.index(at) + 1
    # One row of the log is written on resuming, then four files an epoch.
    with disk_full_at(1 + number), pytest.raises(OSError, match=r"No space left") as error:
        train("full", tmp_path, 6, resume=True)
    assert error.value.errno == errno.ENOSPC
    assert str(tmp_path) in str(error.value)
    # The log follows the checkpoint: where it failed, the checkpoint has the epoch already.
    assert epochs_in(tmp_path) == (4 if at == "log" else 3)
    assert kinds_of_files(tmp_path) == WHOLE
    assert outcome(*train("full", tmp_path, resume=True)) == outcome(*train("full", None))


@pytest.mark.parametrize("at", FILES[:3])
def test_full_while_saving_the_first_time(tmp_path, at):
    with disk_full_at(FILES.index(at) + 1), pytest.raises(OSError, match="No space left"):
        train("full", tmp_path, 2)
    assert [file.name for file in tmp_path.iterdir()] == [".lock"]


def test_full_while_replacing_a_model(saved):
    kept = {file.name: file.read_bytes() for file in saved.iterdir()}
    for number in (1, 2):
        with disk_full_at(number), pytest.raises(OSError, match="cannot save into"):
            save_checkpoint(saved, model_for(layers=3))
        assert {file.name: file.read_bytes() for file in saved.iterdir()} == kept
    assert len(load_checkpoint(saved).model.layers) == 2


@contextmanager
def closed(folder: Path):
    """A folder that this process may not write to; root becomes nobody for it."""
    mode, is_root = folder.stat().st_mode, os.geteuid() == 0
    folder.chmod(0o555)
    if is_root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)
        folder.chmod(mode)


def test_a_folder_that_cannot_be_written_is_named_before_the_first_epoch(tmp_path):
    epochs = []
    folder = tmp_path / "mine"
    folder.mkdir()
    with closed(folder), pytest.raises(PermissionError, match=r"cannot save into .*mine"):
        train("full", folder, 2, validate=lambda model: epochs.append(1) or 0.5)
    assert epochs == []
    assert [file.name for file in folder.iterdir() if file.name != ".lock"] == []


def test_a_folder_that_closes_leaves_the_earlier_checkpoint(saved):
    kept = {file.name: file.read_bytes() for file in saved.iterdir()}
    with closed(saved), pytest.raises(PermissionError, match="cannot save into"):
        save_checkpoint(saved, model_for(layers=3))
    assert {file.name: file.read_bytes() for file in saved.iterdir()} == kept


def test_a_file_is_no_folder(tmp_path):
    file = tmp_path / "taken"
    file.write_text("mine")
    for folder in (file, file / "below"):
        with pytest.raises(OSError, match="cannot save into"):
            train("full", folder, 1)
        with pytest.raises(OSError, match="cannot save into"):
            save_checkpoint(folder, model_for())
    assert file.read_text() == "mine"
