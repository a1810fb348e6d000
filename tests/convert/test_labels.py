"""Classes between names and numbers where a file has nulls, floats or two of them."""

from dataclasses import replace

import pytest

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import Attributes, Named, encode_labels, to_hif_dict


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
