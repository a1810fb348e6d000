"""Features that cannot work are named, dense and sparse alike."""

from __future__ import annotations

import pytest
import torch

from hypersage_dgl._utils import check_feat

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
