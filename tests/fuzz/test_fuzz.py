"""The standing attack: no reader gives way to its inputs, and the attack itself sees faults."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .children import Reader

ROOT = Path(__file__).parents[2]
# In processes of their own: children are forked, and threads of this one would not survive that.
CODE = """
import os, sys
os.environ["OMP_NUM_THREADS"] = "1"
from tests.fuzz import children
from tests.fuzz.test_fuzz import FAULTS
children.SECONDS = 1.0
outcome = children.attack(FAULTS[sys.argv[1]], 2, 0)
print(outcome.taken, outcome.refused, *outcome.undocumented, sep="|")
"""


def run(*words: str) -> subprocess.CompletedProcess[str]:
    code = [sys.executable, *words]
    return subprocess.run(code, cwd=ROOT, capture_output=True, text=True, timeout=3000)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("inputs", [2_000, pytest.param(20_000, marks=pytest.mark.exhaustive)])
def test_no_reader_gives_way(inputs):
    done = run("-m", "tests.fuzz", "--inputs", str(inputs))
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"| all | {inputs:,} |" in done.stdout


def _take_memory() -> None:
    bytearray(1 << 40)


def _loop() -> None:
    while True:
        pass


def _raise(error: Exception) -> None:
    raise error


FAULTS = {
    "good": Reader("good", lambda rng, folder: lambda: None),
    "refused": Reader("refused", lambda rng, folder: lambda: _raise(ValueError(str(folder)))),
    "unnamed": Reader("unnamed", lambda rng, folder: lambda: _raise(ValueError("no file"))),
    "raw": Reader("raw", lambda rng, folder: lambda: _raise(KeyError("x"))),
    "memory": Reader("memory", lambda rng, folder: _take_memory),
    "endless": Reader("endless", lambda rng, folder: _loop),
    "crash": Reader("crash", lambda rng, folder: lambda: os.kill(os.getpid(), 11)),
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("good", "2|0"),
        ("refused", "0|2"),
        ("unnamed", "0|0|unnamed 0: ValueError that does not name its file"),
        ("raw", "0|0|raw 0: KeyError"),
        ("memory", "0|0|memory 0: MemoryError"),
        ("endless", "0|0|endless 0: the process ended with SIGPROF"),
        ("crash", "0|0|crash 0: the process ended with SIGSEGV"),
    ],
)
def test_the_attack_sees_every_kind_of_fault(name, found):
    done = run("-c", CODE, name)
    assert done.stdout.startswith(found), done.stdout + done.stderr
    assert done.stdout.count(f"|{name} ") == (0 if name in ("good", "refused") else 2)
