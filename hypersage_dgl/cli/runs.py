"""Several runs with one seed after the other: the mean of their scores and its spread."""

from __future__ import annotations

import argparse
import copy
import statistics
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from .._utils import write_text
from ..data import REGRESSION
from ..training import SCORE_NAMES, has_checkpoint
from .jobs import each_job
from .text import INTERRUPTED, percent


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
