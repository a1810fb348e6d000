"""Scaling: build, train, infer and count neighbours, from 100,000 to a million nodes.

A random hypergraph with planted classes, 1.25 hyperedges and 5 incidences a node, and 64 features
in a mapped file of float16. Trained are two layers on 1 % of the nodes, in batches of 1,024, with
alpha = beta = 5. Each size runs in a process of its own, on one thread; seconds are those of the
CPU, which busy neighbours change little. Memory is what no file
backs (RssAnon), so without the features: at the peak of each step, beyond what stood before it.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hypersage_dgl import hypergraph, hypergraph_from_incidence, num_neighbors
from hypersage_dgl.data import read_mapped
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import Minibatches, fit, sampler_for, seed_everything

import dgl
import numpy as np
import torch

from .measure import Row, Settings, surroundings, told

WIDTH, HIDDEN, CLASSES, BATCH, FAN_OUT = 64, 32, 8, 1024, 5
SIZES, LARGE, TRY = (100_000, 300_000, 1_000_000), (3_000_000, 10_000_000), (3_000, 6_000)
STEPS = ("build", "epoch", "inference", "sketch")
CHUNK = 100_000


def rows(settings: Settings, is_large: bool = False) -> Iterator[Row]:
    """A row for each size."""
    for count in TRY if settings.quick else LARGE if is_large else SIZES:
        with tempfile.TemporaryDirectory() as folder:
            words = [sys.executable, "-m", "benchmarks.scaling", str(count), folder]
            yield json.loads(told(words))


def measure(count: int, folder: Path) -> Row:
    """All steps at one size."""
    torch.set_num_threads(1)
    rng, steps = np.random.default_rng(0), Steps()
    nodes, edges, classes = planted(count, rng)
    path = folder / "features.npy"
    write_features(path, classes, rng)
    with steps.step("build"):
        g = hypergraph_from_incidence(nodes, edges, count)
        del nodes, edges
    feat, labels = read_mapped(path), torch.from_numpy(classes)
    warm_up()
    seed_everything(0)
    model = HyperSAGE(WIDTH, HIDDEN, CLASSES)
    train = torch.from_numpy(rng.permutation(count)[: max(count // 100, CLASSES * 50)])
    with steps.step("prepare"):
        sampler = sampler_for(model, g, alpha=FAN_OUT, beta=FAN_OUT)
        batches = Minibatches(g, feat, labels, train, sampler, batch_size=BATCH, model=model)
    with steps.step("epoch"):
        history = fit(model, batches, epochs=1, progress=False)
    with steps.step("inference"):
        logits = model.inference(g, feat)
    with steps.step("sketch"):
        num_neighbors(g, method="sketch")
    sampled = sampler.sample(g, {"node": train[:BATCH]})
    return {
        "benchmark": "scaling",
        "nodes": count,
        "hyperedges": g.num_nodes("hyperedge"),
        "incidences": g.num_edges("in"),
        "widths": [WIDTH, HIDDEN, CLASSES],
        "trained_on": len(train),
        "batch_size": BATCH,
        "fan_out": FAN_OUT,
        "batch": counted(*sampled),
        "steps": steps.row,
        "peak_gib": round(steps.peak, 3),
        "loss": round(history.epochs[0].loss, 4),
        "accuracy": round(float((logits.argmax(1) == labels).double().mean()), 4),
        **surroundings(),
    }


def counted(
    found: Any, _: object, pairs: list[tuple[dgl.DGLGraph, dgl.DGLGraph]]
) -> dict[str, int]:
    """Rows, messages, hyperedges and nodes that are computed for a batch."""
    counts = {"rows": len(found["node"]), "messages": 0, "hyperedges": 0, "targets": 0}
    for first, second in pairs:
        counts["messages"] += first.num_edges("in") + second.num_edges("contains")
        counts["hyperedges"] += second.num_src_nodes("hyperedge")
        counts["targets"] += second.num_dst_nodes("node")
    return counts


class Steps:
    """Seconds and peaks of the steps of a run."""

    def __init__(self) -> None:
        self.row: dict[str, dict[str, float]] = {}
        self.peak = 0.0

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Measure what happens inside; CPU seconds too, which busy neighbours change little."""
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
        found = {"cpu_s": cpu, "s": clock, "extra_gib": top - before}
        self.row[name] = {key: round(value, 4) for key, value in found.items()}


def anonymous_gib() -> float:
    """Memory of this process that no file backs."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon"):
            return int(line.split()[1]) / 2**20
    raise OSError("/proc/self/status says nothing of RssAnon")


def planted(count: int, rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """Incidences and classes: nine of ten members are of their hyperedge's class."""
    num_hyperedges = count * 5 // 4
    sizes = 2 + rng.geometric(1 / 3, num_hyperedges) - 1
    edges = np.repeat(np.arange(num_hyperedges), sizes)
    # Nodes go round the classes, so a node of a class is a multiple and a rest.
    nodes = rng.integers(0, count // CLASSES, len(edges)) * CLASSES + edges % CLASSES
    is_any = rng.random(len(edges), dtype=np.float32) < 0.1
    nodes[is_any] = rng.integers(0, count, int(is_any.sum()))
    return nodes, edges, np.arange(count) % CLASSES


def write_features(path: Path, labels: Any, rng: np.random.Generator) -> None:
    """Noise, and a little of the class, a chunk of rows at a time."""
    shape = (len(labels), WIDTH)
    out = np.lib.format.open_memmap(path, mode="w+", dtype=np.float16, shape=shape)
    for start in range(0, len(labels), CHUNK):
        own = labels[start : start + CHUNK]
        part = rng.standard_normal((len(own), WIDTH), dtype=np.float32)
        part[np.arange(len(own)), own] += 1
        out[start : start + CHUNK] = part
    out.flush()


def warm_up() -> None:
    """Load what training loads when it is first used: seconds that are not the hypergraph's."""
    g, model = hypergraph([[0, 1]]), HyperSAGE(WIDTH, HIDDEN, 2)
    parts = (g, torch.ones(2, WIDTH), torch.tensor([0, 1]), torch.arange(2))
    fit(model, Minibatches(*parts, sampler_for(model, g)), epochs=1, progress=False)


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]), Path(sys.argv[2]))))
