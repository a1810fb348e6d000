"""Classes between names and numbers, and features for hypergraphs without any."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import (
    Attributes,
    Named,
    degree_features,
    encode_labels,
    one_hot_features,
    to_hif_dict,
)


def with_values(*values):
    graph = hypergraph([list(range(len(values)))])
    return Named(graph, attributes=Attributes(nodes={i: {"y": v} for i, v in enumerate(values)}))


def test_null_is_no_class():
    named = encode_labels(with_values("a", None, "b"), "y")
    assert named.class_names == ("a", "b")
    assert named.graph.nodes["node"].data["label"].tolist() == [0, -1, 1]
    assert named.attributes.nodes == {}


def test_nothing_but_nulls_is_refused():
    with pytest.raises(ValueError, match="no node has the attribute 'y'"):
        encode_labels(with_values(None, None), "y")


def test_whole_floats_are_whole_numbers():
    named = encode_labels(with_values(10.0, 2, 2.0, 0.5), "y")
    assert named.class_names == ("0.5", "2", "10")
    assert named.graph.nodes["node"].data["label"].tolist() == [2, 1, 1, 0]


def test_an_attribute_called_label_is_not_overwritten():
    named = encode_labels(with_values("a", "b"), "y")
    both = replace(named, attributes=Attributes(nodes={0: {"label": "its own"}}))
    nodes = to_hif_dict(both)["nodes"]
    assert [record["attrs"]["label"] for record in nodes] == ["its own", "b"]


@pytest.mark.parametrize("value", [["a", "b"], {"a": 1}])
def test_a_list_is_no_class(value):
    with pytest.raises(ValueError, match=r"attribute 'y' of node 1 is .*a node has one class"):
        encode_labels(with_values("a", value), "y")


def test_classes_that_are_integers_beyond_every_float_are_sorted():
    attributes = Attributes(nodes={0: {"label": 10**400}, 1: {"label": 2.5}, 2: {"label": 7}})
    named = encode_labels(Named(hypergraph([[0, 1, 2]]), attributes=attributes))
    assert named.class_names == ("2.5", "7", str(10**400))


@pytest.mark.parametrize("width", [2, 3, 5, 16])
def test_degree_features_are_binary_digits_of_the_degree(width):
    # Node i is in i hyperedges.
    graph = hypergraph([range(i, 34) for i in range(1, 34)], num_nodes=34)
    features = degree_features(graph, width)
    assert features.shape == (34, width)
    assert features.dtype == torch.float32
    assert features.sum(1).tolist() == [1] * 34
    expected = [min(degree.bit_length(), width - 1) for degree in range(34)]
    assert features.argmax(1).tolist() == expected


@pytest.mark.parametrize("width", [1, 0, -3, True, 2.0, None])
def test_bad_widths_are_refused(width):
    with pytest.raises(ValueError, match=f"width is {width}"):
        degree_features(hypergraph([[0]]), width)


def test_one_hot_features_are_the_identity_and_stay_sparse():
    features = one_hot_features(hypergraph([[0, 1]], num_nodes=100_000))
    assert features.shape == (100_000, 100_000)
    assert features.dtype == np.float32
    assert features.nnz == 100_000
    assert (features.diagonal() == 1).all()


def labelled():
    attributes = {0: {"class": "bee", "age": 1}, 2: {"class": "ant"}, 3: {"class": "bee"}}
    return Named(hypergraph([[0, 1, 2, 3]]), attributes=Attributes(nodes=attributes))


def test_labels_are_numbered_in_sorted_order():
    given = labelled()
    named = encode_labels(given, "class")
    assert named.class_names == ("ant", "bee")
    assert named.graph.nodes["node"].data["label"].tolist() == [1, -1, 0, 1]
    assert named.attributes.nodes == {0: {"age": 1}}
    assert "label" not in given.graph.nodes["node"].data
    assert given.attributes.nodes[2] == {"class": "ant"}


def test_numbers_come_in_their_own_order():
    values = [10, 2, "x", 2, -1, "a"]
    nodes = {i: {"class": value} for i, value in enumerate(values)}
    named = Named(hypergraph([range(6)]), attributes=Attributes(nodes=nodes))
    named = encode_labels(named, "class")
    assert named.class_names == ("-1", "2", "10", "a", "x")
    assert named.graph.nodes["node"].data["label"].tolist() == [2, 1, 4, 1, 0, 3]


def test_labels_are_numbered_as_told():
    named = encode_labels(labelled(), "class", ("cat", "bee", "ant"))
    assert named.graph.nodes["node"].data["label"].tolist() == [1, -1, 2, 1]


@pytest.mark.parametrize(
    ("key", "names", "match"),
    [
        ("label", None, r"no node has the attribute 'label'; the nodes have \['age', 'class'\]"),
        ("class", ("bee",), "node 2 is of class 'ant'"),
        ("class", ("bee", "ant", "bee"), "'bee' occurs more than once"),
    ],
)
def test_bad_labels_are_refused(key, names, match):
    with pytest.raises(ValueError, match=match):
        encode_labels(labelled(), key, names)


def test_named_checks_its_parts():
    graph = hypergraph([[0, 1]])
    with pytest.raises(ValueError, match="3 node names for 2 nodes"):
        Named(graph, ("a", "b", "c"))
    with pytest.raises(ValueError, match="hyperedge names"):
        Named(graph, hyperedge_names=range(2))
    with pytest.raises(ValueError, match="'a' occurs more than once"):
        Named(graph, ("a", "a"))
    with pytest.raises(ValueError, match="network_type is 'mixed'"):
        Attributes(network_type="mixed")
    with pytest.raises(TypeError, match="got list"):
        Named([[0, 1]])
    graph.nodes["node"].data["label"] = torch.tensor([0, 2])
    with pytest.raises(ValueError, match="labels reach 2, but there are 2 class names"):
        Named(graph, class_names=("x", "y"))
    assert list(Named(graph).node_names) == [0, 1]
