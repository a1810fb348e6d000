"""Classes of the nodes: stored ones, attributes, and the numbers that a model knows."""

import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import Attributes
from hypersage_dgl.data import LabelledHypergraph, with_labels

GRAPH = hypergraph([[0, 1], [1, 2]], num_nodes=4)
KINDS = Attributes(nodes={0: {"label": "b", "kind": 10}, 1: {"label": "a"}, 2: {"kind": 2}})


def make(**options):
    return LabelledHypergraph(GRAPH, name="x", **options)


def test_the_attribute_label_by_default_and_another_by_name():
    data = with_labels(make(attributes=KINDS))
    assert (data.labels.tolist(), data.class_names) == ([1, 0, -1, -1], ("a", "b"))
    assert data.attributes.nodes == {0: {"kind": 10}, 2: {"kind": 2}}
    data = with_labels(make(attributes=KINDS), "kind")
    assert (data.labels.tolist(), data.class_names) == ([1, -1, 0, -1], ("2", "10"))


def test_stored_labels_go_before_the_attribute_but_not_before_a_key():
    stored = make(labels=torch.tensor([0, 0, 1, -1]), attributes=KINDS)
    assert with_labels(stored).labels.tolist() == [0, 0, 1, -1]
    assert with_labels(stored).class_names == ("0", "1")
    assert with_labels(stored, "label").labels.tolist() == [1, 0, -1, -1]
    with pytest.raises(ValueError, match=r"x: no node has the attribute 'sort'.*label=KEY"):
        with_labels(stored, "sort")


def test_a_model_gives_the_numbers():
    stored = make(labels=torch.tensor([0, 1, -1, 0]), class_names=("a", "b"))
    data = with_labels(stored, known=("c", "b", "a"))
    assert (data.labels.tolist(), data.class_names) == ([2, 1, -1, 2], ("c", "b", "a"))
    with pytest.raises(ValueError, match="x has the classes b, which the model does not know"):
        with_labels(stored, known=("a", "c"))


def test_several_classes_a_node_stay_as_they_are():
    rows = torch.eye(4)
    assert torch.equal(with_labels(make(labels=rows)).labels, rows)
