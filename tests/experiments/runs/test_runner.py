"""Runs are done once each, whatever happens, and go on where they stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from short_runs import jobs

from experiments.ledger import opened, read_lines
from experiments.runs import run_jobs
from hypersage_dgl._utils import write_text

SCRIPT = Path(__file__).parents[1] / "short_runs.py"
ROOT = Path(__file__).parents[3]


def lines(path):
    return [line for _, line in read_lines(path)]


def told(path):
    """What the lines say, but for the time they took; in an order of their own."""
    rows = [json.loads(line) for line in lines(path)]
    for row in rows:
        del row["seconds"], row["command"]
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    path = tmp_path_factory.mktemp("unbroken") / "table1.jsonl.gz"
    assert run_jobs(jobs(), path, command="test", processes=1) == len(jobs())
    return path


def children(pid):
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(word) for word in found.stdout.split()]


def is_alive(pid):
    stat = Path(f"/proc/{pid}/stat")
    # A dead process that nobody waited for is a zombie, Z.
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


def wait_until(condition, seconds=600):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


@pytest.mark.exhaustive
def test_kill_9_loses_no_result_and_repeats_none(tmp_path, unbroken):
    path = tmp_path / "table1.jsonl.gz"
    journal = path.with_suffix("")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, str(SCRIPT), str(path)], env=environment)
    wait_until(lambda: journal.exists() and len(lines(path)) >= 3)
    workers = children(process.pid)
    assert workers
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    wait_until(lambda: not any(map(is_alive, workers)))
    before = journal.read_bytes()
    kept = before.count(b"\n")
    assert 3 <= kept < len(jobs())
    assert not path.exists()
    # As if it had died in the middle of a line.
    journal.write_bytes(before + b'{"dataset": "synth')
    assert run_jobs(jobs(), path, command="test", processes=2) == len(jobs()) - kept
    assert not journal.exists()
    assert lines(path)[:kept] == before.decode().splitlines()
    assert told(path) == told(unbroken)
    assert run_jobs(jobs(), path, command="test") == 0
    assert told(path) == told(unbroken)


@pytest.mark.exhaustive
def test_the_number_of_processes_changes_no_result(tmp_path, unbroken):
    path = tmp_path / "table1.jsonl.gz"
    run_jobs(jobs()[::-1], path, command="test", processes=2)
    assert told(path) == told(unbroken)


@pytest.mark.exhaustive
@pytest.mark.parametrize("processes", [1, 2])
def test_a_run_that_fails_stops_with_its_error_and_keeps_the_others(tmp_path, processes):
    path = tmp_path / "table1.jsonl.gz"
    good, bad = jobs(splits=[1, 2], inits=1), jobs(splits=[1], inits=1, epochs=0)
    with pytest.raises(ValueError, match="epochs is 0"):
        # The one after it has begun when it fails, or is left out, but never lost half-way.
        run_jobs([good[0], bad[1], good[1]], path, processes=processes)
    kept = [json.loads(line)["split"] for line in lines(path)]
    assert sorted(kept) in ([1], [1, 2])
    assert run_jobs(good, path) == len(good) - len(kept)
    assert len(lines(path)) == len(good)


@pytest.mark.exhaustive
def test_half_of_an_inductive_run_is_made_whole(tmp_path):
    path = tmp_path / "table3.jsonl.gz"
    inductive = jobs(splits=[1], inits=1, part="seen")
    run_jobs(inductive, path, processes=1)
    whole = lines(path)
    assert [json.loads(line)["part"] for line in whole] == ["seen", "unseen"] * 2
    write_text(path, "\n".join(whole[:3]) + "\n")
    assert run_jobs(inductive, path, processes=1) == 1
    assert told(path) == sorted(
        json.dumps(
            {k: v for k, v in json.loads(line).items() if k not in ("seconds", "command")},
            sort_keys=True,
        )
        for line in whole
    )


def test_two_processes_cannot_add_to_one_file(tmp_path):
    path = tmp_path / "table1.jsonl.gz"
    with opened(path), pytest.raises(BlockingIOError, match="another process adds to"):
        run_jobs(jobs(), path)
