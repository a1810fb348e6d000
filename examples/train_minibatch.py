"""Train HyperSAGE on sampled minibatches and evaluate it on the full neighbourhood.

    python examples/train_minibatch.py                                # embedded data, no download
    python examples/train_minibatch.py --dataset dblp --epochs 8 --alpha 5 --eval both
    torchrun --nproc-per-node 2 examples/train_minibatch.py           # two processes, one model

How it works:

    main
    ├── joined_ranks         the processes that torchrun started, or this one alone
    ├── load_dataset         hypergraph, sparse features, labels, split
    ├── HyperSAGE            the model
    ├── sampler_for          [HIGHLIGHT] alpha members per hyperedge, beta hyperedges per node
    ├── Minibatches          features, labels and sampled blocks of so many nodes at once
    ├── fit                  the training loop: each rank its share of a batch, one gradient
    └── report               by the first rank alone
        ├── full             every neighbour of every node, streamed: what the paper tests with
        └── minibatch        the same sampled neighbourhoods as in training
"""

from __future__ import annotations

import argparse
import time

from torch import Tensor

from hypersage_dgl.data import load_dataset
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import (
    Minibatches,
    Ranks,
    Scores,
    data_parallel,
    evaluate,
    fit,
    joined_ranks,
    sampled_logits,
    sampler_for,
    seed_everything,
)


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").split("\n\n")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--dataset", default="debian", help="dblp, pubmed, citeseer, debian, synthetic, ...")
    add("--data-dir", help="folder with the public benchmark files; default: cache or download")
    add("--split", type=int, default=1, help="one of the ten given splits")
    add("--p", type=float, default=1.0, help="power of the mean, inf and -inf included")
    add("--alpha", type=int, default=10, help="members sampled per hyperedge, -1 for all")
    add("--beta", type=int, default=-1, help="hyperedges sampled per node, -1 for all")
    add("--layers", type=int, default=2)
    add("--hidden", type=int, default=32)
    add("--dropout", type=float, default=0.5)
    add("--epochs", type=int, default=20)
    add("--batch-size", type=int, default=256, help="nodes at once, of all ranks together")
    add("--lr", type=float, default=0.01)
    add("--weight-decay", type=float, default=5e-4)
    add("--seed", type=int, default=0)
    add("--device", default="cpu", help="cpu, cuda, cuda:1, ...; cuda: one for each rank")
    add("--timeout", type=float, default=1800, help="seconds that a rank waits for the others")
    add("--eval", choices=("full", "minibatch", "both"), default="full")
    add("--save", metavar="FOLDER", help="keep a checkpoint and log.csv there")
    return parser.parse_args()


def main() -> None:
    """Join the other ranks, if any."""
    args = parse()
    with joined_ranks(args.device, args.timeout) as ranks:
        train(args, ranks)


def train(args: argparse.Namespace, ranks: Ranks) -> None:
    """Load, train, report."""
    device = ranks.device
    dataset = load_dataset(args.dataset, args.split, data_dir=args.data_dir, seed=args.seed)
    graph, feat, labels = dataset.structure, dataset.sparse_feat, dataset.labels
    if ranks.is_first:
        print(dataset)

    seed_everything(args.seed)
    model = HyperSAGE(
        feat.shape[1], args.hidden, dataset.num_classes, args.layers, args.p, args.dropout
    ).to(device)
    sampler = sampler_for(model, graph, alpha=args.alpha, beta=args.beta)
    batches = Minibatches(
        graph,
        feat,
        labels,
        dataset.split.train,
        sampler,
        batch_size=args.batch_size,
        device=device,
        model=model,
    )
    start = time.perf_counter()
    history = fit(
        data_parallel(model),
        batches,
        epochs=args.epochs,
        lr=args.lr,
        weight_decay=args.weight_decay,
        seed=args.seed,
        folder=args.save,
    )
    if history.stopped == "interrupted":
        raise SystemExit(f"interrupted after {len(history.epochs)} epochs")
    if not ranks.is_first:
        return
    by = f" by {ranks.size} ranks" if ranks.size > 1 else ""
    print(
        f"trained {len(history.epochs)} epochs{by} in {time.perf_counter() - start:.1f} s, "
        f"last loss {history.epochs[-1].loss:.4f}"
    )

    logits: dict[str, Tensor] = {}
    test = dataset.split.test
    if args.eval in ("full", "both"):
        logits["full"] = model.inference(graph.to(device), feat.to(device))
    if args.eval in ("minibatch", "both"):
        sampled = {"alpha": args.alpha, "beta": args.beta, "batch_size": args.batch_size}
        logits["minibatch"] = sampled_logits(model, graph, feat, test, **sampled)
    if args.eval == "both":
        gap = (logits["full"] - logits["minibatch"])[test.to(device)].abs()
        print(f"logits differ by {gap.mean():.1e} on average, by {gap.max():.1e} at most")
    report({name: evaluate(rows, labels, test, graph) for name, rows in logits.items()})


def report(scores: dict[str, Scores]) -> None:
    """Print the table, and the lines to look for."""
    print(f"{'evaluation':<12}{'accuracy':>10}{'macro-F1':>10}{'connected':>11}")
    for name, s in scores.items():
        print(
            f"{name:<12}{100 * s.accuracy:>10.2f}{100 * s.macro_f1:>10.2f}"
            f"{100 * s.connected_accuracy:>11.2f}"
        )
    for name, s in scores.items():
        print(f"test accuracy ({name}): {100 * s.accuracy:.2f}")


if __name__ == "__main__":
    main()
