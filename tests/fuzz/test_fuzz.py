"""The standing attack: no reader gives way to its inputs, and the attack itself sees faults."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .deal import deal
from .readers import READERS

# In parts, which the workers of the tests share among them.
INPUTS, PARTS = 20_000, 4
ROOT = Path(__file__).parents[2]
# In processes of their own: children are forked, and threads of this one would not survive that.
CODE = """
import os, sys
os.environ["OMP_NUM_THREADS"] = "1"
from tests.fuzz import children
from tests.fuzz.faulty import FAULTS
children.SECONDS = 1.0
if sys.argv[1] == "asleep":
    children.SILENCE = 50
outcome = children.attack(FAULTS[sys.argv[1]], 2, 0)
print(outcome.taken, outcome.refused, *outcome.undocumented, sep="|")
"""


def run(*words: str) -> subprocess.CompletedProcess[str]:
    code = [sys.executable, *words]
    return subprocess.run(code, cwd=ROOT, capture_output=True, text=True, timeout=3000)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("part", [f"{number}/{PARTS}" for number in range(1, PARTS + 1)])
def test_no_reader_gives_way(part):
    done = run("-m", "tests.fuzz", "--inputs", str(INPUTS), "--part", part)
    assert done.returncode == 0, done.stdout + done.stderr
    inputs = sum(count for _, count in deal(READERS, INPUTS, part))
    assert f"| all | {inputs:,} |" in done.stdout


def test_the_parts_are_the_whole():
    parts = [deal(READERS, INPUTS, f"{number}/{PARTS}") for number in range(1, PARTS + 1)]
    dealt = [one for part in parts for one in part]
    assert sorted(reader.name for reader, _ in dealt) == sorted(r.name for r in READERS)
    assert sum(inputs for _, inputs in dealt) == INPUTS
    assert min(inputs for _, inputs in dealt) > 100
    with pytest.raises(ValueError, match=f"give one from 1/{PARTS} to {PARTS}/{PARTS}"):
        deal(READERS, INPUTS, f"{PARTS + 1}/{PARTS}")


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
        ("asleep", "0|0|asleep 0: the process ended with SIGKILL"),
        ("crash", "0|0|crash 0: the process ended with SIGSEGV"),
    ],
)
def test_the_attack_sees_every_kind_of_fault(name, found):
    done = run("-c", CODE, name)
    assert done.stdout.startswith(found), done.stdout + done.stderr
    assert done.stdout.count(f"|{name} ") == (0 if name in ("good", "refused") else 2)
