"""Sparse features as dense ones, and the rules for both."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy import sparse

from hypersage_dgl._utils import (
    as_dense,
    check_feat,
    csr_from_scipy,
    csr_to_scipy,
    dropped,
    first_rows,
    is_sparse,
    select_rows,
    take_rows,
)
from hypersage_dgl._utils.features import csr_tensor


def dense() -> torch.Tensor:
    """Half zeros, an empty row and an empty column."""
    numbers = torch.Generator().manual_seed(1)
    x = torch.rand(7, 5, generator=numbers) * (torch.rand(7, 5, generator=numbers) > 0.5)
    x[2], x[:, 3] = 0, 0
    return x


LAYOUTS = {
    "dense": lambda x: x,
    "csr": lambda x: x.to_sparse_csr(),
    "coo": lambda x: x.to_sparse_coo(),
}
LAYOUT = pytest.mark.parametrize("layout", LAYOUTS)
ROWS = [[], [0], [2], [6, 0, 0, 2, 5], list(range(7)), [3, 3, 3]]


def test_is_sparse():
    assert [is_sparse(make(dense())) for make in LAYOUTS.values()] == [False, True, True]


def test_csr_tensor_by_hand():
    made = csr_tensor(
        torch.tensor([0, 2, 2, 3]), torch.tensor([0, 2, 1]), torch.tensor([1.0, 2.0, 3.0]), (3, 3)
    )
    assert made.layout == torch.sparse_csr
    assert made.to_dense().tolist() == [[1, 0, 2], [0, 0, 0], [0, 3, 0]]


@pytest.mark.parametrize("layout", ["csr", "coo"])
def test_scipy_and_back(layout):
    matrix = csr_to_scipy(LAYOUTS[layout](dense()))
    assert matrix.dtype == np.float64
    np.testing.assert_array_equal(matrix.toarray(), dense().double().numpy())
    for dtype in (torch.float32, torch.float64):
        back = csr_from_scipy(matrix, dtype)
        assert back.dtype == dtype
        assert back.crow_indices().dtype == back.col_indices().dtype == torch.int64
        assert torch.equal(back.to_dense(), dense().to(dtype))


def test_scipys_narrow_indices_are_widened():
    matrix = sparse.csr_matrix(np.eye(3))
    assert matrix.indices.dtype == np.int32
    assert torch.equal(csr_from_scipy(matrix).to_dense(), torch.eye(3))


@LAYOUT
@pytest.mark.parametrize("rows", ROWS, ids=str)
def test_rows(rows, layout):
    feat, index = LAYOUTS[layout](dense()), torch.tensor(rows, dtype=torch.int64)
    chosen = select_rows(feat, index)
    assert chosen.layout == (torch.strided if layout == "dense" else torch.sparse_csr)
    assert chosen.shape == (len(rows), 5)
    written = chosen.to_dense() if is_sparse(chosen) else chosen
    assert torch.equal(written, dense()[index])
    assert torch.equal(take_rows(feat, index), dense()[index])


@LAYOUT
@pytest.mark.parametrize("count", [0, 1, 3, 7])
def test_first_rows(count, layout):
    assert torch.equal(first_rows(LAYOUTS[layout](dense()), count), dense()[:count])


@LAYOUT
@pytest.mark.parametrize("rate", [0.3, 0.5])
def test_dropout_drops_its_share_and_scales_the_rest(rate, layout):
    torch.manual_seed(0)
    x = torch.ones(200, 100)
    x[:, ::2] = 0
    out = dropped(LAYOUTS[layout](x), rate)
    assert is_sparse(out) == (layout != "dense")
    out = out.to_dense() if is_sparse(out) else out
    assert not out[:, ::2].any()
    kept = out[:, 1::2]
    torch.testing.assert_close(
        kept[kept != 0], torch.full((), 1 / (1 - rate)).expand_as(kept[kept != 0])
    )
    # Five standard errors of 10,000 draws.
    assert abs(float((kept == 0).double().mean()) - rate) < 5 * (rate * (1 - rate) / 1e4) ** 0.5


def test_dropout_leaves_the_given_tensor():
    feat = dense().to_sparse_csr()
    dropped(feat, 0.5)
    assert torch.equal(feat.to_dense(), dense())


FINE = torch.rand(3, 2)


@pytest.mark.parametrize("feat", [FINE, FINE.to_sparse_csr(), FINE.to_sparse_coo()])
def test_fine_features_pass(feat):
    check_feat(feat)
    check_feat(feat, 2, rows=3, dtype=torch.float32, finite=True)


@pytest.mark.parametrize(
    ("feat", "rules", "error", "message"),
    [
        ([[1.0]], {}, TypeError, "features are a list; give a torch tensor"),
        (FINE[0], {}, ValueError, r"shape \(2,\).*2 dimensions"),
        (FINE, {"columns": 5}, ValueError, r"shape \(3, 2\); the model takes 5 columns"),
        (FINE, {"rows": 4}, ValueError, r"3 rows of features for 4 nodes.*\(3, 2\)"),
        (FINE.long(), {}, TypeError, "torch.int64.*floats"),
        (FINE, {"dtype": torch.float64}, TypeError, r"torch.float32.*feat.to\(torch.float64\)"),
        (FINE / 0, {"finite": True}, ValueError, "NaN or infinite"),
        ((FINE / 0).to_sparse_csr(), {"finite": True}, ValueError, "NaN or infinite"),
    ],
)
def test_others_are_named(feat, rules, error, message):
    with pytest.raises(error, match=message):
        check_feat(feat, **rules)


def test_values_are_read_on_request_alone():
    check_feat(FINE / 0)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
@LAYOUT
def test_as_dense(layout, dtype):
    x = dense().to(dtype)
    assert torch.equal(as_dense(LAYOUTS[layout](x)), x)


def test_as_dense_passes_gradients_on():
    x = dense().to_sparse_csr().requires_grad_()
    as_dense(x).sum().backward()
    assert x.grad is not None
    assert bool((x.grad.to_dense()[dense() != 0] == 1).all())
