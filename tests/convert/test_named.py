"""Names, classes and attributes that fit their hypergraph, and who takes them."""

import numpy as np
import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.cli.convert import losses
from hypersage_dgl.convert import (
    Attributes,
    Named,
    clique_expansion,
    degree_features,
    one_hot_features,
    star_expansion,
    to_coo,
    to_scipy,
)
from hypersage_dgl.data import LabelledHypergraph

GRAPH = hypergraph([[0, 1, 2], [2, 3]], num_nodes=5)
NAMED = Named(GRAPH, tuple("abcde"), ("x", "y"))


@pytest.mark.parametrize("write", [to_coo, degree_features])
def test_writers_of_tensors_take_a_named(write):
    assert torch.equal(write(NAMED), write(GRAPH))


@pytest.mark.parametrize("write", [to_scipy, one_hot_features])
def test_writers_of_matrices_take_a_named(write):
    assert np.array_equal(write(NAMED).toarray(), write(GRAPH).toarray())


@pytest.mark.parametrize("expand", [clique_expansion, star_expansion])
def test_expansions_take_a_named(expand):
    got, expected = expand(NAMED).edges(), expand(GRAPH).edges()
    assert [ids.tolist() for ids in got] == [ids.tolist() for ids in expected]


@pytest.mark.parametrize("names", [torch.arange(5), np.arange(5), list(torch.arange(5))])
def test_names_in_a_tensor_are_numbers(names):
    assert Named(GRAPH, names).node_names == (0, 1, 2, 3, 4)


def test_equal_names_in_a_tensor_are_equal():
    with pytest.raises(ValueError, match="0 occurs more than once"):
        Named(GRAPH, torch.zeros(5, dtype=torch.int64))


def test_class_names_are_strings():
    with pytest.raises(TypeError, match="class name 1 is a int; class names are strings"):
        Named(GRAPH, class_names=("a", 1))


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        (Attributes(nodes={5: {"a": 1}}), "id 5 among the nodes.*below 5"),
        (Attributes(nodes={"a": {"a": 1}}), "id 'a' among the nodes"),
        (Attributes(hyperedges={2: {"a": 1}}), "id 2 among the hyperedges.*below 2"),
        (Attributes(incidences={-1: {"a": 1}}), "id -1 among the incidences.*below 5"),
    ],
)
def test_attributes_belong_to_what_is_there(attributes, message):
    with pytest.raises(ValueError, match=message):
        Named(GRAPH, attributes=attributes)


@pytest.mark.parametrize(
    ("names", "lost"), [((), []), (range(5), []), (range(1, 6), ["the names"])]
)
def test_names_that_are_not_the_ids_are_a_loss(names, lost):
    assert losses(LabelledHypergraph(GRAPH, names), "npz") == lost
