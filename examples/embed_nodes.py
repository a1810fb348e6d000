"""Embed nodes without labels, and see what a logistic regression makes of the embeddings.

    python examples/embed_nodes.py                        # generated data, some seconds
    python examples/embed_nodes.py --dataset citeseer

How it works:

    main
    ├── load                  hypergraph, features and splits
    ├── CoMembershipBatches   [HIGHLIGHT] pairs that share a hyperedge, and pairs that were drawn;
    │                         no label is looked at
    ├── fit                   GraphSAGE's loss: the first are near, the others are not
    ├── embed                 a row for each node, from the encoder alone
    └── score                 logistic regression on frozen rows: features, untrained, trained
"""

from __future__ import annotations

import argparse
import statistics

from sklearn.linear_model import LogisticRegression
from torch import Tensor

from hypersage_dgl.data import LabelledHypergraph, load
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import CoMembership, CoMembershipBatches, embed, fit, seed_everything


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").split("\n\n")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--dataset", default="synthetic", help="synthetic, debian, citeseer, pubmed, ...")
    add("--data-dir", help="folder with the public benchmark files; default: cache or download")
    add("--epochs", type=int, default=10)
    add("--hidden", type=int, default=128)
    add("--seed", type=int, default=0)
    return parser.parse_args()


def main() -> None:
    """Load, train without labels, score."""
    args = parse()
    data = load(args.dataset, data_dir=args.data_dir)
    graph, feat = data.graph, data.require_feat()
    seed_everything(args.seed)
    encoder = HyperSAGE(data.num_feats, args.hidden, args.hidden, num_layers=1, dropout=0.0)
    print(f"{data.name}: accuracy of a logistic regression, mean of {len(data.splits)} splits")
    score("features", data, feat.to_dense())
    score("untrained", data, embed(encoder, graph, feat))
    batches = CoMembershipBatches(graph, feat, batch_size=512)
    model = CoMembership(encoder)
    fit(model, batches, epochs=args.epochs, lr=0.005, weight_decay=0.0, seed=args.seed)
    score("trained", data, embed(encoder, graph, feat))


def score(name: str, data: LabelledHypergraph, rows: Tensor) -> None:
    """Print the test accuracy of a logistic regression on rows, over the given splits."""
    found = []
    table, classes = rows.numpy(), data.require_labels().numpy()
    for number in range(1, len(data.splits) + 1):
        train, _, test = (part.numpy() for part in data.split(number))
        judge = LogisticRegression(max_iter=1000).fit(table[train], classes[train])
        found.append(100 * judge.score(table[test], classes[test]))
    spread = f" ± {statistics.stdev(found):.1f}" if len(found) > 1 else ""
    print(f"{name:<10}{statistics.fmean(found):>6.1f}{spread}")


if __name__ == "__main__":
    main()
