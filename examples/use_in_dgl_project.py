"""HyperSAGEConv inside someone else's DGL model and training loop.

    python examples/use_in_dgl_project.py

How it works:

    main
    ├── hypergraph           [HIGHLIGHT] lists of members become one dgl.DGLGraph
    ├── Tagger               your own nn.Module, with HyperSAGEConv beside torch's layers
    ├── DataLoader           dgl.dataloading's own, with HyperSAGESampler as its sampler
    └── the loop             plain PyTorch

The task: the tag of a post, from the threads (hyperedges) that posts share.
"""

from __future__ import annotations

import argparse
import warnings

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import to_hyperedges
from hypersage_dgl.data import generate
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.nn import HyperSAGEConv, Max

import dgl
import torch
import torch.nn.functional as F
from torch import Tensor, nn

# DGL advises pinning workers to cores whenever a loader has none.
warnings.filterwarnings("ignore", message="Dataloader CPU affinity")


class Tagger(nn.Module):
    """Two hypergraph layers of different kinds, with a skip connection of your own."""

    def __init__(self, in_feats: int, hidden_feats: int, num_tags: int) -> None:
        super().__init__()
        self.skip = nn.Linear(in_feats, hidden_feats)
        self.first = HyperSAGEConv(in_feats, hidden_feats, p=2, norm=nn.LayerNorm(hidden_feats))
        # The loudest member of each hyperedge, averaged over hyperedges.
        self.second = HyperSAGEConv(hidden_feats, num_tags, intra_aggr=Max(), dropout=0.3)

    def forward(self, pairs: list[tuple[dgl.DGLGraph, dgl.DGLGraph]], feat: Tensor) -> Tensor:
        """Logits of the output nodes; ``pairs[l]`` are the two blocks of layer l."""
        hidden = self.first(pairs[0], feat)
        hidden = F.relu(hidden + self.skip(feat[: len(hidden)]))
        return self.second(pairs[1], hidden)


def make_graph(seed: int) -> dgl.DGLGraph:
    """Stand-in for your data: any lists of node ids, features and labels will do."""
    made = generate(2_000, 1_200, num_classes=4, num_feats=64, seed=seed)
    g = hypergraph(to_hyperedges(made.graph), num_nodes=made.num_nodes)
    g.nodes["node"].data["feat"] = made.feat.to_dense()
    g.nodes["node"].data["label"] = made.labels
    return g


def main() -> None:
    """Train with a plain loop, test with every neighbour."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="cpu")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    g = make_graph(args.seed)
    order = torch.randperm(g.num_nodes("node"))
    train, test = order[:200], order[200:]
    model = Tagger(g.nodes["node"].data["feat"].shape[1], 32, 4).to(args.device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)

    def batches(nodes: Tensor, alpha: int, batch_size: int) -> dgl.dataloading.DataLoader:
        sampler = HyperSAGESampler(
            2, alpha, prefetch_node_feats=["feat"], prefetch_labels=["label"]
        )
        return dgl.dataloading.DataLoader(
            g, {"node": nodes}, sampler, batch_size=batch_size, shuffle=True, device=args.device
        )

    for epoch in range(1, args.epochs + 1):
        model.train()
        for _, _, pairs in batches(train, alpha=5, batch_size=64):
            logits = model(pairs, pairs[0][0].srcnodes["node"].data["feat"])
            loss = F.cross_entropy(logits, pairs[-1][1].dstnodes["node"].data["label"])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch:>2}  loss {loss.item():.3f}")

    model.eval()
    right = 0
    with torch.no_grad():
        for _, _, pairs in batches(test, alpha=-1, batch_size=512):
            logits = model(pairs, pairs[0][0].srcnodes["node"].data["feat"])
            labels = pairs[-1][1].dstnodes["node"].data["label"]
            right += int((logits.argmax(dim=1) == labels).sum())
    print(f"test accuracy (full): {100 * right / len(test):.2f}")


if __name__ == "__main__":
    main()
