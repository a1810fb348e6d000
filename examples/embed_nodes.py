"""Embed nodes without labels, and see what a logistic regression makes of the embeddings.

    python examples/embed_nodes.py                        # generated data, some seconds
    python examples/embed_nodes.py --dataset citeseer

How it works:

    main
    ├── load                      hypergraph, features and splits
    ├── embeddings                a row for each node, of every setting
    │   ├── CoMembershipBatches   [HIGHLIGHT] pairs that share a hyperedge, and pairs that were
    │   │                         drawn; no label is looked at
    │   ├── fit                   GraphSAGE's loss: the first are near, the others are not
    │   └── embed                 from the encoder alone
    ├── choose                    [HIGHLIGHT] a setting for each split, by folds of its training
    │                             nodes: no test node is looked at
    └── score                     logistic regression on frozen rows: features, untrained, trained
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter
from collections.abc import Iterator
from itertools import product

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from torch import Tensor

from hypersage_dgl.data import LabelledHypergraph, load
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import CoMembership, CoMembershipBatches, embed, fit, seed_everything

FOLDS = 3


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").split("\n\n")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--dataset", default="synthetic", help="synthetic, debian, citeseer, pubmed, ...")
    add("--data-dir", help="folder with the public benchmark files; default: cache or download")
    add("--layers", type=int, nargs="+", default=[1, 2], help="to choose from")
    add("--lr", type=float, nargs="+", default=[0.005, 0.02], help="to choose from")
    add("--epochs", type=int, nargs="+", default=[5, 10, 20], help="to choose from, ascending")
    add("--hidden", type=int, default=128)
    add("--seed", type=int, default=0)
    return parser.parse_args()


def main() -> None:
    """Load, train without labels, choose, score."""
    args = parse()
    data = load(args.dataset, data_dir=args.data_dir)
    found = dict(embeddings(args, data))
    untrained = {told: rows for told, rows in found.items() if told.startswith("0 epochs")}
    trained = {told: rows for told, rows in found.items() if told not in untrained}
    print(f"{data.name}: accuracy of a logistic regression, mean of {len(data.splits)} splits")
    score("features", data, {"": data.require_feat().to_dense()})
    score("untrained", data, untrained)
    score("trained", data, trained)


def embeddings(args: argparse.Namespace, data: LabelledHypergraph) -> Iterator[tuple[str, Tensor]]:
    """What each setting makes of the nodes, before training and after some epochs of it."""
    graph, feat = data.graph, data.require_feat()
    for layers, lr in product(args.layers, args.lr):
        seed_everything(args.seed)
        encoder = HyperSAGE(data.num_feats, args.hidden, args.hidden, layers, dropout=0.0)
        model, batches = CoMembership(encoder), CoMembershipBatches(graph, feat, batch_size=512)
        if lr == args.lr[0]:
            yield f"0 epochs, {layers} layers", embed(encoder, graph, feat)
        for done, epochs in zip([0, *args.epochs], args.epochs):
            seed = args.seed + done  # Other pairs than before.
            fit(model, batches, epochs=epochs - done, lr=lr, weight_decay=0.0, seed=seed)
            yield f"{epochs} epochs, {layers} layers, lr {lr:g}", embed(encoder, graph, feat)


def choose(rows: dict[str, np.ndarray], classes: np.ndarray, train: np.ndarray, seed: int) -> str:
    """The setting that is best on folds of the training nodes."""
    if len(rows) == 1:
        return next(iter(rows))
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)

    def accuracy(told: str) -> float:
        judge = LogisticRegression(max_iter=1000)
        return cross_val_score(judge, rows[told][train], classes[train], cv=folds).mean()

    return max(rows, key=accuracy)


def score(name: str, data: LabelledHypergraph, rows: dict[str, Tensor]) -> None:
    """Print the test accuracy over the given splits, and which settings were chosen."""
    tables, classes = {told: r.numpy() for told, r in rows.items()}, data.require_labels().numpy()
    found: list[float] = []
    chosen: Counter[str] = Counter()
    for number in range(1, len(data.splits) + 1):
        train, _, test = (part.numpy() for part in data.split(number))
        told = choose(tables, classes, train, number)
        judge = LogisticRegression(max_iter=1000).fit(tables[told][train], classes[train])
        found.append(100 * judge.score(tables[told][test], classes[test]))
        chosen[told] += 1
    spread = f" ± {statistics.stdev(found):.1f}" if len(found) > 1 else ""
    often = "; ".join(f"{told} ({count})" for told, count in chosen.most_common() if told)
    print(f"{name:<10}{statistics.fmean(found):>6.1f}{spread:<7}{often}".rstrip())


if __name__ == "__main__":
    main()
