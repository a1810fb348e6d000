"""Values that enter a labelled hypergraph become tensors; the rest is refused by name."""

import numpy as np
import pytest
import torch
from scipy import sparse

from hypersage_dgl.data import Split
from hypersage_dgl.data.checked import as_feat, as_feature_names, as_labels, as_splits

DENSE = np.array([[0, 1], [2, 0], [0, 0]], dtype=np.float32)


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.coo_matrix, sparse.csc_array])
def test_sparse_matrices_become_csr_tensors(kind):
    feat = as_feat(kind(DENSE), 3, "x")
    assert (feat.layout, feat.dtype) == (torch.sparse_csr, torch.float32)
    assert feat.to_dense().tolist() == DENSE.tolist()


def test_tensors_stay():
    dense = torch.from_numpy(DENSE)
    assert as_feat(dense, 3, "x") is dense
    assert as_feat(dense.to_sparse_coo(), 3, "x").layout == torch.sparse_csr
    assert as_feat(None, 3, "x") is None
    labels = torch.tensor([0, -1, 1])
    assert torch.equal(as_labels(labels, 3, (), "x"), labels)
    assert as_labels(None, 3, (), "x") is None


def test_what_was_checked_does_not_change_with_the_array_it_came_from():
    given = np.array([0, 1, 1])
    labels, (split,) = as_labels(given, 3, (), "x"), as_splits([Split(given[:2], [], [])], 3, "x")
    given[:] = 9
    assert (labels.tolist(), split.train.tolist()) == ([0, 1, 1], [0, 1])


def test_names_of_features():
    feat = torch.from_numpy(DENSE)
    assert as_feature_names(["a", "b"], feat) == ("a", "b")
    assert as_feature_names([], feat) == ()
    with pytest.raises(ValueError, match="1 feature names for 0 features"):
        as_feature_names(["a"], None)


def test_no_nodes_at_all():
    assert len(as_labels([], 0, ("a",), "x")) == 0
    assert as_splits([Split([], [], [])], 0, "x")[0].test.dtype == torch.int64
