"""Cost of using a model: memory of streamed inference, and latency of one new node.

    python benchmarks/inference.py

Streaming runs on a synthetic hypergraph of 1,000,000 nodes and about 5,000,000 incidences, in a
process of its own whose peak memory is compared with that before the call. Latency is measured on a
synthetic hypergraph of DBLP's shape, against a forward over the full graph in the same run.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import time

import numpy as np
import torch

import hypersage_dgl
from hypersage_dgl.data import load_dataset
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import Predictor, seed_everything

WIDTH = 64


def peak_gib() -> float:
    """Largest memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def stream(num_nodes: int, num_hyperedges: int, mean_size: float) -> None:
    """Print time and extra memory of streamed inference."""
    rng = np.random.default_rng(0)
    sizes = 2 + rng.geometric(1 / (mean_size - 1), num_hyperedges) - 1
    hyperedges = np.repeat(np.arange(num_hyperedges), sizes)
    nodes = rng.integers(0, num_nodes, len(hyperedges))
    g = hypersage_dgl.hypergraph_from_incidence(nodes, hyperedges, num_nodes, num_hyperedges)
    del nodes, hyperedges
    feat = torch.rand(num_nodes, WIDTH)
    model = HyperSAGE(WIDTH, 32, 8)
    before = peak_gib()
    start = time.perf_counter()
    model.inference(g, feat)
    elapsed = time.perf_counter() - start
    extra = peak_gib() - before
    print(
        f"streamed inference, {num_nodes:,} nodes, {g.num_edges('in'):,} incidences, {WIDTH} "
        f"features: {elapsed:.1f} s, {extra:.2f} GiB above graph and features "
        f"(limit 2: {'ok' if extra < 2 else 'MISSED'})"
    )


def latency(repeats: int) -> None:
    """Print the median latency of one new node, and its ratio to a full forward."""
    seed_everything(0)
    dataset = load_dataset("synthetic:dblp")
    g, feat = dataset.structure, dataset.sparse_feat
    model = HyperSAGE(feat.shape[1], 32, dataset.num_classes).eval()
    predictor = Predictor(model)
    predictor.attach(g, feat)
    # The whole graph at once is faster with dense features.
    dense = feat.to_dense()
    rng = np.random.default_rng(0)
    new, full = [], []
    with torch.no_grad():
        for i in range(repeats + 1):
            joined = rng.choice(g.num_nodes("hyperedge"), 3, replace=False)
            row = (torch.rand(1, feat.shape[1]) < 0.03).float()
            start = time.perf_counter()
            predictor.predict_new(row, [joined.tolist()])
            middle = time.perf_counter()
            if i % 10 == 0:
                model(g, dense)
            if i:
                new.append(middle - start)
                if i % 10 == 0:
                    full.append(time.perf_counter() - middle)
    ratio = statistics.median(full) / statistics.median(new)
    print(
        f"one new node: {1e3 * statistics.median(new):.2f} ms; full-graph forward: "
        f"{1e3 * statistics.median(full):.0f} ms, {ratio:.0f} times as long "
        f"(limit 50: {'ok' if ratio >= 50 else 'MISSED'})"
    )


def main() -> None:
    """Run both, the first in a process of its own."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only-stream", action="store_true")
    parser.add_argument("--repeats", type=int, default=50)
    args = parser.parse_args()
    if args.only_stream:
        stream(1_000_000, 1_250_000, 4.0)
        return
    subprocess.run([sys.executable, __file__, "--only-stream"], check=True)
    latency(args.repeats)


if __name__ == "__main__":
    main()
