"""The benchmark of loading judges by its goal, and takes generated sets without dense features."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "load_data.py"


@pytest.mark.parametrize(
    ("name", "seconds", "mebibytes", "expected"),
    [
        ("dblp", 1.49, 1023, []),
        ("dblp", 1.5, 1023, ["dblp: open + graph s is 1.50, the goal is below 1.5"]),
        ("dblp", 1.49, 1024, ["dblp: peak MiB is 1024.00, the goal is below 1024"]),
        ("pubmed", 99, 9999, []),
    ],
)
def test_what_misses_the_goal(name, seconds, mebibytes, expected):
    missed = runpy.run_path(str(SCRIPT))["missed"]
    assert missed(name, [9, 9, 9, seconds, 300, mebibytes]) == expected


@pytest.mark.exhaustive
def test_a_generated_set_is_measured():
    command = [sys.executable, SCRIPT, "synthetic", "--sparse", "--repeats", "1"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    heading, _, row = done.stdout.splitlines()
    assert heading.count("|") == row.count("|") == 8
    measured = [float(cell) for cell in row.split("|")[2:8]]
    assert min(measured) >= 0
    # The process takes more memory than its imports alone.
    assert measured[5] >= measured[4] > 10
