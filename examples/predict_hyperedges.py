"""Predict hyperedges that were held out, and score the model by the kind of its negatives.

    python examples/predict_hyperedges.py                      # generated data, half a minute
    python examples/predict_hyperedges.py --dataset debian --epochs 20

How it works:

    main
    ├── load_dataset         hypergraph and features
    ├── split_hyperedges     [HIGHLIGHT] a graph without the held-out hyperedges, and these
    ├── HyperedgePredictor   HyperSAGE, and a head that scores a set of nodes
    ├── HyperedgeBatches     hyperedges and negatives; [HIGHLIGHT] those of a batch are cut out of
    │                        the graph that its messages pass on
    ├── fit                  the training loop; the best epoch on validation hyperedges counts
    └── report               AUROC and average precision for each kind of negatives, and what the
                             model thinks of two sets of nodes
"""

from __future__ import annotations

import argparse

from hypersage_dgl.data import load_dataset, split_hyperedges
from hypersage_dgl.nn import CandidateScorer, HyperedgePredictor, HyperSAGE, Mean
from hypersage_dgl.training import (
    HyperedgeBatches,
    RankScores,
    auroc_on,
    draw_negatives,
    evaluate_hyperedges,
    fit,
    score_candidates,
    seed_everything,
)


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").split("\n\n")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--dataset", default="synthetic", help="synthetic, debian, dblp, pubmed, citeseer, ...")
    add("--data-dir", help="folder with the public benchmark files; default: cache or download")
    add("--pool", choices=("max-min", "mean"), default="max-min", help="how a set is pooled")
    add("--layers", type=int, default=1)
    add("--hidden", type=int, default=32)
    add("--epochs", type=int, default=20)
    add("--lr", type=float, default=0.01)
    add("--seed", type=int, default=0)
    return parser.parse_args()


def main() -> None:
    """Load, split, train, report."""
    args = parse()
    dataset = load_dataset(args.dataset, data_dir=args.data_dir, seed=args.seed)
    graph, feat = dataset.structure, dataset.sparse_feat
    split = split_hyperedges(graph, (0.6, 0.2, 0.2), seed=args.seed)
    sizes = ", ".join(f"{part} {len(getattr(split, part)):,}" for part in ("train", "val", "test"))
    kept = f"{split.graph.num_edges('in'):,} of {graph.num_edges('in'):,}"
    print(f"{dataset.name}: hyperedges {sizes}; messages pass on {kept} incidences")

    seed_everything(args.seed)
    encoder = HyperSAGE(feat.shape[1], args.hidden, args.hidden, args.layers, dropout=0.0)
    pool = Mean() if args.pool == "mean" else None
    model = HyperedgePredictor(encoder, CandidateScorer(args.hidden, args.hidden, pool))
    # Drawn once, so that all epochs, and all models of a seed, are scored on the same sets.
    val = draw_negatives(graph, split, "val", seed=args.seed)
    test = draw_negatives(graph, split, "test", seed=args.seed + 1)
    history = fit(
        model,
        HyperedgeBatches(split, feat),
        epochs=args.epochs,
        lr=args.lr,
        weight_decay=0.0,
        validate=auroc_on(split, feat, val),
        seed=args.seed,
    )
    print(f"best epoch {history.best_epoch}, validation AUROC {history.best_val:.3f}")
    report(evaluate_hyperedges(model, split, feat, test))
    sets = [split.test[0], test["sized"][0]]
    for members, chance in zip(sets, score_candidates(model, split.graph, feat, sets).tolist()):
        print(f"nodes {members}: a hyperedge with probability {chance:.2f}")


def report(scores: dict[str, RankScores]) -> None:
    """Print a row for each kind of negatives."""
    print(f"{'negatives':<12}{'AUROC':>8}{'AP':>8}")
    for kind, found in scores.items():
        print(f"{kind:<12}{found.auroc:>8.3f}{found.average_precision:>8.3f}")


if __name__ == "__main__":
    main()
