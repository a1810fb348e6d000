"""One writer at a time, and the second is told who the first is."""

import os
import signal
import subprocess
import sys

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


HOLD = """
import sys, time
from pathlib import Path
from hypersage_dgl._utils import locked
with locked(Path(sys.argv[1]), "train"):
    print("held", flush=True)
    time.sleep(600)
"""


def test_a_killed_process_holds_nothing(tmp_path):
    code = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(code, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "held\n"
        with (
            pytest.raises(BlockingIOError, match=f"process {process.pid} on"),
            locked(tmp_path, "save"),
        ):
            pass
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert (tmp_path / ".lock.holder").is_file()
    with locked(tmp_path, "save"):
        pass
