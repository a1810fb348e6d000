"""Several runs, one after the other or in processes of one thread each: their mean and spread."""

from __future__ import annotations

import argparse
import copy
import io
import multiprocessing
import os
import signal
import statistics
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import torch
from tqdm import tqdm

from .._utils import write_text
from ..data import REGRESSION
from ..hypergraphs import one_thread
from ..training import SCORE_NAMES, has_checkpoint
from .text import INTERRUPTED, percent, warnings_in_one_line

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


class Outcome(NamedTuple):
    """How a run ended: the exit code, and the accuracy on test nodes by each evaluation."""

    code: int
    scores: dict[str, float]


def run_many(args: argparse.Namespace, run_once: Callable[[argparse.Namespace], Outcome]) -> int:
    """Train ``--runs`` times, ``--jobs`` at a time, each on one thread.

    With ``--out`` each run has a folder there, which is resumed: of a run that was finished the
    scores alone are taken again.
    """
    first = args.seed or 0
    runs = [_with_seed(args, seed) for seed in range(first, first + args.runs)]
    found: list[tuple[int, dict[str, float]]] = []
    try:
        with closing(each_job(run_once, runs, args.jobs)) as outcomes:
            for number, once in enumerate(runs, start=1):
                print(f"run {number} of {args.runs}, seed {once.seed}", flush=True)
                outcome = next(outcomes)
                if outcome.code != 0:
                    return outcome.code
                found.append((once.seed, outcome.scores))
    except KeyboardInterrupt:
        # A run in this process says that itself.
        kept = "the same command goes on" if args.out is not None else "nothing is kept"
        print(f"{args.prog}: interrupted; {kept}", file=sys.stderr)
        return INTERRUPTED
    names = list(found[0][1])
    for name in names:
        values = [s[name] for _, s in found]
        said = spread(values) if args.task != REGRESSION else spread(values, "{:.4f}".format)
        print(f"test {SCORE_NAMES[args.task]} ({name}) of {args.runs} runs: {said}")
    if args.out is not None:
        lines = [",".join(("seed", *names))]
        lines += [",".join((str(seed), *(repr(s[n]) for n in names))) for seed, s in found]
        write_text(Path(args.out) / "runs.csv", "\n".join(lines) + "\n")
    return 0


def _with_seed(args: argparse.Namespace, seed: int) -> argparse.Namespace:
    once = copy.copy(args)
    once.seed = seed
    if args.out is not None:
        once.out = str(Path(args.out) / f"seed-{seed}")
        once.resume = has_checkpoint(once.out)
    return once


def spread(shares: list[float], shown: Callable[[float], str] = percent) -> str:
    """Mean and standard deviation, in percent unless shown otherwise.

    Examples
    --------
    >>> spread([0.8, 0.9])
    '85.00 ± 7.07'
    """
    sd = statistics.stdev(shares) if len(shares) > 1 else float("nan")
    return f"{shown(statistics.fmean(shares))} ± {shown(sd)}"
