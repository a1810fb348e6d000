"""The soak measures what it says; the long run is ``python -m tests.faults.soak``."""

from __future__ import annotations

import mmap
import os
from itertools import repeat
from pathlib import Path

from .soak import POINTS, WORK, measure


def test_work_runs_and_opens_nothing():
    for make in WORK.values():
        growth = measure(4, make())
        assert growth.last.calls == 4
        assert growth.last.files == growth.first.files


def test_what_leaks_is_seen():
    held, files = [], []

    def leaky():
        for _ in repeat(None):
            # A mapping of its own: what earlier tests freed does not serve for it.
            held.append(mmap.mmap(-1, 1 << 18))
            held[-1].write(os.urandom(1 << 18))
            files.append(Path(os.devnull).open())  # noqa: SIM115
            yield None

    growth = measure(2 * POINTS, leaky())
    for file in files:
        file.close()
    assert abs(growth.files - 1000) < 1
    # 256 kB a call, less what was free already.
    assert growth.memory > 100e6
