"""Do runs side by side, keep each result at once, and go on where an earlier run stopped."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from typing import Any

import torch
from tqdm import tqdm

from hypersage_dgl._utils import PathLike

from ..ledger import Ledger, opened
from ..plan import Job
from ..result import Result
from .trial import run_trial


def run_jobs(
    jobs: Sequence[Job],
    path: PathLike,
    *,
    data_dir: str | None = None,
    command: str = "",
    processes: int = 2,
    progress: bool | None = None,
) -> int:
    """Do the runs that the file has no result of yet; return how many that were.

    Parameters
    ----------
    jobs
        Runs, each with its recipe, in the order in which to do them.
    path
        File of results, as ``table1.jsonl.gz``.
    data_dir
        Folder with the public files of the benchmarks.
    command
        What the results say of their origin.
    processes
        Runs at a time, each on one thread.
    progress
        Show a progress bar with the time left; by default if standard error is a terminal.
    """
    show = sys.stderr.isatty() if progress is None else progress
    with opened(path) as ledger:
        waiting = [job for job in jobs if not is_done(job[0], ledger)]
        bar = tqdm(total=len(jobs), initial=len(jobs) - len(waiting), unit="run", disable=not show)
        # Fresh processes: a fork would inherit the threads and locks of torch and DGL.
        context = multiprocessing.get_context("spawn")
        with bar, ProcessPoolExecutor(processes, context, _start_worker) as pool:
            _run(waiting, ledger, pool, (data_dir, command), bar, 2 * processes)
    return len(waiting)


def is_done(run: Result, ledger: Ledger) -> bool:
    """Whether the file has all results of a run."""
    return all(replace(run, part=part).to_row() in ledger for part in run.parts)


def _run(
    waiting: list[Job],
    ledger: Ledger,
    pool: ProcessPoolExecutor,
    arguments: tuple[Any, ...],
    bar: tqdm[Any],
    ahead: int,
) -> None:
    """Keep a few runs in the queue: neighbours in the list share what a worker has kept."""
    running: set[Future[list[Result]]] = set()
    queue = iter(waiting)
    try:
        while True:
            for job in queue:
                running.add(pool.submit(run_trial, *job, *arguments))
                if len(running) >= ahead:
                    break
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                running.remove(future)
                ledger.add(result.to_row() for result in future.result())
                bar.update()
    except BrokenProcessPool:
        raise RuntimeError(
            "a process died in the middle of a run, often because memory ran out; give the command "
            "again with --processes 1"
        ) from None
    finally:
        # After an error or Ctrl-C, what has not begun is left out and what has begun is kept.
        begun = [future for future in running if not future.cancel()]
        for future in wait(begun).done:
            if future.exception() is None:
                ledger.add(result.to_row() for result in future.result())


def _start_worker() -> None:
    """One thread for each process, and an end with the parent, however that ends."""
    torch.set_num_threads(1)
    # Ctrl-C goes to all processes of a terminal; the parent decides what becomes of the runs.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
