"""Train and predict for long, and measure what grows: memory, open files, threads.

    python -m tests.faults.soak --batches 20000 --arrivals 10000

prints, for each kind of work, its first and its last measurement and the slope over the second
half, by least squares: what a process takes once, to warm up, is no leak. Of the memory it tells
apart what the C heap has given out, and machine code that was made meanwhile: DGL compiles its sums
for each shape that it meets. ``--control 10000`` sums on graphs of DGL alone, without any code of
ours, and ``--no-libxsmm`` turns those compiled sums off. Ctrl-C ends a kind of work early, and its
row is that of what was done.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from hypersage_dgl import hypergraph_from_incidence
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import Minibatches, Predictor, sampler_for, seed_everything

NODES, WIDTH, CLASSES = 2000, 32, 4
POINTS = 40


class Sample(NamedTuple):
    """What the process takes after so many calls."""

    calls: int
    memory: int
    heap: int
    code: int
    files: int
    threads: int


class Growth(NamedTuple):
    """First and last sample, and growth for each 1,000 calls over the second half."""

    first: Sample
    last: Sample
    memory: float
    heap: float
    code: float
    files: float
    threads: float


def resident() -> int:
    """Bytes of memory that the process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


class _MallInfo(ctypes.Structure):
    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    )


def heap() -> int:
    """Bytes that malloc has given out; 0 where the C library does not tell."""
    ask = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if ask is None:
        return 0
    ask.restype = _MallInfo
    told = ask()
    return int(told.uordblks + told.hblkhd)


def code() -> int:
    """Bytes of machine code in no file: made while the process ran."""
    found, is_made = 0, False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        if place := re.match(r"[0-9a-f]+-[0-9a-f]+ (\S+) \S+ \S+ \S+ *(.*)", line):
            is_made = "x" in place[1] and not place[2]
        elif is_made and line.startswith("Rss:"):
            found += 1024 * int(line.split()[1])
    return found


def sample(calls: int) -> Sample:
    gc.collect()
    return Sample(
        calls,
        resident(),
        heap(),
        code(),
        len(list(Path("/proc/self/fd").iterdir())),
        max(threading.active_count(), len(list(Path("/proc/self/task").iterdir()))),
    )


def measure(calls: int, work: Iterator[object]) -> Growth:
    """Call so often, or until Ctrl-C, and see what grows."""
    samples, every = [], max(calls // POINTS, 1)
    with suppress(KeyboardInterrupt):
        for done in range(1, calls + 1):
            next(work)
            if done % every == 0:
                samples.append(sample(done))
    late = samples[len(samples) // 2 :]
    at = np.array([s.calls for s in late]) / 1000
    slopes = [
        float(np.polyfit(at, [getattr(s, name) for s in late], 1)[0]) if len(late) > 1 else 0.0
        for name in Growth._fields[2:]
    ]
    return Growth(samples[0], samples[-1], *slopes)


def case():
    """A hypergraph whose nodes are in four hyperedges each, features and labels."""
    numbers = torch.Generator().manual_seed(0)
    members = torch.randint(NODES, (NODES * 4,), generator=numbers)
    graph = hypergraph_from_incidence(members, torch.arange(len(members)) // 4, NODES)
    return graph, torch.rand(NODES, WIDTH, generator=numbers), torch.arange(NODES) % CLASSES


def batches() -> Iterator[object]:
    """Steps of training on minibatches, epoch after epoch."""
    graph, feat, labels = case()
    seed_everything(0)
    model = HyperSAGE(WIDTH, 16, CLASSES, p=2)
    adam = torch.optim.Adam(model.parameters())
    drawn = Minibatches(
        graph, feat, labels, torch.arange(NODES), sampler_for(model, graph, alpha=3), batch_size=64
    )
    while True:
        for batch in drawn:
            loss = torch.nn.functional.cross_entropy(model(batch.graph, batch.feat), batch.labels)
            adam.zero_grad()
            loss.backward()
            adam.step()
            yield None


def arrivals() -> Iterator[object]:
    """Nodes that arrive one by one, each at other hyperedges."""
    graph, feat, _ = case()
    seed_everything(0)
    predictor = Predictor(HyperSAGE(WIDTH, 16, CLASSES, p=2))
    predictor.attach(graph, feat)
    numbers = np.random.default_rng(0)
    while True:
        joined = numbers.choice(graph.num_nodes("hyperedge"), size=4, replace=False)
        yield predictor.predict_new(torch.rand(1, WIDTH), [joined], [[NODES, 5]])


def control() -> Iterator[object]:
    """What arrivals ask of DGL, and nothing else: graphs of ever other sizes, and sums on them."""
    import dgl  # after ours, which load it

    numbers = np.random.default_rng(0)
    while True:
        count, edges = int(numbers.integers(60, 400)), int(numbers.integers(200, 1600))
        ids = [torch.from_numpy(numbers.integers(count, size=edges)) for _ in range(2)]
        graph = dgl.heterograph({("a", "to", "b"): tuple(ids)}, {"a": count, "b": count})
        yield dgl.ops.copy_u_sum(graph, torch.rand(count, WIDTH))


WORK: dict[str, Callable[[], Iterator[object]]] = {
    "batches": batches,
    "arrivals": arrivals,
    "control": control,
}


def row(name: str, growth: Growth) -> str:
    first, last = growth.first, growth.last
    return (
        f"| {name} | {last.calls:,} | {first.memory / 1e6:.1f} → {last.memory / 1e6:.1f} | "
        f"{growth.memory / 1e3:+.1f} kB | {growth.heap / 1e3:+.1f} kB | "
        f"{growth.code / 1e3:+.1f} kB | {first.files} → {last.files} ({growth.files:+.3f}) | "
        f"{first.threads} → {last.threads} ({growth.threads:+.3f}) |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    for name, count in (("batches", 20_000), ("arrivals", 10_000), ("control", 0)):
        parser.add_argument(f"--{name}", type=int, default=count, help="(default: %(default)s)")
    parser.add_argument("--no-libxsmm", action="store_true", help="no sums that DGL compiles")
    args = parser.parse_args()
    torch.set_num_threads(1)
    if args.no_libxsmm:
        import dgl  # after ours, which load it

        dgl.use_libxsmm(False)
    print(
        "| work | calls | memory, MB | per 1,000 calls | of the heap | of machine code "
        "| open files | threads |"
    )
    print("|---" * 8 + "|", flush=True)
    for name, make in WORK.items():
        if count := getattr(args, name):
            print(row(name, measure(count, make())), flush=True)


if __name__ == "__main__":
    main()
