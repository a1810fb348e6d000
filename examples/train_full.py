"""Train HyperSAGE on the full graph: exact, without sampling.

    python examples/train_full.py                                     # embedded data, no download
    python examples/train_full.py --dataset cora-coauthorship --p 0.01

How it works:

    main
    ├── load_dataset         hypergraph, sparse features, labels, split
    ├── HyperSAGE            the model
    ├── FullGraph            [HIGHLIGHT] cuts the receptive field of the labelled nodes once, and
    │                        computes the first layer's aggregate once
    ├── accuracy_on          the score after each epoch, cut and kept in the same way
    ├── fit                  the training loop; stops early where there are validation nodes
    └── evaluate             accuracy, macro-F1, and accuracy of the nodes in some hyperedge
"""

from __future__ import annotations

import argparse
import time

import torch

from hypersage_dgl.data import load_dataset
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import FullGraph, accuracy_on, evaluate, fit, seed_everything


def parse() -> argparse.Namespace:
    """Read the command line; the defaults of training are the paper's."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").split("\n\n")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--dataset", default="debian", help="dblp, pubmed, citeseer, debian, synthetic, ...")
    add("--data-dir", help="folder with the public benchmark files; default: cache or download")
    add("--split", type=int, default=1, help="one of the ten given splits")
    add("--p", type=float, default=1.0, help="power of the mean, inf and -inf included")
    add("--inter", default="size", choices=("size", "mean", "paper", "invariant"))
    add("--layers", type=int, default=2)
    add("--hidden", type=int, default=32)
    add("--dropout", type=float, default=0.5)
    add("--epochs", type=int, default=150)
    add("--lr", type=float, default=0.01)
    add("--weight-decay", type=float, default=5e-4)
    add("--seed", type=int, default=0)
    add("--device", default="cpu", help="cpu, cuda, cuda:1, ...")
    return parser.parse_args()


def main() -> None:
    """Load, train, report."""
    args = parse()
    device = torch.device(args.device)
    dataset = load_dataset(args.dataset, args.split, data_dir=args.data_dir, seed=args.seed)
    print(dataset)
    graph, labels = dataset.structure.to(device), dataset.labels.to(device)
    feat = dataset.sparse_feat.to(device)
    train, val, test = (ids.to(device) for ids in dataset.split)

    seed_everything(args.seed)
    model = HyperSAGE(
        feat.shape[1],
        args.hidden,
        dataset.num_classes,
        args.layers,
        args.p,
        args.dropout,
        inter=args.inter,
    ).to(device)
    validate = accuracy_on(graph, feat, labels, val, model=model) if len(val) else None
    start = time.perf_counter()
    history = fit(
        model,
        FullGraph(graph, feat, labels, train, model=model),
        epochs=args.epochs,
        lr=args.lr,
        weight_decay=args.weight_decay,
        validate=validate,
        patience=None if validate is None else 30,
        seed=args.seed,
    )
    print(
        f"trained {len(history.epochs)} epochs in {time.perf_counter() - start:.1f} s, kept epoch "
        f"{history.best_epoch} ({history.stopped})"
    )

    scores = evaluate(model.inference(graph, feat), labels, test, graph)
    print(f"{'evaluation':<12}{'accuracy':>10}{'macro-F1':>10}{'connected':>11}")
    print(
        f"{'full':<12}{100 * scores.accuracy:>10.2f}{100 * scores.macro_f1:>10.2f}"
        f"{100 * scores.connected_accuracy:>11.2f}"
    )
    print(f"test accuracy (full): {100 * scores.accuracy:.2f}")


if __name__ == "__main__":
    main()
