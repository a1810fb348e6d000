"""Kill -9 at random moments of whatever writes, and see that nothing is wrong or lost.

A process that has computed before forks a child for each kill, so that importing takes time only
once; run it with one thread. The child does one job in a folder of its own and dies at a moment
drawn from the time that the job takes; then the parent looks at what is left.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import torch
from training.runs import EPOCHS, kinds_of_files, make, outcome, train, unbroken

from hypersage_dgl import hypergraph, hypergraph_from_incidence
from hypersage_dgl.convert import read_folder, read_hif, write_folder, write_hif
from hypersage_dgl.data.benchmarks.locate import keep
from hypersage_dgl.hypergraphs import incidences
from hypersage_dgl.training import has_checkpoint, load_checkpoint, save_checkpoint

CONTENT = bytes(range(256)) * 20_000


class Job(NamedTuple):
    """What a folder holds before, what is done in it, and what must be true of it afterwards."""

    prepare: Callable[[Path], None]
    work: Callable[[Path], None]
    check: Callable[[Path], None]


class Row(NamedTuple):
    """What came of the kills of one job."""

    job: str
    kills: int
    in_time: int
    failures: list[str]

    def __str__(self) -> str:
        return f"| {self.job} | {self.kills} | {self.in_time} | {len(self.failures)} |"


def nothing(folder: Path) -> None:
    folder.mkdir()


def train_on(folder: Path) -> None:
    train("full", folder, resume=has_checkpoint(folder))


def check_training(folder: Path) -> None:
    """Go on, and come to the very weights of the unbroken run."""
    found = outcome(*train("full", folder, resume=has_checkpoint(folder)))
    assert found == unbroken("full"), "other weights than those of the unbroken run"
    files = kinds_of_files(folder)
    assert files == ["checkpoint.json", "log.csv", "state", "weights"], files


def some_epochs(folder: Path) -> None:
    train("full", folder, EPOCHS // 2)


def save_model(folder: Path) -> None:
    _, model, _ = make("full")
    for value in (1.0, 2.0, 1.0, 2.0):
        with torch.no_grad():
            model.layers[0].linear.bias.fill_(value)
        save_checkpoint(folder, model)


def check_model(folder: Path) -> None:
    bias = load_checkpoint(folder).model.layers[0].linear.bias
    assert bias.unique().tolist() in ([1.0], [2.0])


def old_graph():
    return hypergraph([[0, 1, 2], [2, 3]])


def new_graph():
    members = torch.arange(40_000) % 10_000
    return hypergraph_from_incidence(members, torch.arange(len(members)) // 4)


def check_graph(found) -> None:
    pairs = [incidences(graph) for graph in (old_graph(), new_graph())]
    ids = incidences(found)
    assert any(all(map(torch.equal, ids, pair)) for pair in pairs)


JOBS = {
    "train": Job(nothing, train_on, check_training),
    "resume": Job(some_epochs, train_on, check_training),
    "save a model": Job(save_model, save_model, check_model),
    "save a hypergraph": Job(
        lambda folder: write_folder(old_graph(), folder / "graph"),
        lambda folder: write_folder(new_graph(), folder / "graph"),
        lambda folder: check_graph(read_folder(folder / "graph").graph),
    ),
    "convert": Job(
        lambda folder: (folder.mkdir(), write_hif(old_graph(), folder / "graph.json"))[0],
        lambda folder: write_hif(new_graph(), folder / "graph.json"),
        lambda folder: check_graph(read_hif(folder / "graph.json").graph),
    ),
    "fill the cache": Job(
        nothing,
        lambda folder: fill_cache(folder),
        lambda folder: check_cache(folder),
    ),
}


def fill_cache(folder: Path) -> None:
    for i in range(4):
        keep(folder / f"{i}.bin", CONTENT)


def check_cache(folder: Path) -> None:
    for file in folder.glob("*.bin"):
        assert file.read_bytes() == CONTENT
    keep(folder / "0.bin", CONTENT)
    assert (folder / "0.bin").read_bytes() == CONTENT


def in_child(work: Callable[[], None], delay: float | None = None) -> int:
    """Exit code of a child that does this, or the signal that it died of."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    if delay is not None:
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def kill(job: Job, folder: Path, delay: float) -> tuple[bool, str | None]:
    """Whether the job was still at work when it was killed, and what is wrong afterwards."""
    job.prepare(folder)
    died = in_child(lambda: job.work(folder), delay)
    try:
        job.check(folder)
    except Exception as error:  # whatever it is, the table counts it
        return died == -signal.SIGKILL, f"{type(error).__name__}: {error!s:.300}"
    finally:
        shutil.rmtree(folder)
    return died == -signal.SIGKILL, None


def run(kills: int, seed: int) -> list[Row]:
    """So many kills, dealt out to the jobs in turn."""
    warnings.simplefilter("ignore")
    draw, rows = random.Random(seed), []
    unbroken("full")
    with tempfile.TemporaryDirectory() as top:
        for number, (name, job) in enumerate(JOBS.items()):
            whole = Path(top) / "whole"
            job.prepare(whole)
            start = time.perf_counter()
            assert in_child(lambda job=job, whole=whole: job.work(whole)) == 0, name
            takes = time.perf_counter() - start
            shutil.rmtree(whole)
            count = len(range(number, kills, len(JOBS)))
            done = [
                kill(job, Path(top) / f"{number}-{i}", draw.uniform(0, takes)) for i in range(count)
            ]
            failures = [wrong for _, wrong in done if wrong is not None]
            rows.append(Row(name, count, sum(hit for hit, _ in done), failures))
            print(rows[-1], flush=True)
    return rows
