"""Work in several processes with one thread each, told and returned in the order of the list."""

from __future__ import annotations

import argparse
import io
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, NamedTuple, TypeVar

import torch
from tqdm import tqdm

from ..hypergraphs import one_thread
from .text import warnings_in_one_line

Result = TypeVar("Result")
Work = Callable[[argparse.Namespace], Result]


class _Done(NamedTuple):
    result: Any
    error: Exception | None
    out: str
    err: str


def each_job(
    work: Work[Result], jobs: Sequence[argparse.Namespace], processes: int
) -> Generator[Result, None, None]:
    """Do jobs, so many at a time, and give their results one by one in their order.

    Each runs on one thread, also the only one at a time: the numbers do not depend on how many
    there are. What a process prints comes before its result. The first error ends all others.
    """
    if processes == 1:
        for job in jobs:
            with _on_one_thread():
                result = work(job)
            yield result
        return
    # Fresh processes: a fork would inherit the threads and locks of torch and DGL.
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    pool = ProcessPoolExecutor(min(processes, len(jobs)), context, _start_worker, (stop,))
    try:
        waiting = [pool.submit(_captured, work, job) for job in jobs]
        for future in waiting:
            done = future.result()
            print(done.out, end="", flush=True)
            print(done.err, end="", file=sys.stderr, flush=True)
            if done.error is not None:
                raise done.error
            yield done.result
    except BrokenProcessPool:
        raise RuntimeError(
            "a process died in the middle of a run, often because memory ran out; give the command "
            "again with fewer --jobs"
        ) from None
    except BaseException:
        # Also Ctrl-C, and a caller who wants no more. Files are whole at every moment.
        stop.set()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _on_one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with one_thread():
            yield
    finally:
        torch.set_num_threads(before)


def _captured(work: Work[Result], job: argparse.Namespace) -> _Done:
    out, err = io.StringIO(), io.StringIO()
    result, error = None, None
    with redirect_stdout(out), redirect_stderr(err), warnings_in_one_line(job.prog):
        try:
            with _on_one_thread():
                result = work(job)
        except Exception as found:
            error = found
    return _Done(result, error, out.getvalue(), err.getvalue())


def _start_worker(stop: Any) -> None:
    """End when the parent says so, or with it."""
    # Ctrl-C goes to all processes of a terminal; the parent decides what becomes of the runs.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # That of tqdm is a semaphore of the system, and Python would tell that it was left behind.
    tqdm.set_lock(threading.RLock())
    parent = multiprocessing.parent_process()
    assert parent is not None

    def leave_after(wait: Callable[[], Any]) -> None:
        wait()
        os._exit(1)

    for wait in (stop.wait, parent.join):
        threading.Thread(target=leave_after, args=(wait,), daemon=True).start()
