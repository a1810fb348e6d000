"""Cost of arrivals that stay: commits and removals against `attach`, and one node beside others.

    python benchmarks/arrivals.py

On a synthetic hypergraph of DBLP's shape (41,302 nodes, 22,363 hyperedges, 99,561 incidences). The
last part times `predict_new` of one node, on one thread as it is and on all of them, alone and
beside a process for each core that computes all the time.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from unittest import mock

import torch

import hypersage_dgl
from hypersage_dgl.data import load
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import Predictor, predictor as module, seed_everything

BUSY = "while True: sum(range(100_000))"


def seconds(work: Callable[[], object]) -> float:
    """Time that some work takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def steps(predictor: Predictor, rows: torch.Tensor, num_hyperedges: int) -> None:
    """Commit nodes one by one; each joins two hyperedges and, every third, brings one."""
    first = predictor.commit().nodes.start
    for i in range(len(rows)):
        joined = [(37 * i) % num_hyperedges, (101 * i + 5) % num_hyperedges]
        brought = [[first + i, (53 * i) % first]] if i % 3 == 0 else []
        predictor.commit(rows[i : i + 1], [joined], brought)


def removals(predictor: Predictor, count: int) -> None:
    """Remove nodes one by one."""
    for i in range(count):
        predictor.remove(nodes=[(31 * i) % 20_000])


def latency(predictor: Predictor, rows: torch.Tensor) -> float:
    """Median milliseconds of one new node."""
    times = [
        seconds(lambda i=i: predictor.predict_new(rows[i : i + 1], [[7 * i, 11 * i + 1]]))
        for i in range(len(rows))
    ]
    return 1000 * statistics.median(times[5:])


def main() -> None:
    """Print all ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--commits", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=60, help="of predict_new")
    args = parser.parse_args()
    seed_everything(0)
    data = load("synthetic:dblp")
    feat = data.require_feat()
    predictor = Predictor(HyperSAGE(data.num_feats, 32, data.num_classes))
    attach = statistics.median(
        seconds(lambda: predictor.attach(data.graph, feat)) for _ in range(10)
    )
    rows = (torch.rand(args.commits, data.num_feats) < 0.03).float()
    committed = seconds(lambda: steps(predictor, rows, data.num_hyperedges))
    removed = seconds(lambda: removals(predictor, args.commits))
    print(f"hypersage_dgl {hypersage_dgl.__version__}, {torch.get_num_threads()} threads, {data}")
    print(f"attach: {1000 * attach:.1f} ms")
    for name, took in (("commits", committed), ("removals", removed)):
        each = 1e6 * took / args.commits
        print(
            f"{args.commits:,} {name}: {1000 * took:.0f} ms, {each:.0f} us each, "
            f"{took / (10 * attach):.2f} of ten attach calls"
        )
    for busy in (0, os.cpu_count() or 1):
        others = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(busy)]
        try:
            one = latency(predictor, rows[: args.repeats])
            with mock.patch.object(module, "one_thread", nullcontext):
                all_threads = latency(predictor, rows[: args.repeats])
        finally:
            for other in others:
                other.kill()
                other.wait()
        print(
            f"predict_new of one node beside {busy} busy processes: {one:.1f} ms on one thread, "
            f"{all_threads:.1f} ms on {torch.get_num_threads()}"
        )


if __name__ == "__main__":
    main()
