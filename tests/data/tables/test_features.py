"""Features of the nodes: from a file, stored, or of attributes, and whose row is whose."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy import sparse

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import Attributes
from hypersage_dgl.data import LabelledHypergraph, Split, load, read_features, with_features
from hypersage_dgl.data.tables.features import numbered_for

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
    with pytest.warns(
        UserWarning,
        match="1 of the 2 features are not in the attributes of the nodes and count as blank: c",
    ):
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


def test_shuffled_ids_give_the_same_hypergraph(tmp_path):
    pairs = [(v, e) for e in range(4) for v in range(6) if (v + e) % 3]
    np.save(tmp_path / "x.npy", np.arange(12.0).reshape(6, 2))
    found = []
    for name, order in (("sorted", pairs), ("shuffled", pairs[::-1])):
        lines = ["node,hyperedge", *(f"{v},{e}" for v, e in order)]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines))
        found.append(load(tmp_path / f"{name}.csv", features=tmp_path / "x.npy"))
    one, other = found
    assert one.node_names == other.node_names == tuple("012345")
    assert torch.equal(one.feat, other.feat)
    members = []
    for data in found:
        ids = zip(*(ids.tolist() for ids in data.graph.edges(etype="in")))
        members.append({(data.node_names[v], data.hyperedge_names[e]) for v, e in ids})
    assert members[0] == members[1] == {(str(v), str(e)) for v, e in pairs}
    degrees = [d.graph.nodes["node"].data["degree"].tolist() for d in found]
    assert degrees[0] == degrees[1]


def test_rows_that_no_name_has_are_isolated_nodes():
    graph = hypergraph([[0, 1], [1, 2]], incidence_weight=[1, 2, 3, 4], hyperedge_weight=[5, 6])
    data = LabelledHypergraph(
        graph,
        ("4", "0", "2"),
        ("x", "y"),
        ("a", "b"),
        Attributes(nodes={0: {"is": "four"}}, incidences={3: {"role": "chair"}}),
        labels=torch.tensor([1, 0, 1]),
        splits=[Split([0], [1], [2])],
    )
    made = numbered_for(data, 6, "x.npy")
    assert made.node_names == tuple("012345")
    assert made.labels.tolist() == [0, -1, 1, -1, 1, -1]
    assert [ids.tolist() for ids in made.splits[0]] == [[4], [0], [2]]
    assert made.graph.edges(etype="in")[0].tolist() == [4, 0, 0, 2]
    assert made.graph.edges["in"].data["weight"].tolist() == [1, 2, 3, 4]
    assert made.graph.nodes["hyperedge"].data["weight"].tolist() == [5, 6]
    assert made.attributes.nodes == {4: {"is": "four"}}
    assert made.attributes.incidences == {3: {"role": "chair"}}
    assert made.graph.nodes["node"].data["degree"].tolist() == [2, 0, 1, 0, 1, 0]


def test_names_are_never_lined_up_by_order(tmp_path):
    np.save(tmp_path / "x.npy", np.eye(2))
    data = LabelledHypergraph(hypergraph([[0, 1]]), ("ann", "bob"))
    with pytest.raises(ValueError, match="nothing says which row is whose; give a table"):
        with_features(data, tmp_path / "x.npy")
    data = LabelledHypergraph(hypergraph([[0, 1]]), ("1", "2"))
    with pytest.raises(ValueError, match=r"has a node 2, and x\.npy has the rows 0 to 1"):
        with_features(data, tmp_path / "x.npy")


def test_a_table_is_lined_up_by_name(tmp_path):
    (tmp_path / "x.csv").write_text("name;b;a\nbob;1;2\nann;3;4\n")
    data = LabelledHypergraph(hypergraph([[0, 1]]), ("ann", "bob"))
    made = with_features(data, tmp_path / "x.csv")
    assert (made.feature_names, made.feat.to_dense().tolist()) == (("a", "b"), [[4, 3], [2, 1]])
    named = with_features(data, tmp_path / "x.csv", ("b",))
    assert named.feat.to_dense().tolist() == [[3], [1]]
    (tmp_path / "x.csv").write_text("name;b\nbob;1\n")
    with pytest.raises(ValueError, match=r"1 nodes of .* have no row in x\.csv: ann"):
        with_features(data, tmp_path / "x.csv")
    (tmp_path / "x.csv").write_text("name;b\nbob;1\nann;1\nzoe;1\n")
    with pytest.warns(UserWarning, match=r"1 rows of x\.csv are of no node"):
        with_features(data, tmp_path / "x.csv")
