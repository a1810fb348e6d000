"""One writer at a time, and the second is told who the first is."""

import os
import signal
import time

import forked
import pytest

from hypersage_dgl._utils import locked


def test_a_second_one_is_told_who_holds_the_folder(tmp_path):
    with locked(tmp_path, "train"):
        words = rf"is in use by process {os.getpid()} on .* \(train\); wait"
        with pytest.raises(BlockingIOError, match=words), locked(tmp_path, "save"):
            pass
    with locked(tmp_path, "save"):
        pass
    assert [p.name for p in tmp_path.iterdir()] == [".lock"]


def test_a_killed_process_holds_nothing(tmp_path):
    reader, writer = os.pipe()

    def hold():
        with locked(tmp_path, "train"):
            os.write(writer, b"held")
            time.sleep(600)

    child = forked.start(hold)
    os.close(writer)
    try:
        assert os.read(reader, 4) == b"held"
        with pytest.raises(BlockingIOError, match=f"process {child} on"), locked(tmp_path, "save"):
            pass
    finally:
        os.kill(child, signal.SIGKILL)
    assert forked.wait(child) == -signal.SIGKILL
    os.close(reader)
    assert (tmp_path / ".lock.holder").is_file()
    with locked(tmp_path, "save"):
        pass
