"""Features from files, from what is stored, and from attributes."""

import numpy as np
import pytest
import torch
from scipy import sparse

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import Attributes
from hypersage_dgl.data import LabelledHypergraph, read_features, with_features

ATTRIBUTES = Attributes(nodes={0: {"b": 2.0, "a": 1, "label": 7}, 2: {"a": 3, "word": "x"}})


def make(**options):
    return LabelledHypergraph(hypergraph([[0, 1, 2]]), name="x", **options)


def test_numeric_attributes_are_the_features_where_there_are_no_others():
    data = with_features(make(attributes=ATTRIBUTES))
    assert data.feature_names == ("a", "b")
    assert data.feat.to_dense().tolist() == [[1, 2], [0, 0], [3, 0]]
    assert with_features(make(attributes=ATTRIBUTES), label="a").feature_names == ("b", "label")
    stored = make(attributes=ATTRIBUTES, feat=torch.eye(3))
    assert with_features(stored) is stored


def test_attributes_by_name():
    data = with_features(make(attributes=ATTRIBUTES), names=("b", "a"))
    assert data.feat.to_dense().tolist() == [[2, 1], [0, 0], [0, 3]]
    with pytest.warns(UserWarning, match="1 of the 2 features are at no node and count as 0: c"):
        assert with_features(make(attributes=ATTRIBUTES), names=("a", "c")).num_feats == 2
    with pytest.raises(ValueError, match="attribute 'word' of node 2 is 'x'; a feature must be a"):
        with_features(make(attributes=ATTRIBUTES), names=("word",))
    with pytest.raises(ValueError, match=r"no node has one of the attributes.*: c, d; add them"):
        with_features(make(attributes=ATTRIBUTES), names=("c", "d"))


def test_none_at_all_is_said():
    with pytest.raises(ValueError, match=r"x has no features stored in it.*features=FILE\.npz"):
        with_features(make())
    with pytest.raises(ValueError, match="the model does not name the attributes"):
        with_features(make(attributes=ATTRIBUTES), names=())


def test_files_go_before_all_others(tmp_path):
    words = np.arange(6.0).reshape(3, 2)
    np.save(tmp_path / "a.npy", words)
    np.savez(tmp_path / "a.npz", words)
    sparse.save_npz(tmp_path / "s.npz", sparse.csc_matrix(words))
    for name in ("a.npy", "a.npz", "s.npz"):
        data = with_features(make(feat=torch.eye(3), feature_names="abc"), tmp_path / name)
        assert data.feat.dtype == torch.float32
        assert data.feat.to_dense().tolist() == words.tolist()
        assert data.feature_names == ()
    np.save(tmp_path / "short.npy", words[:2])
    with pytest.raises(ValueError, match=r"shape \(2, 2\), but x has 3 nodes"):
        with_features(make(), tmp_path / "short.npy")


def test_other_arrays_are_no_features(tmp_path):
    for name, array in (("flat", np.zeros(3)), ("text", np.full((3, 2), "x"))):
        np.save(tmp_path / f"{name}.npy", array)
        with pytest.raises(ValueError, match=r"\.npy holds .*; features are numbers with a row"):
            read_features(tmp_path / f"{name}.npy")


def test_vectors_are_features_entry_by_entry():
    vectors = Attributes(nodes={0: {"code": [1, 2]}, 2: {"code": [0, 4.5], "ragged": [1]}})
    data = with_features(make(attributes=vectors))
    assert data.feature_names == ("code[0]", "code[1]", "ragged[0]")
    assert data.feat.to_dense().tolist() == [[1, 2, 0], [0, 0, 0], [0, 4.5, 1]]
    ragged = Attributes(nodes={0: {"code": [1, 2], "a": 1}, 2: {"code": [0]}})
    assert with_features(make(attributes=ragged)).feature_names == ("a",)


@pytest.mark.parametrize("form", ["csr", "csc", "dia"])
@pytest.mark.parametrize("kind", [">i8", ">f4", "<f2", ">f2", "u1"])
def test_matrices_of_any_number_type_and_byte_order_are_features(tmp_path, form, kind):
    dense = np.array([[1, 0, 2], [0, 0, 3]])
    matrix = sparse.csr_matrix(dense).asformat(form)
    # Afterwards: scipy itself refuses some of these types, also where it reads COO and BSR.
    matrix.data = matrix.data.astype(kind)
    sparse.save_npz(tmp_path / "a.npz", matrix)
    assert read_features(tmp_path / "a.npz").to_dense().tolist() == dense.tolist()
    np.save(tmp_path / "a.npy", dense.astype(kind))
    assert read_features(tmp_path / "a.npy").tolist() == dense.tolist()
