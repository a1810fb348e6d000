"""Train the same in several processes of two threads each, and print what came out, to the bit.

Run as ``python -m training.repeated`` in ``tests``. The children are forked before this process has
computed anything, so that each starts its own threads and importing takes time only once. The
hypergraph is large enough that torch and DGL do share work between threads.
"""

from __future__ import annotations

import hashlib
import importlib
import os

import torch

from hypersage_dgl import hypergraph_from_incidence
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import fit, seed_everything

from .cases import full, sampled, whole

PROCESSES = 5
NODES = 12_000


def train() -> str:
    """Hash of the weights after training in three ways."""
    torch.set_num_threads(2)
    numbers = torch.Generator().manual_seed(1)
    members = torch.randint(NODES, (NODES * 2,), generator=numbers)
    graph = hypergraph_from_incidence(members, torch.arange(len(members)) // 4, NODES)
    feat, labels = torch.rand(NODES, 8, generator=numbers), torch.arange(NODES) % 3
    weights = hashlib.sha256()
    for make, options in (
        (full, {}),
        (whole, {}),
        (sampled, {"alpha": 2, "batch_size": 1000}),
    ):
        seed_everything(3)
        model = HyperSAGE(feat.shape[1], 16, 3, p=2)
        batches = make(model, graph, feat, labels, torch.arange(0, NODES, 4), **options)
        fit(model, batches, epochs=1, seed=3)
        for value in model.state_dict().values():
            weights.update(value.numpy().tobytes())
    return weights.hexdigest()


def main() -> None:
    # What the first step of an optimizer would import.
    importlib.import_module("torch._dynamo")
    for _ in range(PROCESSES):
        child = os.fork()
        if child == 0:
            print(train(), flush=True)
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
