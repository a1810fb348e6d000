"""Weights that float32 cannot hold are refused where they are, in every form."""

import networkx as nx
import pytest

from hypersage_dgl.convert import from_hif_dict, from_networkx_bipartite, read_csv, to_hif_dict

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
