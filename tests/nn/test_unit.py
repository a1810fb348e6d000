"""Rows of unit length: to the bit those of torch where torch has them, and finite beyond."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

from hypersage_dgl import hypergraph
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.nn.unit import unit_rows


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_to_the_bit_as_torch(dtype):
    x = torch.randn(50, 37, dtype=dtype, generator=torch.Generator().manual_seed(0))
    x[0], x[1] = 0, 1e-20
    ours, theirs = x.clone().requires_grad_(), x.clone().requires_grad_()
    assert torch.equal(unit_rows(ours), F.normalize(theirs, dim=-1))
    weight = torch.randn_like(x)
    (unit_rows(ours) * weight).sum().backward()
    (F.normalize(theirs, dim=-1) * weight).sum().backward()
    assert torch.equal(ours.grad, theirs.grad)


def test_long_rows_are_scaled_and_leave_the_others_to_the_bit():
    x = torch.tensor([[3.0, 4.0], [3e30, 4e30], [0.1, 0.7]], requires_grad=True)
    unit = unit_rows(x)
    assert torch.equal(unit[[0, 2]], F.normalize(x[[0, 2]], dim=-1))
    torch.testing.assert_close(unit[1], torch.tensor([0.6, 0.8]))
    unit[:, 0].sum().backward()
    # Of x/|x|: (|x|² - x²)/|x|³, here 16/125, and 1e-30 of it in the long row.
    torch.testing.assert_close(x.grad[:2, 0], torch.tensor([0.128, 0.128e-30]))


POWERS = [1, 2, -2, 0.5, 0, 5, 20, 1000, 1e9, float("inf"), (2, 3)]


@pytest.mark.parametrize("p", POWERS, ids=str)
@pytest.mark.parametrize("include_self", [True, False], ids=["self", "others"])
@pytest.mark.parametrize("fast", [True, False], ids=["fast", "plain"])
@pytest.mark.many
def test_huge_features_give_what_float64_gives(p, include_self, fast):
    graph = hypergraph([[0, 1, 2], [2, 3], [3, 4, 0]], num_nodes=6)
    torch.manual_seed(0)
    options = {"p": p, "include_self": include_self, "fast": fast}
    model = HyperSAGE(4, 8, 3, **options).eval()
    exact = HyperSAGE(4, 8, 3, **options).double().eval()
    exact.load_state_dict({name: value.double() for name, value in model.state_dict().items()})
    feat = torch.rand(6, 4) + 0.1
    feat[0, 0] = 1e20
    dense = feat.clone().requires_grad_()
    logits = model(graph, dense)
    torch.testing.assert_close(logits, exact(graph, feat.double()).float(), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(model(graph, feat.to_sparse_csr()), logits, rtol=1e-4, atol=1e-5)
    logits.sum().backward()
    assert bool(torch.isfinite(dense.grad).all())


@pytest.mark.parametrize("p", [1, 2, -2, 20])
@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
def test_huge_features_in_float64(p, sparse):
    graph, feat = hypergraph([[0, 1, 2], [2, 3]]), torch.rand(4, 3).double() + 0.1
    feat[0, 0] = 1e200
    model = HyperSAGE(3, 4, 2, p=p).double().eval()
    assert bool(torch.isfinite(model(graph, feat.to_sparse_csr() if sparse else feat)).all())
