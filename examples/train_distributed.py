"""Train HyperSAGE on a hypergraph in parts, one for each machine, by DGL's distributed engine.

    hypersage partition synthetic --parts 1 --out parts                # one part: one machine
    hypersage launch parts --trainers 2 -- examples/train_distributed.py --epochs 5
    hypersage launch parts --hosts hosts.txt -- examples/train_distributed.py

How it works, in every process that the launcher starts:

    main
    ├── dgl.distributed.initialize   a server serves its part from here on and never returns
    ├── DistGraph                    the hypergraph of all parts, for a trainer
    ├── joined_ranks                 the trainers, for their gradients
    ├── train                        [HIGHLIGHT] node_split, DistNodeDataLoader, rows by id
    └── exact_logits                 layer by layer, every trainer its nodes, all neighbours
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from hypersage_dgl.data import read_about
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import (
    About,
    Ranks,
    data_parallel,
    joined_ranks,
    sampler_for,
    save_checkpoint,
    seed_everything,
    summed,
)
import dgl
from dgl.distributed import DistGraph, DistTensor, node_split


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").split("\n\n")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--p", type=float, default=1.0, help="power of the mean, inf and -inf included")
    add("--alpha", type=int, default=10, help="members sampled per hyperedge, -1 for all")
    add("--beta", type=int, default=-1, help="hyperedges sampled per node, -1 for all")
    add("--inter", default="size", help="weights of hyperedges: size, mean, paper, invariant")
    add("--layers", type=int, default=2)
    add("--hidden", type=int, default=32)
    add("--dropout", type=float, default=0.5)
    add("--epochs", type=int, default=10)
    add("--batch-size", type=int, default=256, help="nodes at once, of each trainer")
    add("--lr", type=float, default=0.01)
    add("--weight-decay", type=float, default=5e-4)
    add("--seed", type=int, default=0)
    add("--timeout", type=float, default=600, help="seconds that a trainer waits for the others")
    add("--save", metavar="FOLDER", help="keep a checkpoint there")
    add("--trace", metavar="FOLDER", help="keep what each trainer saw there, to be compared")
    return parser.parse_args()


def main() -> None:
    """Serve, or train, evaluate and report."""
    args = parse()
    if "HYPERSAGE_PARTS" not in os.environ:
        raise SystemExit("nothing to join: `hypersage launch` starts this script (see its top)")
    parts = Path(os.environ["HYPERSAGE_PARTS"])
    # As a server, this returns when the trainers are done.
    dgl.distributed.initialize(os.environ["DGL_IP_CONFIG"])
    about = read_about(parts)
    with joined_ranks(timeout=args.timeout) as ranks:
        g = DistGraph("hypergraph", part_config=str(parts / "hypergraph.json"))
        seed_everything(args.seed)
        model = HyperSAGE(
            *(about["features"], args.hidden, about["outputs"], args.layers, args.p, args.dropout),
            inter=args.inter,
        )
        train(args, ranks, g, model)
        start = time.perf_counter()
        accuracy, nodes = exact_accuracy(args, ranks, g, model)
        if ranks.is_first:
            print(f"scored {nodes} nodes in {time.perf_counter() - start:.1f} s")
            print(f"test accuracy (full): {100 * accuracy:.2f}", flush=True)
            if args.save:
                names = {"classes": about["classes"], "feature_names": about["feature_names"]}
                save_checkpoint(args.save, model, About(**names))


def train(args: argparse.Namespace, ranks: Ranks, g: Any, model: HyperSAGE) -> None:
    """Each trainer goes through its own nodes; the gradients are averaged."""
    data = g.nodes["node"].data
    own = node_split(data["train_mask"], g.get_partition_book(), ntype="node", force_even=True)
    sampler = sampler_for(model, g, alpha=args.alpha, beta=args.beta)
    loader = dgl.dataloading.DistNodeDataLoader(
        g, {"node": own}, sampler, batch_size=args.batch_size, shuffle=True
    )
    parallel = data_parallel(model)
    optimizer = torch.optim.Adam(model.parameters(), args.lr, weight_decay=args.weight_decay)
    seen: list[dict[str, Any]] = []
    # Trainers draw apart: another dropout, other neighbours.
    seed_everything(args.seed + 1 + ranks.rank)
    for epoch in range(1, args.epochs + 1):
        model.train()
        start, total, count = time.perf_counter(), 0.0, 0
        # A trainer may have a batch less than another one, which then goes on alone.
        with parallel.join() if ranks.size > 1 else torch.enable_grad():
            for found, batch, pairs in loader:
                labels = data["label"][batch["node"]]
                logits = parallel(pairs, data["feat"][found["node"]])
                loss = F.cross_entropy(logits, labels)
                optimizer.zero_grad()
                # A smaller last batch counts less.
                (loss * len(labels) / min(args.batch_size, len(own))).backward()
                optimizer.step()
                total, count = total + float(loss.detach()) * len(labels), count + len(labels)
                if args.trace:
                    gradients = [p.grad.clone() for p in model.parameters()]
                    seen.append({"nodes": data["original_id"][batch["node"]], "grad": gradients})
        total, nodes = summed(total, count)
        if ranks.is_first:
            seconds = time.perf_counter() - start
            print(f"epoch {epoch}: loss {total / nodes:.4f}, {seconds:.1f} s", flush=True)
    if args.trace:
        torch.save(seen, Path(args.trace) / f"trace-{ranks.rank}.pt")


@torch.no_grad()
def exact_accuracy(
    args: argparse.Namespace, ranks: Ranks, g: Any, model: HyperSAGE
) -> tuple[float, int]:
    """Accuracy on all test nodes, each by all of its neighbours."""
    model.eval()
    logits = exact_logits(args, g, model)
    data, book = g.nodes["node"].data, g.get_partition_book()
    own = node_split(data["test_mask"], book, ntype="node", force_even=True)
    is_right = logits[own].argmax(1) == data["label"][own]
    right, nodes = summed(float(is_right.sum()), len(own))
    if args.trace:
        every = node_split(torch.ones(g.num_nodes("node"), dtype=torch.bool), book, ntype="node")
        rows = {"nodes": data["original_id"][every], "logits": logits[every]}
        torch.save(rows, Path(args.trace) / f"logits-{ranks.rank}.pt")
    return right / nodes, int(nodes)


def exact_logits(args: argparse.Namespace, g: Any, model: HyperSAGE) -> DistTensor:
    """Logits of every node: a layer is done everywhere before the next one begins."""
    book, rows = g.get_partition_book(), g.nodes["node"].data["feat"]
    everyone = torch.ones(g.num_nodes("node"), dtype=torch.bool)
    own = node_split(everyone, book, ntype="node", force_even=True)
    neighbors = sampler_for(model, g).num_neighbors
    sampler = HyperSAGESampler(1, num_neighbors=neighbors)
    policy = g.get_node_partition_policy("node")
    for number, layer in enumerate(model.layers):
        shape = (g.num_nodes("node"), layer.out_feats)
        out = DistTensor(shape, torch.float32, f"layer-{number}", part_policy=policy)
        loader = dgl.dataloading.DistNodeDataLoader(
            g, {"node": own}, sampler, batch_size=4 * args.batch_size, shuffle=False
        )
        for found, batch, pairs in loader:
            out[batch["node"]] = layer(pairs[0], rows[found["node"]])
        g.barrier()
        rows = out
    return rows


if __name__ == "__main__":
    np.random.seed(0)  # noqa: NPY002  (what DGL draws before a seed is set)
    main()
