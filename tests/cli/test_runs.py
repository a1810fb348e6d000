"""Several runs, in one process or in several."""

from __future__ import annotations

import argparse
import os
import re
import signal
import statistics
import subprocess
import time
import warnings
from contextlib import closing

import pytest
import torch

from hypersage_dgl.cli.runs import each_job, spread
from hypersage_dgl.cli.text import UsageError
from hypersage_dgl.training import load_checkpoint

from .conftest import start
from .own_data import losses, weights

OWN = ("train", "--hypergraph", "recipes.npz", "--split", "random", "--epochs", "4")


def job(**values):
    return argparse.Namespace(prog="tool", **values)


def square(args):
    time.sleep(args.pause)
    print(f"squares {args.number}")
    warnings.warn("a warning\nin two lines", stacklevel=1)
    return args.number**2, torch.get_num_threads(), os.getpid()


def refuse(args):
    print("so far")
    raise UsageError(f"not {args.number}")


def vanish(args):
    os._exit(3)


def wait_long(args):
    if args.number:
        time.sleep(600)
    return args.number


@pytest.mark.exhaustive
def test_processes_give_results_and_output_in_the_order_of_the_jobs(capfd):
    jobs = [job(number=3, pause=1.0), job(number=2, pause=0.0)]
    found = list(each_job(square, jobs, 2))
    assert [result[:2] for result in found] == [(9, 1), (4, 1)]
    assert os.getpid() not in {result[2] for result in found}
    done = capfd.readouterr()
    assert done.out == "squares 3\nsquares 2\n"
    assert done.err == "tool: warning: a warning in two lines\n" * 2


@pytest.mark.filterwarnings("ignore:a warning")
def test_one_at_a_time_is_this_process_on_one_thread():
    before = torch.get_num_threads()
    found = list(each_job(square, [job(number=5, pause=0.0)], 1))
    assert found == [(25, 1, os.getpid())]
    assert torch.get_num_threads() == before


@pytest.mark.exhaustive
def test_an_error_comes_with_what_was_printed_before(capfd):
    with pytest.raises(UsageError, match="not 1"):
        list(each_job(refuse, [job(number=1), job(number=2)], 2))
    assert capfd.readouterr().out == "so far\n"


@pytest.mark.exhaustive
def test_a_process_that_dies_is_told():
    with pytest.raises(RuntimeError, match="with fewer --jobs"):
        list(each_job(vanish, [job(number=1), job(number=2)], 2))


@pytest.mark.exhaustive
def test_who_wants_no_more_does_not_wait_for_the_rest():
    with closing(each_job(wait_long, [job(number=0), job(number=1)], 2)) as results:
        assert next(results) == 0


def accuracy(text):
    return float(re.search(r"^test accuracy \(full\): (\S+)$", text, re.M)[1])


@pytest.mark.exhaustive
def test_runs_are_runs_with_the_next_seeds(data, hypersage):
    done = hypersage(*OWN, "--runs", "3", "--seed", "2", "--out", "many")
    assert done.code == 0, done
    single = [accuracy(hypersage(*OWN, "--seed", seed).out) for seed in (2, 3, 4)]
    mean, sd = re.search(r"of 3 runs: (\S+) ± (\S+)$", done.out, re.M).groups()
    assert abs(float(mean) - statistics.fmean(single)) < 0.01
    assert abs(float(sd) - statistics.stdev(single)) < 0.01
    rows = (data / "many" / "runs.csv").read_text().splitlines()
    assert rows[0] == "seed,full"
    assert [f"{100 * float(row.split(',')[1]):.2f}" for row in rows[1:]] == [
        f"{share:.2f}" for share in single
    ]
    again = hypersage(*OWN, "--runs", "4", "--seed", "2", "--out", "many")
    assert again.out.count("trained 0 epochs after 4") == 3
    assert again.out.count("trained 4 epochs in") == 1


@pytest.mark.exhaustive
def test_the_number_of_processes_changes_nothing(data, hypersage):
    words = (*OWN, "--runs", "3", "--seed", "5")
    one = hypersage(*words, "--out", "one")
    two = hypersage(*words, "--jobs", "2", "--out", "two")
    assert (one.code, two.code) == (0, 0), (one, two)
    texts = [(data / name / "runs.csv").read_bytes() for name in ("one", "two")]
    assert texts[0] == texts[1]
    for seed in (5, 6, 7):
        models = [load_checkpoint(f"{name}/seed-{seed}").model for name in ("one", "two")]
        assert torch.equal(*map(weights, models))
    # The same lines in the same order, but for the seconds and the folder.
    lines = [re.sub(r"in \S+ s,|(in|run:) (one|two)/", "", done.out) for done in (one, two)]
    assert lines[0] == lines[1]
    again = hypersage(*words, "--out", "two")
    assert again.out.count("trained 0 epochs after 4") == 3
    assert (data / "two" / "runs.csv").read_bytes() == texts[0]


def test_jobs_are_for_several_runs(data, fails):
    assert "--jobs needs --runs" in fails(*OWN, "--jobs", "2", code=2)


def wait_until(is_so, seconds=300.0):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


def is_gone(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.exhaustive
def test_ctrl_c_ends_all_runs_in_one_line_and_the_same_command_goes_on(data, hypersage):
    words = (*OWN[:-1], "100000", "--no-report", "--runs", "3", "--jobs", "2", "--out", "many")
    logs = [data / "many" / f"seed-{seed}" / "log.csv" for seed in (0, 1)]
    # A group of its own, as a terminal makes: Ctrl-C goes to each process of it.
    with start(*words, start_new_session=True, stdout=subprocess.DEVNULL) as process:
        wait_until(lambda: all(log.exists() and len(losses(log)) >= 2 for log in logs))
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=300)
    assert process.returncode == 130
    assert said == "hypersage train: interrupted; the same command goes on\n"
    # Nor does a helper of Python's own stay behind.
    wait_until(lambda: is_gone(process.pid))
    assert not (data / "many" / "runs.csv").exists()
    done = [len(losses(log)) for log in logs]
    epochs = str(max(done) + 2)
    again = hypersage(*OWN[:-1], epochs, "--no-report", "--runs", "3", "--out", "many")
    assert again.code == 0, again
    assert f"epochs after {min(done)}" in again.out
    whole = hypersage(*OWN[:-1], epochs, "--no-report", "--runs", "2", "--out", "whole")
    assert whole.code == 0, whole
    for log in logs:
        assert losses(log) == losses(data / "whole" / log.parent.name / log.name)


def test_one_run_has_no_spread():
    assert spread([0.5]) == "50.00 ± -"
