"""What a labelled hypergraph must be, what it offers, and how it is chosen from."""

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
import torch
from scipy import sparse

from hypersage_dgl import hypergraph, hypergraph_from_incidence, summary, validate
from hypersage_dgl.convert import (
    Attributes,
    Named,
    read_folder,
    read_hif,
    to_hyperedges,
    write_folder,
    write_hif,
)
from hypersage_dgl.data import LabelledHypergraph, Split

SPLIT = Split(torch.tensor([0, 1]), torch.arange(0), torch.tensor([2]))


def make(**changes):
    given = {
        "graph": hypergraph([[0, 1], [1, 2]]),
        "name": "x",
        "feat": sparse.csr_matrix(np.eye(3, dtype=np.float32)),
        "labels": np.array([0, 1, 1]),
        "class_names": ("red", "blue"),
        "splits": (SPLIT,),
    }
    return LabelledHypergraph(**{**given, **changes})


def with_column(column):
    """Rows of one entry each, all in a column that scipy does not look at."""
    parts = (np.ones(3, np.float32), np.full(3, column), np.arange(4))
    return sparse.csr_matrix(parts, shape=(3, 2))


@pytest.mark.parametrize("column", [2, 100, -1])
@pytest.mark.parametrize("kind", ["scipy", "torch"])
def test_a_column_that_is_not_there_is_refused_before_scipy_follows_it(column, kind):
    feat = with_column(column)
    if kind == "torch":
        parts = (feat.indptr, feat.indices, feat.data)
        feat = torch.sparse_csr_tensor(
            *(torch.from_numpy(part).clone() for part in parts), (3, 2), check_invariants=False
        )
    with pytest.raises(ValueError, match="ind"):
        make(feat=feat)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64])
def test_integers_of_any_type_become_int64(dtype):
    data = make(
        graph=hypergraph_from_incidence(np.array([0, 1, 1, 2], dtype), np.array([0, 0, 1, 1])),
        labels=np.array([0, 1, 1], dtype),
        splits=(Split(*(ids.numpy().astype(dtype) for ids in SPLIT)),),
    )
    for values in (data.labels, *data.splits[0]):
        assert values.dtype == torch.int64
    assert data.to_dgl().nodes["node"].data["train_mask"].tolist() == [True, True, False]
    assert data.labels.tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"labels": np.array([0.0, 1, 1])}, "labels are float64; they must be integers"),
        ({"labels": np.zeros((3, 1, 1))}, r"labels are float64 of shape \(3, 1, 1\); they must"),
        ({"labels": np.array([[0], [1], [1]])}, "have 1 columns, but there are 2 class names"),
        ({"labels": np.array([[0, 2]] * 3)}, "other values than 0 and 1"),
        ({"labels": np.zeros((4, 2))}, r"shape \(4, 2\), but x has 3 nodes"),
        ({"labels": np.array([False, True, True])}, "labels are bool"),
        ({"labels": np.array([0, 1, 2**63], np.uint64)}, "labels have 9223372036854775808"),
        ({"labels": np.array([0, 1])}, "there are 2 labels for the 3 nodes of x"),
        ({"labels": np.array([0, 1, 2])}, "labels go from 0 to 2; with the 2 classes"),
        ({"labels": np.array([0, 1, -2])}, "labels go from -2 to 1; with the 2 classes"),
        ({"labels": np.array([0, 1, -2]), "class_names": ()}, "labels go from -2 to 1; they must"),
        ({"splits": (SPLIT._replace(test=np.array([2.0])),)}, "test nodes of split 1 are float64"),
        ({"splits": (SPLIT, SPLIT._replace(test=[1]))}, "split 2 of x lists node 1 2 times"),
        ({"splits": (SPLIT._replace(test=[3]),)}, "split 1 of x has node id 3; ids go from 0 to 2"),
        ({"class_names": ("red", "red")}, "class names must be distinct, but 'red'"),
        ({"class_names": (0, 1)}, "class name 0 is a int; class names are strings"),
        ({"feat": [[1.0]] * 3}, "features are a list; they must be a tensor"),
        ({"feat": np.eye(3) * 1j}, "the features of x are complex128; they must be real numbers"),
        ({"feat": np.eye(3) * 1e300}, "features of x have numbers beyond float32"),
        ({"feat": torch.ones(3)}, r"shape \(3,\), but x has 3 nodes; give one row for each"),
        ({"feat": torch.ones(2, 5)}, r"shape \(2, 5\), but x has 3 nodes; give one row for each"),
        ({"feature_names": ("a", "b")}, "2 feature names for 3 features"),
        ({"node_names": ("a", "b")}, "2 node names for 3 nodes"),
    ],
)
def test_what_does_not_fit_is_refused(changes, message):
    with pytest.raises((TypeError, ValueError), match=message):
        make(**changes)


@pytest.mark.parametrize("dense", [np.eye(3, dtype=np.float32), torch.eye(3)])
def test_features_may_be_dense(dense):
    data = make(feat=dense)
    assert data.feat.layout == torch.strided
    assert torch.equal(data.feat, torch.eye(3))
    assert (data.num_feats, data.nonzeros) == (3, 3)


def test_it_is_frozen_and_the_graph_is_plain():
    data = make()
    with pytest.raises(FrozenInstanceError):
        data.name = "y"
    validate(data.graph)
    assert set(data.graph.nodes["node"].data) == {"degree"}
    full = data.to_dgl()
    assert {"feat", "label", "train_mask", "val_mask", "test_mask"} <= set(full.nodes["node"].data)
    assert set(data.graph.nodes["node"].data) == {"degree"}


def test_how_it_shows():
    data = make()
    assert repr(data) == (
        'LabelledHypergraph("x", nodes=3, hyperedges=2, features=3, classes=2, splits=1)'
    )
    assert str(data) == ("x: 3 nodes, 2 hyperedges, 3 features, 2 classes; train 2, val 0, test 1")
    bare = LabelledHypergraph(hypergraph([[0, 1]]))
    assert str(bare) == "hypergraph: 2 nodes, 1 hyperedges, 0 features, 0 classes"


def test_what_it_lacks_is_said():
    bare = LabelledHypergraph(hypergraph([[0, 1]]), name="bare")
    assert (bare.feat, bare.labels) == (None, None)
    assert (bare.num_classes, bare.part("all").tolist()) == (0, [])
    with pytest.raises(ValueError, match="bare has no features"):
        bare.require_feat()
    with pytest.raises(ValueError, match="bare has no classes"):
        bare.require_labels()
    with pytest.raises(ValueError, match="bare has no splits of its own"):
        bare.part("train")


def test_classes_without_names_are_counted():
    assert make(class_names=()).num_classes == 2
    assert make(class_names=(), labels=torch.eye(3)).num_classes == 3


def test_parts_and_splits():
    data = make(labels=np.array([0, 1, -1]), splits=(Split([0], [], [1]), Split([1], [], [0])))
    assert data.part("train").tolist() == [0]
    assert data.part("all").tolist() == [0, 1]
    assert data.split(2).train.tolist() == [1]
    assert data.with_split(2).part("train").tolist() == [1]
    assert sorted(torch.cat(data.split("random")).tolist()) == [0, 1]
    with pytest.raises(ValueError, match="part is 'first'; it must be one of"):
        data.part("first")
    with pytest.raises(ValueError, match="node 'c' is in the split of x but has no class"):
        replace(data, node_names=("a", "b", "c")).split(Split([0], [2], []))


@pytest.mark.parametrize("number", [1, np.int64(1), np.uint8(1)])
def test_a_split_may_be_a_number_of_numpy(number):
    assert make().split(number).train.tolist() == [0, 1]


@pytest.mark.parametrize("wanted", [np.array([1, 2]), np.arange(3), 1.0, True, [1], "all"])
def test_other_splits_are_refused_with_the_choice(wanted):
    with pytest.raises(ValueError, match=r"x has the splits 1 to 1\. Other values are 'random'"):
        make().split(wanted)


def test_no_splits_is_said():
    with pytest.raises(ValueError, match="split is 1; x has no splits of its own"):
        make(splits=()).split()


def test_statistics_of_one_without_anything():
    graph = hypergraph([[0, 1], [1]], num_nodes=4)
    measured = LabelledHypergraph(graph).statistics()
    assert measured["isolated_nodes"] == summary(graph).isolated_nodes == 2
    assert (measured["features"], measured["classes"], measured["train"]) == (0, 0, 0)


def test_the_checksum_tells_what_differs():
    weighted = hypergraph([[0, 1], [1, 2]], hyperedge_weight=[1.0, 2.0])
    all_of_them = [
        make(),
        make(graph=hypergraph([[0, 1], [0, 2]])),
        make(graph=weighted),
        make(feat=torch.eye(3)),
        make(feat=2 * torch.eye(3)),
        make(labels=np.array([1, 1, 1])),
        make(splits=(Split([0], [2], [1]),)),
        make(splits=()),
    ]
    assert len({data.checksum() for data in all_of_them}) == len(all_of_them)
    assert make().checksum() == make(splits=(SPLIT, SPLIT._replace(test=[]))).checksum()


def test_it_comes_from_a_graph_with_data_and_goes_back():
    graph = hypergraph([[0, 1], [1, 2]])
    data = {"feat": torch.eye(3).double(), "label": torch.tensor([0, 1, -1])}
    graph.nodes["node"].data.update({**data, "train_mask": torch.tensor([True, False, False])})
    graph.nodes["node"].data["weight"] = torch.ones(3)
    made = LabelledHypergraph.from_named(Named(graph, tuple("abc")), "x")
    assert set(made.graph.nodes["node"].data) == {"degree", "weight"}
    assert torch.equal(made.feat, torch.eye(3))
    assert made.labels.tolist() == [0, 1, -1]
    assert [ids.tolist() for ids in made.splits[0]] == [[0], [], []]
    assert made.node_names == tuple("abc")
    assert "feat" in graph.nodes["node"].data
    back = made.with_tensors().graph.nodes["node"].data
    assert {*graph.nodes["node"].data, "val_mask", "test_mask"} == set(back)
    assert LabelledHypergraph.from_named(made, "y").name == "y"


def test_converters_take_it_with_all_it_has(tmp_path):
    data = make(node_names=("ann", "bob", "cy"), attributes=Attributes(nodes={0: {"age": 4}}))
    assert to_hyperedges(data) == [["ann", "bob"], ["bob", "cy"]]
    write_hif(data, tmp_path / "a.json")
    attributes = read_hif(tmp_path / "a.json").attributes.nodes
    assert attributes == {0: {"age": 4, "label": "red"}, 1: {"label": "blue"}, 2: {"label": "blue"}}
    write_folder(data, tmp_path / "a")
    back = LabelledHypergraph.from_named(read_folder(tmp_path / "a"), "x")
    assert torch.equal(back.feat, data.feat.to_dense())
    assert (back.labels.tolist(), back.class_names) == ([0, 1, 1], ("red", "blue"))
    assert [ids.tolist() for ids in back.splits[0]] == [[0, 1], [], [2]]


@pytest.mark.parametrize("dtype", [np.float64, np.float16, np.int64, bool])
def test_numbers_of_any_width_become_float32(dtype):
    made = [
        LabelledHypergraph(hypergraph([[0, 1, 2]]), feat=feat).feat
        for feat in (np.eye(3, dtype=dtype), torch.eye(3).to(torch.float64))
    ]
    assert all(torch.equal(feat, torch.eye(3)) for feat in made)
