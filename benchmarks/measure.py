"""Time cases in turns, weigh each in a process of its own: one row for one comparison."""

from __future__ import annotations

import multiprocessing
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

import torch

Row = dict[str, Any]
Step = Callable[[], object]
BUSY = "while True: sum(range(100_000))"
# Of the peers each case has those that it asks for.
PRELOADED = ["benchmarks.training"]
PACKAGES = ("hypersage-dgl", "torch", "dgl", "numpy", "torch-geometric", "dhg", "hypertorch")


class Settings(NamedTuple):
    """What every benchmark is told."""

    dataset: str = "dblp"
    data_dir: str | None = None
    quick: bool = False

    def repeats(self, count: int) -> int:
        """As many, or one for a try."""
        return 1 if self.quick else count


@dataclass(frozen=True)
class Case:
    """One way to do a thing: ``make()`` prepares what is not timed, and gives the step that is.

    References are what the others are held against: peers, and what one would do without us.
    ``goal`` is the largest ratio to the reference that we allow ourselves.
    """

    name: str
    make: Callable[[], Step]
    is_reference: bool = False
    goal: float | None = None


@dataclass(frozen=True)
class Comparison:
    """Cases of the same work, timed in turns; ``missing`` says which peers are not among them.

    ``busy`` other processes compute all the time meanwhile.
    """

    name: str
    cases: Sequence[Case]
    repeats: int = 5
    missing: Mapping[str, str] = field(default_factory=dict)
    busy: int = 0
    weighed: bool = True


def measured(benchmark: str, comparison: Comparison, settings: Settings) -> Row:
    """The row of a comparison."""
    with beside(comparison.busy):
        times = in_turns({case.name: case.make() for case in comparison.cases}, comparison.repeats)
    is_weighed = comparison.weighed and not settings.quick
    peaks = weights(comparison.cases) if is_weighed else {}
    return {
        "benchmark": benchmark,
        "comparison": comparison.name,
        "data": settings.dataset,
        "repeats": comparison.repeats,
        "busy": comparison.busy,
        "cases": summary(comparison.cases, times, peaks),
        "missing": dict(comparison.missing),
        **surroundings(),
    }


def summary(
    cases: Sequence[Case], times: Mapping[str, Sequence[float]], peaks: Mapping[str, float]
) -> list[Row]:
    """Medians, minima and ratios of medians: to every reference, and to the fastest of them."""
    medians = {name: statistics.median(found) for name, found in times.items()}
    references = [case.name for case in cases if case.is_reference]
    rows = []
    for case in cases:
        ratios = {name: round(medians[case.name] / medians[name], 4) for name in references}
        row: Row = {
            "case": case.name,
            "reference": case.is_reference,
            "median_s": float(f"{medians[case.name]:.4g}"),
            "minimum_s": float(f"{min(times[case.name]):.4g}"),
            "peak_mib": peaks.get(case.name),
            "ratio": max(ratios.values(), default=None),
            "ratios": ratios,
        }
        rows.append(row if case.goal is None else {**row, "goal": case.goal})
    return rows


def in_turns(steps: Mapping[str, Step], repeats: int) -> dict[str, list[float]]:
    """Seconds of each step, after a round that is not counted.

    In turns, so that a noisy moment of the machine hits all alike.
    """
    times: dict[str, list[float]] = {name: [] for name in steps}
    for repeat in range(repeats + 1):
        for name, step in steps.items():
            start = time.perf_counter()
            step()
            if repeat:
                times[name].append(time.perf_counter() - start)
    return times


def weights(cases: Sequence[Case]) -> dict[str, float]:
    """Peak memory in MiB of each case, done twice in a process of its own."""
    # Children of a process that has the libraries, and has computed nothing.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    with context.Pool(2, maxtasksperchild=1) as pool:
        found = pool.map(weight, [case.make for case in cases], chunksize=1)
    return dict(zip((case.name for case in cases), found))


def weight(make: Callable[[], Step]) -> float:
    """The peak of this process, after two steps."""
    step = make()
    step()
    step()
    return round(peak_mib())


def told(words: Sequence[str]) -> str:
    """The last line that a command printed."""
    done = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.splitlines()[-1]


def peak_mib() -> float:
    """The most memory that this process has had so far.

    Not ``ru_maxrss``, which a new process has from the one that started it.
    """
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    raise OSError("/proc/self/status says nothing of VmHWM; peaks are measured on Linux")


@contextmanager
def beside(count: int) -> Iterator[None]:
    """As many other processes that compute all the time."""
    others = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(count)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def surroundings() -> Row:
    """What a row says of the machine and of the versions."""
    return {
        "threads": torch.get_num_threads(),
        "machine": f"{_processor()}, {platform.system()}",
        # Of the last minute, this process among it: beyond the threads others computed too.
        "load": round(os.getloadavg()[0], 1),
        "date": time.strftime("%Y-%m-%d"),
        "versions": {"python": platform.python_version(), **versions()},
    }


def versions() -> dict[str, str]:
    """Versions of what is installed of us, what we stand on and the peers."""
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()
