"""An evolving hypergraph: train on what is there, then predict nodes that arrive later.

    python examples/inductive.py                                      # embedded data, no download
    python examples/inductive.py --dataset citeseer

How it works:

    main
    ├── inductive_split      a fifth of the nodes to train, the rest half seen and half unseen;
    │                        unseen nodes are cut from the hypergraph that training sees
    ├── FullGraph, fit       trains on the hypergraph of the seen nodes alone
    ├── evaluate             seen nodes on that hypergraph, unseen ones once they are back in
    └── arrive               [HIGHLIGHT] unseen nodes arrive one by one: Predictor.predict_new
                             touches only their receptive field
"""

from __future__ import annotations

import argparse
import statistics
import time

from hypersage_dgl import induced
from hypersage_dgl._utils import select_rows
from hypersage_dgl.data import inductive_split, load_dataset
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import FullGraph, Predictor, evaluate, fit, seed_everything

import dgl
import torch
from torch import Tensor


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").split("\n\n")[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--dataset", default="debian", help="dblp, pubmed, citeseer, debian, synthetic, ...")
    add("--data-dir", help="folder with the public benchmark files; default: cache or download")
    add("--p", type=float, default=1.0, help="power of the mean, inf and -inf included")
    add("--hidden", type=int, default=32)
    add("--epochs", type=int, default=50)
    add("--arrivals", type=int, default=20, help="unseen nodes that arrive one by one")
    add("--seed", type=int, default=0)
    add("--device", default="cpu", help="cpu, cuda, cuda:1, ...")
    return parser.parse_args()


def main() -> None:
    """Train on the seen part, score both, let nodes arrive."""
    args = parse()
    dataset = load_dataset(args.dataset, data_dir=args.data_dir, seed=args.seed)
    labels, feat = dataset.labels.to(args.device), dataset.sparse_feat.to(args.device)
    split = inductive_split(dataset.structure.to(args.device), seed=args.seed)
    before, after = split.train_graph, split.full_graph
    kept = before.nodes["node"].data[dgl.NID].long()
    feat_before, labels_before = select_rows(feat, kept), labels[kept]
    print(f"{before.num_nodes('node')} nodes seen, {len(split.unseen)} still to arrive")

    seed_everything(args.seed)
    model = HyperSAGE(feat.shape[1], args.hidden, dataset.num_classes, p=args.p).to(args.device)
    train, seen = (before.nodes["node"].data[f"{part}_mask"] for part in ("train", "seen"))
    batches = FullGraph(before, feat_before, labels_before, train, model=model)
    fit(model, batches, epochs=args.epochs, seed=args.seed)

    on_seen = evaluate(model.inference(before, feat_before), labels_before, seen, before)
    unseen = split.unseen.to(labels.device)
    on_unseen = evaluate(model.inference(after, feat), labels, unseen, after)
    print(f"{'test nodes':<12}{'accuracy':>10}{'macro-F1':>10}{'connected':>11}")
    for name, s in (("seen", on_seen), ("unseen", on_unseen)):
        print(
            f"{name:<12}{100 * s.accuracy:>10.2f}{100 * s.macro_f1:>10.2f}"
            f"{100 * s.connected_accuracy:>11.2f}"
        )
    if args.arrivals > 0:
        arrive(Predictor(model), after, feat, unseen[: args.arrivals])
    print(f"test accuracy (full): {100 * on_unseen.accuracy:.2f}")


def arrive(predictor: Predictor, after: dgl.DGLGraph, feat: Tensor, unseen: Tensor) -> None:
    """Let nodes arrive one by one at a hypergraph that lacks them; compare with a full forward."""
    nodes = torch.arange(after.num_nodes("node"), device=unseen.device)
    rest = nodes[~torch.isin(nodes, unseen)]
    present = induced(after, rest)
    predictor.attach(present, select_rows(feat, rest))
    agree, seconds = 0, []
    for node in unseen.tolist():
        # Hyperedge ids are the same before and after: a cut keeps them.
        joined = after.predecessors(node, etype="contains").tolist()
        row = select_rows(feat, torch.tensor([node], device=feat.device))
        start = time.perf_counter()
        new = predictor.predict_new(row, [joined])
        seconds.append(time.perf_counter() - start)
        ids = torch.cat((rest, torch.tensor([node], device=rest.device)))
        grown = predictor.predict(induced(after, ids), select_rows(feat, ids))
        agree += int(new.label[0] == grown.label[-1])
    print(
        f"{len(unseen)} nodes arrived one by one, {1e3 * statistics.median(seconds):.1f} ms each; "
        f"{agree} predictions equal those on the grown hypergraph"
    )


if __name__ == "__main__":
    main()
