"""Cost of a training epoch on dblp, against PyG and DGL layers in the same run.

    pip install torch_geometric
    HYPERSAGE_DATA_DIR=... python benchmarks/train.py

Two layers, hidden width 32, the same dropout before both on either side, Adam. Full graph: PyG's
``HypergraphConv``, which computes no power mean and projects before it aggregates. Minibatches (all
nodes as seeds, batch 1024, alpha 5): DGL's ``SAGEConv`` over both half-hops of the same samples,
with dense features as a DGL user has them. The runs are interleaved; a row is the median epoch.
"""

from __future__ import annotations

import argparse
import statistics
import time
import warnings
from typing import Callable

import hypersage_dgl  # noqa: F401
from hypersage_dgl.convert import to_coo
from hypersage_dgl.data import HypergraphDataset, load_dataset
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import Batch, FullGraph, Minibatches, sampler_for, seed_everything

import dgl
import torch
import torch.nn.functional as F
from dgl.nn import SAGEConv
from torch import Tensor, nn

HIDDEN = 32
LIMITS = {"HyperSAGE p=1": 0.6, "HyperSAGE p=0.01": 0.8, "HyperSAGE p=1, minibatch": 1.2}
Run = Callable[[], None]


def trainer(model: nn.Module, batches: Callable[[], object]) -> Run:
    """One epoch of plain training."""
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)

    def epoch() -> None:
        model.train()
        for graph, feat, labels, rows in batches():
            logits = model(graph, feat)[rows]
            loss = F.cross_entropy(logits, labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    return epoch


def ours(
    dataset: HypergraphDataset,
    p: float,
    dropout: float,
    cut: bool = True,
    keep_first: bool = True,
) -> Run:
    """Full-graph epoch of HyperSAGE."""
    graph, feat, labels = dataset.structure, dataset.sparse_feat, dataset.labels
    model = HyperSAGE(feat.shape[1], HIDDEN, dataset.num_classes, 2, p, dropout)
    train = dataset.split.train
    if not cut:
        # The whole hypergraph, with the first layer kept or not.
        first = model.first_layer(graph, feat) if keep_first else None
        batches = FullGraph(graph, feat, labels, train, first=first)
    else:
        batches = FullGraph(graph, feat, labels, train, model=model, keep_first=keep_first)
    return trainer(model, lambda: batches)


def pyg(dataset: HypergraphDataset, dropout: float) -> Run:
    """Full-graph epoch of PyG's HypergraphConv."""
    from torch_geometric.nn import HypergraphConv

    class Peer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first = HypergraphConv(dataset.features.shape[1], HIDDEN)
            self.second = HypergraphConv(HIDDEN, dataset.num_classes)

        def forward(self, x: Tensor, index: Tensor) -> Tensor:
            x = F.relu(self.first(F.dropout(x, dropout, self.training), index))
            return self.second(F.dropout(x, dropout, self.training), index)

    index = to_coo(dataset.structure)
    feat, train = dataset.sparse_feat.to_dense(), dataset.split.train
    labels, model = dataset.labels[train], Peer()
    return trainer(model, lambda: [Batch(feat, index, labels, train)])


def ours_minibatch(
    dataset: HypergraphDataset, p: float, dropout: float, alpha: int, batch_size: int
) -> Run:
    """Minibatch epoch of HyperSAGE with all nodes as seeds."""
    graph, feat, labels = dataset.structure, dataset.sparse_feat, dataset.labels
    model = HyperSAGE(feat.shape[1], HIDDEN, dataset.num_classes, 2, p, dropout)
    nodes = torch.arange(len(labels))
    sampler = sampler_for(model, graph, alpha)
    batches = Minibatches(graph, feat, labels, nodes, sampler, batch_size=batch_size)
    return trainer(model, lambda: batches)


def sage_minibatch(dataset: HypergraphDataset, dropout: float, alpha: int, batch_size: int) -> Run:
    """Minibatch epoch of DGL's SAGEConv over the half-hops of the same samples."""
    width, classes = dataset.features.shape[1], dataset.num_classes

    class Peer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            sizes = [(width, HIDDEN), (HIDDEN, classes)]
            self.inside = nn.ModuleList(SAGEConv((i, 1), HIDDEN, "mean") for i, _ in sizes)
            self.across = nn.ModuleList(SAGEConv((HIDDEN, i), o, "mean") for i, o in sizes)

        def forward(self, pairs: list[tuple[dgl.DGLGraph, dgl.DGLGraph]], x: Tensor) -> Tensor:
            for i, (intra, inter) in enumerate(pairs):
                x = F.dropout(F.relu(x) if i else x, dropout, self.training)
                # Hyperedges have no features of their own.
                blank = x.new_zeros(intra.num_dst_nodes("hyperedge"), 1)
                hyperedges = F.relu(self.inside[i](intra["in"], (x, blank)))
                own = x[: inter.num_dst_nodes("node")]
                x = self.across[i](inter["contains"], (hyperedges, own))
            return x

    graph, model = dataset.structure, Peer()
    graph.nodes["node"].data["feat"] = dataset.sparse_feat.to_dense()
    graph.nodes["node"].data["label"] = dataset.labels
    loader = dgl.dataloading.DataLoader(
        graph,
        {"node": torch.arange(graph.num_nodes("node"))},
        HyperSAGESampler(2, alpha, prefetch_node_feats=["feat"], prefetch_labels=["label"]),
        batch_size=batch_size,
        shuffle=True,
    )

    def batches() -> object:
        for _, _, pairs in loader:
            feat = pairs[0][0].srcnodes["node"].data["feat"]
            yield Batch(pairs, feat, pairs[-1][1].dstnodes["node"].data["label"])

    return trainer(model, batches)


def compare(runs: dict[str, Run], base: str, repeats: int) -> None:
    """Time interleaved epochs; print medians and ratios to ``base``."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for repeat in range(repeats + 1):
        for name, run in runs.items():
            start = time.perf_counter()
            run()
            if repeat:
                times[name].append(time.perf_counter() - start)
    reference = statistics.median(times[base])
    print(f"\n{'one epoch':<36}{'s':>8}{'ratio':>8}  limit")
    for name, values in times.items():
        ratio, limit = statistics.median(values) / reference, LIMITS.get(name)
        verdict = "" if limit is None else f"{limit:g} {'ok' if ratio <= limit else 'MISSED'}"
        print(f"{name:<36}{statistics.median(values):>8.3f}{ratio:>8.2f}  {verdict}")


def main() -> None:
    """Compare full-graph epochs, then minibatch epochs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--dataset", default="dblp")
    parser.add_argument("--data-dir")
    parser.add_argument("--dropout", type=float, default=0.5, help="on both sides")
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--minibatch-repeats", type=int, default=2)
    args = parser.parse_args()
    warnings.filterwarnings("ignore", message="Dataloader CPU affinity")
    seed_everything(0)
    dataset = load_dataset(args.dataset, data_dir=args.data_dir)
    print(dataset)
    print(f"dgl {dgl.__version__}, torch {torch.__version__}, {torch.get_num_threads()} threads")
    peer = "PyG HypergraphConv"
    runs: dict[str, Run] = {peer: pyg(dataset, args.dropout)}
    for p in (1.0, 0.01):
        name = f"HyperSAGE p={p:g}"
        runs[name] = ours(dataset, p, args.dropout)
        runs[f"{name}, not pruned"] = ours(dataset, p, args.dropout, cut=False)
        runs[f"{name}, first layer not kept"] = ours(dataset, p, args.dropout, keep_first=False)
        runs[f"{name}, neither"] = ours(dataset, p, args.dropout, cut=False, keep_first=False)
    compare(runs, peer, args.repeats)
    if args.minibatch_repeats < 1:
        return
    runs = {"DGL SAGEConv, minibatch": sage_minibatch(dataset, args.dropout, 5, 1024)}
    for p in (1.0, 0.01):
        runs[f"HyperSAGE p={p:g}, minibatch"] = ours_minibatch(dataset, p, args.dropout, 5, 1024)
    compare(runs, "DGL SAGEConv, minibatch", args.minibatch_repeats)


if __name__ == "__main__":
    main()
