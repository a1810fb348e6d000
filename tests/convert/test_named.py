"""Names, classes, attributes and weights that fit their hypergraph, and who takes them."""

import networkx as nx
import numpy as np
import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import (
    Attributes,
    Named,
    clique_expansion,
    degree_features,
    from_hif_dict,
    from_networkx_bipartite,
    one_hot_features,
    read_csv,
    star_expansion,
    to_coo,
    to_hif_dict,
    to_scipy,
)

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


TOO_LARGE = [1e300, pytest.param(10**400, id="10**400"), 3.5e38]


def document(section, weight):
    made = {"incidences": [{"node": 0, "edge": 0}], "nodes": [{"node": 0}], "edges": [{"edge": 0}]}
    made[section][0]["weight"] = weight
    return made


@pytest.mark.parametrize("weight", TOO_LARGE)
@pytest.mark.parametrize("section", ["incidences", "nodes", "edges"])
def test_too_large_for_float32_in_hif(section, weight):
    with pytest.raises(ValueError, match=rf"\$\.{section}\[0\]\.weight is .*float32"):
        from_hif_dict(document(section, weight))


@pytest.mark.parametrize("section", ["incidences", "edges"])
def test_too_small_for_float32_in_hif(section):
    with pytest.raises(ValueError, match=rf"\$\.{section}\[0\]\.weight is 1e-50"):
        from_hif_dict(document(section, 1e-50))


@pytest.mark.parametrize("weight", ["1e300", "1e-50", "9" * 400])
def test_beyond_float32_in_csv(tmp_path, weight):
    path = tmp_path / "a.csv"
    path.write_text(f"node,hyperedge,weight\na,x,1\nb,x,{weight}\n")
    with pytest.raises(ValueError, match=r"a\.csv, line 3: column 'weight'.*float32"):
        read_csv(path)


@pytest.mark.parametrize("weight", [*TOO_LARGE, "w", None, 0])
def test_beyond_float32_in_networkx(weight):
    graph = nx.Graph([("a", "x", {"weight": weight})])
    nx.set_node_attributes(graph, {"a": 0, "x": 1}, "bipartite")
    with pytest.raises(ValueError, match=r"edge \('a', 'x'\) has weight"):
        from_networkx_bipartite(graph)


def test_a_word_called_weight_survives_beside_weights():
    given = {
        "incidences": [{"node": 0, "edge": 0}, {"node": 0, "edge": 1}],
        "edges": [{"edge": 0, "attrs": {"weight": "heavy"}}, {"edge": 1, "weight": 2}],
    }
    named = from_hif_dict(given)
    back = from_hif_dict(to_hif_dict(named))
    assert back.attributes.hyperedges == {0: {"weight": "heavy"}}
    assert back.graph.nodes["hyperedge"].data["weight"].tolist() == [1, 2]
