"""How cost grows with size: build, |N(v)| by sketch, a training epoch, streamed inference.

    python benchmarks/scaling.py                             # 100k, 300k and 1M nodes
    python benchmarks/scaling.py --nodes 10000000 --out rows.jsonl

A random hypergraph with planted classes, 1.25 hyperedges and 5 incidences a node, and 64 features
in a mapped file of float16. Each size runs in a process of its own, on one thread. Prints a JSON
line for each: CPU seconds, which busy neighbours change little, seconds by the clock, and the peak
of the memory that is not the features' (RssAnon, which leaves the mapped file out).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch

import hypersage_dgl
from hypersage_dgl import num_neighbors
from hypersage_dgl.data import read_mapped
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import Minibatches, fit, sampler_for, seed_everything
import dgl

WIDTH, HIDDEN, CLASSES, BATCH, FAN_OUT = 64, 32, 8, 1024, 5
SIZES = (100_000, 300_000, 1_000_000)
CHUNK = 100_000


def anonymous_gib() -> float:
    """Memory of this process that no file backs."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon"):
            return int(line.split()[1]) / 2**20
    raise OSError("/proc/self/status says nothing of RssAnon")


class Steps:
    """Times and peaks of the steps of a run."""

    def __init__(self) -> None:
        self.row: dict[str, float] = {}
        self.peak = 0.0

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Measure what happens inside."""
        before, peak, is_over = anonymous_gib(), [0.0], threading.Event()

        def watch() -> None:
            while not is_over.wait(0.02):
                peak[0] = max(peak[0], anonymous_gib())

        watcher = threading.Thread(target=watch)
        watcher.start()
        cpu, clock = time.process_time(), time.perf_counter()
        try:
            yield
        finally:
            cpu, clock = time.process_time() - cpu, time.perf_counter() - clock
            is_over.set()
            watcher.join()
        top = max(peak[0], anonymous_gib())
        self.peak = max(self.peak, top)
        self.row |= {
            f"{name}_cpu_s": round(cpu, 3),
            f"{name}_s": round(clock, 3),
            f"{name}_extra_gib": round(top - before, 3),
        }


def planted(count: int, rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """Incidences and classes: nine of ten members are of their hyperedge's class."""
    num_hyperedges = count * 5 // 4
    sizes = 2 + rng.geometric(1 / 3, num_hyperedges) - 1
    edges = np.repeat(np.arange(num_hyperedges), sizes)
    # Nodes go round the classes, so a node of a class is a multiple and a rest.
    wanted = edges % CLASSES
    nodes = rng.integers(0, count // CLASSES, len(edges)) * CLASSES + wanted
    is_any = rng.random(len(edges), dtype=np.float32) < 0.1
    nodes[is_any] = rng.integers(0, count, int(is_any.sum()))
    return nodes, edges, np.arange(count) % CLASSES


def write_features(path: Path, labels: Any, rng: np.random.Generator) -> None:
    """Noise, and a little of the class, a chunk of rows at a time."""
    shape = (len(labels), WIDTH)
    out = np.lib.format.open_memmap(path, mode="w+", dtype=np.float16, shape=shape)
    for start in range(0, len(labels), CHUNK):
        rows = rng.standard_normal((len(labels[start : start + CHUNK]), WIDTH), dtype=np.float32)
        rows[np.arange(len(rows)), labels[start : start + CHUNK]] += 1
        out[start : start + CHUNK] = rows
    out.flush()


def warm_up() -> None:
    """Load what training loads when it is first used: seconds that are not the hypergraph's."""
    g, model = hypersage_dgl.hypergraph([[0, 1]]), HyperSAGE(WIDTH, HIDDEN, CLASSES)
    parts = (g, torch.ones(2, WIDTH), torch.tensor([0, 1]), torch.arange(2))
    fit(model, Minibatches(*parts, sampler_for(model, g)), epochs=1, progress=False)


def measure(count: int, folder: Path) -> dict[str, Any]:
    """One row: all steps at one size."""
    torch.set_num_threads(1)
    rng, steps = np.random.default_rng(0), Steps()
    nodes, edges, classes = planted(count, rng)
    path = folder / f"features-{count}.npy"
    with steps.step("features"):
        write_features(path, classes, rng)
    with steps.step("build"):
        g = hypersage_dgl.hypergraph_from_incidence(nodes, edges, count)
        del nodes, edges
    feat, labels = read_mapped(path), torch.from_numpy(classes)
    warm_up()
    seed_everything(0)
    model = HyperSAGE(WIDTH, HIDDEN, CLASSES)
    train = torch.from_numpy(rng.choice(count, count // 100, replace=False))
    with steps.step("prepare"):
        sampler = sampler_for(model, g, alpha=FAN_OUT, beta=FAN_OUT)
        batches = Minibatches(g, feat, labels, train, sampler, batch_size=BATCH)
    with steps.step("epoch"):
        history = fit(model, batches, epochs=1, progress=False)
    with steps.step("inference"):
        logits = model.inference(g, feat)
    with steps.step("sketch"):
        num_neighbors(g, method="sketch")
    accuracy = float((logits.argmax(1) == labels).double().mean())
    return {
        "benchmark": "scaling",
        "nodes": count,
        "hyperedges": g.num_nodes("hyperedge"),
        "incidences": g.num_edges("in"),
        "features": WIDTH,
        "hidden": HIDDEN,
        "classes": CLASSES,
        "trained_on": len(train),
        "batch_size": BATCH,
        "fan_out": FAN_OUT,
        **steps.row,
        "peak_gib": round(steps.peak, 3),
        "loss": round(history.epochs[0].loss, 4),
        "accuracy": round(accuracy, 4),
        "versions": {
            "dgl": dgl.__version__,
            "torch": torch.__version__,
            "hypersage_dgl": hypersage_dgl.__version__,
        },
        "threads": 1,
    }


def run(
    sizes: Sequence[int] = SIZES, folder: Path | None = None, say: Callable[[str], Any] = print
) -> list[dict[str, Any]]:
    """Measure each size in a process of its own; ``folder`` is where the features are written."""
    rows = []
    for count in sizes:
        with tempfile.TemporaryDirectory(dir=folder) as place:
            words = [sys.executable, __file__, "--one", str(count), "--folder", place]
            done = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True)
        rows.append(json.loads(done.stdout.splitlines()[-1]))
        say(json.dumps(rows[-1]))
    return rows


def main() -> None:
    """Run all sizes, or one of them here."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--nodes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--out", type=Path, help="add the lines to this file")
    parser.add_argument("--folder", type=Path, help="where to write the features")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one is not None:
        print(json.dumps(measure(args.one, args.folder)))
        return
    for row in run(args.nodes, args.folder):
        if args.out is not None:
            with args.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
