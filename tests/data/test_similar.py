"""Most similar nodes, against all cosines computed one by one."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from hypersage_dgl import add_hyperedges, hypergraph, validate
from hypersage_dgl.data import knn_hyperedges, similar


def features(rows: int, columns: int = 7, dtype=torch.float64) -> torch.Tensor:
    """Signed, a third zeros, with equal rows and rows without any entry."""
    generator = torch.Generator().manual_seed(rows)
    x = torch.randn(rows, columns, generator=generator, dtype=dtype)
    x = x * (torch.rand(rows, columns, generator=generator) > 0.3)
    x[3], x[5], x[rows - 1] = 2 * x[2], 0, 0
    return x


def cosine(u: np.ndarray, v: np.ndarray) -> float:
    return float(u @ v / np.sqrt(u @ u) / np.sqrt(v @ v))


@pytest.mark.parametrize("block", [3, 8, 64])
@pytest.mark.parametrize("form", ["dense", "csr", "coo"])
@pytest.mark.parametrize("k", [1, 4])
def test_is_what_all_cosines_say(monkeypatch, block, form, k):
    monkeypatch.setattr(similar, "BLOCK", block)
    x = features(21)
    feat = {"dense": x, "csr": x.to_sparse_csr(), "coo": x.to_sparse_coo()}[form]
    rows = knn_hyperedges(feat, k).numpy()
    known = [v for v in range(21) if x[v].abs().sum() > 0]
    assert rows[:, 0].tolist() == known
    for v, *others in rows.tolist():
        assert len(set(others) | {v}) == k + 1
        every = {u: cosine(x[v].numpy(), x[u].numpy()) for u in known if u != v}
        best = sorted(every.values(), reverse=True)[:k]
        np.testing.assert_allclose([every[u] for u in others], best, atol=1e-12)


def test_tiny_and_huge_rows_have_a_direction():
    x = features(12, dtype=torch.float32)
    scaled = x * torch.tensor([1e-30, 1e30, 1.0]).repeat(4).unsqueeze(1)
    unscaled, same = (knn_hyperedges(each, 2) for each in (x, scaled))
    assert torch.equal(unscaled[:, 0], same[:, 0])
    units = torch.nn.functional.normalize(x)
    for ours, theirs in ((unscaled, same), (same, unscaled)):
        one, two = (units[each[:, :1]] * units[each[:, 1:]] for each in (ours, theirs))
        torch.testing.assert_close(one.sum(-1), two.sum(-1))


def test_rows_are_hyperedges():
    x = features(10)
    rows = knn_hyperedges(x, 3)
    grown = add_hyperedges(hypergraph([[0, 5]], num_nodes=10), rows.tolist())
    validate(grown)
    assert grown.num_nodes("hyperedge") == 1 + len(rows)
    assert int(grown.in_degrees(5, etype="contains")) == 1


@pytest.mark.parametrize(
    ("feat", "k", "message"),
    [
        (features(10), 8, "k is 8, but 8 nodes have features"),
        (torch.zeros(4, 2), 1, "k is 1, but 0 nodes"),
        (features(10), 0, "k"),
        (torch.full((3, 2), torch.nan), 1, "NaN"),
    ],
)
def test_refuses_what_has_no_neighbours(feat, k, message):
    with pytest.raises(ValueError, match=message):
        knn_hyperedges(feat, k)
