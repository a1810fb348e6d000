"""Cost of the layer's aggregation, as ratios to bare DGL operations measured in the same run.

    python benchmarks/layer.py

Forward and backward of ``HyperSAGEConv.aggregate`` on a random hypergraph with DBLP's shape
(41,302 nodes, 22,363 hyperedges, 99,561 incidences), against two ``dgl.ops.copy_u_mean`` calls and
against Python UDF reducers; then ``num_neighbors``.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from typing import Callable

import hypersage_dgl
from hypersage_dgl.nn import HyperSAGEConv

import dgl
import dgl.function as fn
import numpy as np
import torch
from torch import Tensor

POWERS = (1.0, 2.0, -1.0, 0.01, 0.0, 20.0, float("inf"))
LIMITS = {1.0: 1.3, 2.0: 3.0, -1.0: 3.0, 0.01: 6.0}


def random_hypergraph(
    num_nodes: int, num_hyperedges: int, num_incidences: int, seed: int = 0
) -> dgl.DGLGraph:
    """Random hypergraph of heavy-tailed sizes in which every node has a hyperedge."""
    rng = np.random.default_rng(seed)
    share = rng.pareto(2.0, num_hyperedges) + 0.5
    hyperedges = rng.choice(num_hyperedges, num_incidences, p=share / share.sum())
    hyperedges[:num_hyperedges] = np.arange(num_hyperedges)
    nodes = rng.permutation(np.arange(num_incidences) % num_nodes)
    return hypersage_dgl.hypergraph_from_incidence(nodes, hyperedges, num_nodes, num_hyperedges)


def seconds(run: Callable[[Tensor], Tensor], x: Tensor) -> float:
    """Time of one forward and backward."""
    x = x.detach().requires_grad_()
    start = time.perf_counter()
    run(x).sum().backward()
    return time.perf_counter() - start


def udf_reducers(g: dgl.DGLGraph, x: Tensor) -> Tensor:
    """Two stages by Python reducers, what public implementations do."""
    with g.local_scope():
        g.nodes["node"].data["x"] = x
        for etype in ("in", "contains"):
            g.update_all(fn.copy_u("x", "m"), lambda n: {"x": n.mailbox["m"].mean(1)}, etype=etype)
        return g.nodes["node"].data["x"]


def compare(g: dgl.DGLGraph, width: int, repeats: int) -> None:
    """Print one row for each power: median time and ratio to the bare operations."""
    torch.manual_seed(0)
    x = torch.rand(g.num_nodes("node"), width) + 0.05
    into, out_of = g["in"], g["contains"]

    def bare(x: Tensor) -> Tensor:
        return dgl.ops.copy_u_mean(out_of, dgl.ops.copy_u_mean(into, x))

    runs: dict[str, Callable[[Tensor], Tensor]] = {"two copy_u_mean": bare}
    for p in POWERS:
        conv = HyperSAGEConv(width, 1, p)
        runs[f"p={p:g}"] = lambda x, conv=conv: conv.aggregate(g, x)
    no_self = HyperSAGEConv(width, 1, 1.0, include_self=False)
    runs["p=1, without self"] = lambda x: no_self.aggregate(g, x)
    plain = HyperSAGEConv(width, 1, 0.01)
    runs["p=0.01, plain path"] = lambda x: plain.aggregate(g, x, fast=False)
    times: dict[str, list[float]] = {name: [] for name in runs}
    # Interleaved, so that a noisy moment of the machine hits all alike.
    for repeat in range(repeats + 1):
        for name, run in runs.items():
            elapsed = seconds(run, x)
            if repeat:
                times[name].append(elapsed)
    udf = statistics.median(seconds(lambda x: udf_reducers(g, x), x) for _ in range(2))
    base = statistics.median(times["two copy_u_mean"])
    ours = statistics.median(times["p=1"])
    print(f"\nwidth {width}, forward + backward\n{'':<20}{'ms':>9}{'ratio':>8}  limit")
    for name, values in times.items():
        ratio = statistics.median(values) / base
        limit = next((v for p, v in LIMITS.items() if name == f"p={p:g}"), None)
        verdict = "" if limit is None else f"{limit:g} {'ok' if ratio <= limit else 'MISSED'}"
        print(f"{name:<20}{1e3 * statistics.median(values):>9.1f}{ratio:>8.2f}  {verdict}")
    verdict = "ok" if udf / ours >= 20 else "MISSED"
    print(f"{'UDF reducers':<20}{1e3 * udf:>9.1f}  {udf / ours:.1f} times p=1 (limit 20 {verdict})")


def neighbors(num_nodes: int, num_hyperedges: int, num_incidences: int) -> None:
    """Print time and peak memory of the exact count."""
    g = random_hypergraph(num_nodes, num_hyperedges, num_incidences)
    start = time.perf_counter()
    hypersage_dgl.num_neighbors(g)
    elapsed = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    largest = hypersage_dgl.summary(g).size_max
    print(
        f"num_neighbors, {num_nodes:,} nodes, {num_hyperedges:,} hyperedges (largest {largest:,}): "
        f"{elapsed:.2f} s, peak memory of the process {peak:.2f} GiB"
    )


def main() -> None:
    """Run all comparisons."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--widths", type=int, nargs="+", default=[32, 256])
    parser.add_argument("--repeats", type=int, default=7)
    arguments = parser.parse_args()
    print(f"dgl {dgl.__version__}, torch {torch.__version__}, {torch.get_num_threads()} threads")
    g = random_hypergraph(41_302, 22_363, 99_561)
    for width in arguments.widths:
        compare(g, width, arguments.repeats)
    print()
    neighbors(41_302, 22_363, 99_561)
    neighbors(1_000_000, 300_000, 3_000_000)


if __name__ == "__main__":
    main()
