"""Jobs in processes: results and output in order, one thread each, errors and ends told."""

from __future__ import annotations

import argparse
import os
import time
import warnings
from contextlib import closing

import pytest
import torch

from hypersage_dgl.cli.jobs import each_job
from hypersage_dgl.cli.text import UsageError


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
