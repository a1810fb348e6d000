"""A dozen kills in the test command; ``python -m tests.faults --kills 200`` is the long run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def test_kill_9_at_random_moments_leaves_nothing_wrong_and_loses_nothing():
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults", "--kills", "12"],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=3000,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = done.stdout.splitlines()[2:]
    assert len(rows) == 6, done.stdout
    assert all(row.endswith("| 0 |") for row in rows), done.stdout
