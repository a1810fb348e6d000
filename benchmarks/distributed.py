"""What two machines send each other: bytes and packets of a training epoch, over a counted cable.

    python benchmarks/distributed.py --out rows.jsonl

Two hosts are emulated by network namespaces (scripts/two_hosts.sh). A run of three epochs less a
run of one is two epochs, without the start and the evaluation. Prints a JSON line.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch

import hypersage_dgl
from hypersage_dgl.data import generate, partition
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import sampler_for, seed_everything
import dgl

ROOT = Path(__file__).resolve().parents[1]
BATCH, FAN_OUT, HIDDEN, WIDTH = 256, 5, 32, 64


def trained(folder: Path, epochs: int) -> tuple[int, int, float]:
    """Bytes and packets over the cable, both ways, and seconds of the last epoch."""
    words = ["unshare", "-Urnm", str(ROOT / "scripts" / "two_hosts.sh"), str(folder)]
    words += [sys.executable, "-m", "hypersage_dgl", "launch", str(folder / "parts")]
    words += ["--hosts", str(folder / "hosts.txt"), "--ssh", str(folder / "into"), "--"]
    words += [str(ROOT / "examples" / "train_distributed.py"), "--epochs", str(epochs)]
    words += ["--batch-size", str(BATCH), "--alpha", str(FAN_OUT), "--beta", str(FAN_OUT)]
    done = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True)
    numbers = list(map(int, (folder / "traffic").read_text().partition(":")[2].split()))
    seconds = float(re.findall(r"epoch \d+: loss \S+, (\S+) s", done.stdout)[-1])
    return numbers[0] + numbers[8], numbers[1] + numbers[9], seconds


def cut_share(folder: Path) -> float:
    """Share of the edges whose source another part has."""
    cut = total = 0
    for part in range(2):
        graph = dgl.load_graphs(str(folder / "parts" / f"part{part}" / "graph.dgl"))[0][0]
        sources, _ = graph.edges()
        cut += int((graph.ndata["inner_node"][sources] == 0).sum())
        total += len(sources)
    return cut / total


def run() -> list[dict[str, Any]]:
    """One row: what was sent, and what was sampled for it."""
    seed_everything(0)
    shape = {"num_feats": WIDTH, "feats_per_node": 4, "max_size": 20, "train_per_class": 2000}
    data = generate(20_000, 15_000, **shape, num_splits=1)
    model = HyperSAGE(WIDTH, HIDDEN, data.num_classes)
    sampler = sampler_for(model, data.graph, FAN_OUT, FAN_OUT)
    train = data.splits[0].train
    counts = {"rows": 0, "edges": 0, "hyperedges": 0, "seeds": len(train), "targets": 0}
    for seeds in train[torch.randperm(len(train))].split(BATCH):
        found, _, pairs = sampler.sample(data.graph, seeds)
        counts["rows"] += len(found["node"])
        for first, second in pairs:
            counts["edges"] += first.num_edges("in") + second.num_edges("contains")
            counts["hyperedges"] += second.num_src_nodes("hyperedge")
            counts["targets"] += second.num_dst_nodes("node")
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        partition(data, folder / "parts", 2)
        (folder / "hosts.txt").write_text("10.9.0.1\n10.9.0.2\n")
        cut = cut_share(folder)
        one, three = trained(folder, 1), trained(folder, 3)
    return [
        {
            "benchmark": "distributed",
            "nodes": data.num_nodes,
            "hosts": 2,
            "features": WIDTH,
            "parameters": sum(p.numel() for p in model.parameters()),
            "layers": len(model.layers),
            "batch_size": BATCH,
            "steps": -(-len(train) // (2 * BATCH)),
            "sampled": counts,
            "cut": round(cut, 4),
            "epoch_bytes": (three[0] - one[0]) // 2,
            "epoch_packets": (three[1] - one[1]) // 2,
            "epoch_s": three[2],
            "versions": {"dgl": dgl.__version__, "hypersage_dgl": hypersage_dgl.__version__},
        }
    ]


def main() -> None:
    """Print the row, and keep it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, help="add the line to this file")
    args = parser.parse_args()
    for row in run():
        print(json.dumps(row))
        if args.out is not None:
            with args.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
