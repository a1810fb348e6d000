"""What is computed once is what the layers of a model would aggregate, by means of loops."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import HyperSAGE, Max, PowerMean

HYPEREDGES, NODES = [[0, 1, 2], [2, 3], [0, 2, 4]], 6
GRAPH = hypergraph(HYPEREDGES, NODES)


def features() -> torch.Tensor:
    x = torch.rand(NODES, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(4))
    return x * (x > 0.3)


def hop(x: np.ndarray, inside) -> np.ndarray:
    """One hop with self and with equal weights of hyperedges; node 5 is in none."""
    rows = []
    for v in range(NODES):
        own = [inside(x[members]) for members in HYPEREDGES if v in members]
        row = x[v] + (np.mean(own, axis=0) if own else 0)
        rows.append(row / np.linalg.norm(row))
    return np.array(rows)


@pytest.mark.parametrize("form", ["dense", "csr"])
@pytest.mark.parametrize("aggregates", ["mean", "max"])
def test_is_the_formula(form, aggregates):
    x = features()
    options = {"inter": "mean", "intra_aggr": Max() if aggregates == "max" else None}
    feat = x.to_sparse_csr() if form == "csr" else x
    found = HyperSAGE.precompute(GRAPH, feat, 2, **options).numpy()
    inside = {"mean": lambda rows: rows.mean(0), "max": lambda rows: rows.max(0)}[aggregates]
    once = hop(x.numpy(), inside)
    np.testing.assert_allclose(found, np.hstack([x, once, hop(once, inside)]), atol=1e-12)


def test_is_the_first_layer_of_a_model():
    model = HyperSAGE(3, 4, 2, p=(3, 0.5)).double()
    rows = HyperSAGE.precompute(GRAPH, features(), 1, p=(3, 0.5))
    torch.testing.assert_close(rows[:, 3:], model.first_layer(GRAPH, features()).hidden)


def test_refuses_what_is_learned():
    with pytest.raises(ValueError, match="computed once cannot be learned"):
        HyperSAGE.precompute(GRAPH, features(), 1, p=PowerMean(2, learn=True))
    with pytest.raises(ValueError, match="hops"):
        HyperSAGE.precompute(GRAPH, features(), 0)
