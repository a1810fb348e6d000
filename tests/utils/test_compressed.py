"""No sparse matrix from outside leads scipy or torch out of its memory."""

import numpy as np
import pytest
import torch
from scipy import sparse

from hypersage_dgl import hypergraph
from hypersage_dgl._utils import check_distinct, check_feat, check_matrix, check_sparse_tensor
from hypersage_dgl.convert import from_scipy
from hypersage_dgl.data import LabelledHypergraph, load
from hypersage_dgl.nn import HyperSAGE, HyperSAGEConv
from hypersage_dgl.nn.baselines import HGNN
from hypersage_dgl.nn.first_layer import FirstLayer
from hypersage_dgl.training import FullGraph, Predictor

GRAPH = hypergraph([[0, 1], [1, 2]])


def csr(indptr, indices=(), values=None, shape=(2, 3)):
    matrix = sparse.csr_matrix(shape)
    matrix.indptr, matrix.indices = np.array(indptr), np.array(indices, dtype=np.int64)
    matrix.data = np.ones(len(indices) if values is None else values, dtype=np.float32)
    return matrix


WRONG = [
    (csr([0, 50_000_000, 0]), "indptr falls from 50000000 to 0"),
    (csr([1, 1, 1], [0]), "indptr begins with 1"),
    (csr([0, 1], [0]), "indptr has the shape"),
    (csr([0, 1, 3], [0, 1]), "ends with 3, for 2 indices and 2 values"),
    (csr([0, 1, 2], [0, 1], values=1), "for 2 indices and 1 values"),
    (csr([0, 1, 2], [0, 3]), "an index is 3; it must be from 0 to 2"),
    (csr([0, 1, 2], [-1, 0]), "an index is -1"),
]


@pytest.mark.parametrize(("matrix", "words"), WRONG, ids=[words for _, words in WRONG])
def test_a_wrong_matrix_is_refused_wherever_it_enters(matrix, words):
    for take in (check_matrix, from_scipy, lambda m: LabelledHypergraph(GRAPH, feat=m)):
        with pytest.raises(ValueError, match=words):
            take(matrix)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"])
def test_good_matrices_of_every_form_pass(form):
    matrix = sparse.csr_matrix(np.array([[1, 0], [1, 1], [0, 0]])).asformat(form)
    check_matrix(matrix)
    assert from_scipy(matrix).graph.num_edges("in") == 3


def test_lists_of_a_lil_matrix_are_checked_once_they_are_indices():
    matrix = sparse.lil_matrix((2, 2))
    matrix[0, 0] = matrix[1, 1] = 1
    matrix.rows[1] = [10**6]
    with pytest.raises(ValueError, match="an index is 1000000"):
        from_scipy(matrix)


def test_coo_indices_are_checked():
    matrix = sparse.coo_matrix(np.eye(2))
    matrix.row[0] = 10**8
    with pytest.raises(ValueError, match="an index of axis 0 is 100000000"):
        check_matrix(matrix)


def test_a_file_of_a_kilobyte_is_no_segmentation_fault(tmp_path):
    parts = {"indptr": np.array([0, 50_000_000, 0]), "indices": np.array([], np.int64)}
    np.savez(tmp_path / "p.npz", **parts, data=np.array([]), shape=np.array([2, 3]), format=b"csr")
    with pytest.raises(ValueError, match=r"p\.npz is damaged.*indptr falls"):
        load(tmp_path / "p.npz")


def tensor(crow=(0, 1, 2, 2), column=(0, 1), count=2, layout=torch.sparse_csr):
    parts = (torch.tensor(crow), torch.tensor(column), torch.ones(count))
    return torch.sparse_compressed_tensor(*parts, (3, 2), layout=layout, check_invariants=False)


WRONG_TENSORS = [
    (tensor(column=(0, 10**9)), "an index is 1000000000"),
    (tensor(crow=(0, 10**7, 0, 2)), "indptr falls"),
    (tensor(crow=(0, 1, 2)), "indptr has the shape"),
    (tensor(count=1), "for 2 indices and 1 values"),
    (tensor(crow=(0, 1, 2), column=(0, 3), layout=torch.sparse_csc), "an index is 3"),
    (
        torch.sparse_coo_tensor([[0, 7], [0, 1]], torch.ones(2), (3, 2), check_invariants=False),
        "an index of axis 0 is 7",
    ),
]


@pytest.mark.parametrize(("feat", "words"), WRONG_TENSORS, ids=[w for _, w in WRONG_TENSORS])
def test_a_wrong_tensor_is_refused_wherever_features_enter(feat, words):
    labels, nodes = torch.tensor([0, 1, 0]), torch.tensor([0, 1])
    predictor = Predictor(HyperSAGE(2, 4, 2))
    predictor.attach(GRAPH, torch.eye(3, 2))
    for take in (
        lambda: check_sparse_tensor(feat),
        lambda: check_feat(feat),
        lambda: HyperSAGEConv(2, 2)(GRAPH, feat),
        lambda: HyperSAGE(2, 4, 2).inference(GRAPH, feat),
        lambda: HGNN(2, 4, 2)(GRAPH, feat),
        lambda: FullGraph(GRAPH, feat, labels, nodes),
        lambda: predictor.attach(GRAPH, feat),
        lambda: predictor.predict(GRAPH, feat),
        lambda: predictor.predict_new(feat, [[], [], []]),
        lambda: LabelledHypergraph(GRAPH, feat=feat),
    ):
        with pytest.raises(ValueError, match=words):
            take()


@pytest.mark.parametrize("layout", ["csr", "csc", "bsr", "bsc", "coo"])
def test_good_tensors_of_every_layout_pass(layout):
    dense, block = torch.eye(4, 2), {"blocksize": (2, 1)} if layout[0] == "b" else {}
    feat = dense.to_sparse(layout=getattr(torch, f"sparse_{layout}"), **block)
    check_sparse_tensor(feat)


def test_an_entry_twice_is_refused_and_the_order_is_free():
    check_distinct(tensor(crow=(0, 2, 2, 2), column=(1, 0)))
    twice = tensor(crow=(0, 2, 2, 2), column=(1, 1))
    with pytest.raises(ValueError, match="same row and column twice"):
        check_feat(twice, finite=True)
    # scipy means their sum.
    matrix = csr([0, 2, 2, 2], [1, 1], shape=(3, 2))
    data = LabelledHypergraph(GRAPH, feat=matrix)
    assert data.feat.to_dense()[0].tolist() == [0, 2]
    assert matrix.nnz == 2


@pytest.mark.parametrize("part", ["indptr", "indices"])
@pytest.mark.parametrize("dtype", [np.float64, np.uint8, np.int16, ">i8"])
def test_indices_of_other_types_are_refused(part, dtype):
    matrix = csr([0, 1, 2], [0, 1])
    setattr(matrix, part, getattr(matrix, part).astype(dtype))
    with pytest.raises(ValueError, match="it must be int32 or int64"):
        from_scipy(matrix)


@pytest.mark.parametrize("form", ["csr", "coo"])
def test_values_of_other_dimensions_are_refused(form):
    matrix = csr([0, 1, 2], [0, 1]).asformat(form)
    matrix.data = matrix.data.reshape(-1, 1)
    with pytest.raises(ValueError, match="other dimensions"):
        check_matrix(matrix)


@pytest.mark.parametrize("layout", ["csr", "csc", "bsr"])
def test_entries_stored_twice_are_refused_where_features_enter(layout):
    starts, index = torch.tensor([0, 2, 3, 3]), torch.tensor([1, 1, 0])
    values = torch.ones(3, 1, 1) if layout == "bsr" else torch.ones(3)
    make = getattr(torch, f"sparse_{layout}_tensor")
    twice = make(starts, index, values, (3, 3), check_invariants=False)
    conv, model = HyperSAGEConv(3, 4, p=2), HyperSAGE(3, 4, 2, p=2)
    for use in (
        lambda: conv(GRAPH, twice),
        lambda: conv.aggregate(GRAPH, twice),
        lambda: model.inference(GRAPH, twice),
        lambda: model.first_layer(GRAPH, twice),
        lambda: Predictor(model).predict(GRAPH, twice),
    ):
        with pytest.raises(ValueError, match="same row and column twice"):
            use()


def test_entries_in_any_order_are_taken_and_seen():
    crow, column = torch.tensor([0, 0, 3, 5, 5]), torch.tensor([2, 0, 1, 1, 0])
    feat = torch.sparse_csr_tensor(crow, column, torch.rand(5), (4, 3), check_invariants=False)
    check_distinct(feat)
    twice = torch.sparse_csr_tensor(
        crow, torch.tensor([2, 0, 2, 1, 0]), torch.rand(5), (4, 3), check_invariants=False
    )
    with pytest.raises(ValueError, match="same row and column twice"):
        check_distinct(twice)
    check_distinct(torch.zeros(4, 3).to_sparse_csr())
    check_distinct(torch.eye(3).to_sparse_csr())


def test_a_kept_first_layer_is_checked_too():
    model = HyperSAGE(3, 4, 2)
    kept = model.first_layer(GRAPH, torch.eye(3))
    wrong = torch.sparse_csr_tensor(
        torch.tensor([0, 1, 2, 3]),
        torch.tensor([0, 9, 1]),
        torch.ones(3),
        (3, 3),
        check_invariants=False,
    )
    with pytest.raises(ValueError, match="the kept first layer: an index is 9"):
        FirstLayer(wrong, kept.made_by)
