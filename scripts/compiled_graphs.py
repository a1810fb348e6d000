"""How many graphs torch.compile makes of a HyperSAGE of two layers: a row of docs/compatibility.md.

    python scripts/compiled_graphs.py

It takes a minute or two: torch reads the code of DGL for each.
"""

from __future__ import annotations

import logging
import warnings

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import HyperSAGE
import torch


def main() -> None:
    """Count the graphs of a forward pass in evaluation."""
    warnings.filterwarnings("ignore")
    logging.getLogger("torch._dynamo").setLevel(logging.CRITICAL)
    graph = hypergraph([[0, 1, 2], [2, 3], [1, 3, 4]], num_nodes=6)
    feat, weight = torch.rand(6, 16), torch.rand(graph.num_edges("in"))
    for p in (1.0, 2.0, 0.5):
        for given in ((), (weight,)):
            torch._dynamo.reset()
            model = HyperSAGE(16, 32, 4, num_layers=2, p=p).eval()
            found = torch._dynamo.explain(model)(graph, feat, *given)
            print(f"p = {p:g},", "with weights:" if given else "without:", found.graph_count)


if __name__ == "__main__":
    main()
