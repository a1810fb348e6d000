"""The soak measures what it says; the long run is ``python -m tests.faults.soak``."""

from __future__ import annotations

import ctypes
import mmap
import os
from itertools import repeat
from pathlib import Path

import pytest

from .soak import POINTS, WORK, code, heap, measure


def test_work_runs_and_opens_nothing():
    for make in WORK.values():
        growth = measure(4, make())
        assert growth.last.calls == 4
        assert growth.last.files == growth.first.files


@pytest.mark.exhaustive
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


def test_machine_code_made_meanwhile_and_the_heap_are_told_apart():
    before, given = code(), heap()
    kind = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    rights = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
    with mmap.mmap(-1, 1 << 20, flags=kind, prot=rights) as made:
        made.write(os.urandom(1 << 20))
        assert code() - before >= 1 << 20
    assert code() == before
    held = [ctypes.create_string_buffer(1 << 22) for _ in range(4)]
    assert given == 0 or heap() - given >= 4 << 22
    del held


def test_ctrl_c_ends_the_work_and_not_the_measurement():
    def work():
        yield from range(5)
        raise KeyboardInterrupt

    assert measure(POINTS, work()).last.calls == 5
