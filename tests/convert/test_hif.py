"""HIF documents: round trips of our own and through XGI, the schema, and what is refused."""

import copy
import json
import re

import fastjsonschema
import pytest
import torch
import xgi
from hypothesis import given

from hypersage_dgl import hypergraph, induced
from hypersage_dgl.convert import (
    Attributes,
    Named,
    encode_labels,
    from_hif_dict,
    read_hif,
    to_hif_dict,
    to_scipy,
    write_csv,
    write_hif,
)
from hypersage_dgl.convert.hif import hif_schema
from hypersage_dgl.nn import HyperSAGEConv

from .cases import by_name, everything, named_graphs, structure
from .hif_documents import BAD, NOT_POSITIVE, SMALL

VALID = fastjsonschema.compile(dict(hif_schema()))


def test_says_all_that_a_document_says():
    named = from_hif_dict(SMALL)
    assert everything(named) == {
        "nodes": 3,
        "hyperedges": 2,
        "incidences": [(1, 0), (2, 0)],
        "hyperedge weight": [3.0, 1.0],
        "incidence weight": [1.0, 2.5],
        "node names": ["lonely", "a", 7],
        "hyperedge names": ["x", "empty"],
        "class names": [],
        "attributes": Attributes(
            network={"source": "made up"},
            nodes={1: {"age": 40, "tags": [1, None]}},
            hyperedges={1: {"year": 2020}},
            incidences={1: {"role": "chair"}},
        ),
    }


@given(named_graphs())
def test_round_trip_of_documents(named):
    document = to_hif_dict(named)
    VALID(document)
    assert everything(from_hif_dict(document)) == everything(named)


@given(named_graphs())
def test_round_trip_through_json_text(named):
    document = json.loads(json.dumps(to_hif_dict(named)))
    assert everything(from_hif_dict(document)) == everything(named)


@pytest.mark.parametrize("name", ["small.json", "small.json.gz", "new/folder/small.hif.json"])
def test_round_trip_of_files(tmp_path, name):
    named = from_hif_dict(SMALL)
    write_hif(named, tmp_path / name)
    content = (tmp_path / name).read_bytes()
    assert content.startswith(b"\x1f\x8b") == name.endswith(".gz")
    assert everything(read_hif(str(tmp_path / name))) == everything(named)
    assert [p.name for p in (tmp_path / name).parent.iterdir()] == [(tmp_path / name).name]


def test_equal_hypergraphs_give_equal_files(tmp_path):
    for name in ("one.json.gz", "two.json.gz"):
        write_hif(from_hif_dict(SMALL), tmp_path / name)
    assert (tmp_path / "one.json.gz").read_bytes() == (tmp_path / "two.json.gz").read_bytes()


@given(named_graphs(incidence_weight=False, incidence_attributes=False))
def test_round_trip_through_xgi_dicts(named):
    theirs = xgi.from_hif_dict(to_hif_dict(named))
    assert by_name(from_hif_dict(xgi.to_hif_dict(theirs))) == by_name(named)


@pytest.mark.parametrize("suffix", [".json", ".json.gz"])
def test_round_trip_through_xgi_files(tmp_path, suffix):
    named = from_hif_dict(SMALL)
    named.graph.edges["in"].data.pop("weight")
    write_hif(named, tmp_path / f"ours{suffix}")
    theirs = xgi.read_hif(tmp_path / f"ours{suffix}")
    assert theirs.edges.members("x") == {"a", 7}
    assert theirs.edges["x"]["weight"] == 3
    assert set(theirs.nodes.isolates()) == {"lonely"}
    xgi.write_hif(theirs, tmp_path / f"theirs{suffix}")
    back = by_name(read_hif(tmp_path / f"theirs{suffix}"))
    expected = by_name(named)
    # XGI has no attributes of incidences.
    expected["members"]["x"][7] = (None, {})
    assert back == expected


def test_isolated_nodes_and_empty_hyperedges_survive():
    cut = induced(hypergraph([[0, 1], [2, 3], [3]]), [0, 1])
    back = from_hif_dict(to_hif_dict(cut)).graph
    assert structure(back) == structure(cut)
    assert back.nodes["hyperedge"].data["size"].tolist() == [2, 0, 0]


def test_a_directed_hypergraph_keeps_its_directions():
    document = {
        "network-type": "directed",
        "incidences": [
            {"edge": 0, "node": "t", "direction": "tail"},
            {"edge": 0, "node": "both", "direction": "head"},
            {"edge": 0, "node": "both", "direction": "tail"},
            {"edge": 0, "node": "unsaid"},
        ],
    }
    named = from_hif_dict(document)
    assert structure(named.graph)["incidences"] == [(0, 0), (1, 0), (2, 0)]
    assert named.graph.edges["in"].data["direction"].tolist() == [1, 3, 0]
    written = to_hif_dict(named)
    assert written["network-type"] == "directed"

    def records(of):
        return sorted(json.dumps(r, sort_keys=True) for r in of["incidences"])

    assert records(written) == records(document)


def test_a_simplicial_complex_keeps_its_type_and_gets_no_faces():
    complex_ = {"network-type": "asc", "incidences": [{"edge": 0, "node": i} for i in range(3)]}
    named = from_hif_dict(complex_)
    assert named.graph.num_nodes("hyperedge") == 1
    assert to_hif_dict(named)["network-type"] == "asc"


def test_integral_floats_are_integers_as_in_json_schema():
    named = from_hif_dict({"incidences": [{"edge": 1.0, "node": 2}, {"edge": 1, "node": 2.0}]})
    assert (named.node_names, named.hyperedge_names) == ((2,), (1,))
    assert named.graph.num_edges("in") == 1


def test_records_that_occur_twice_are_merged():
    document = copy.deepcopy(SMALL)
    document["incidences"] *= 2
    document["nodes"] += [{"node": "a", "attrs": {"born": 1980}}]
    document["edges"] *= 2
    named = from_hif_dict(document)
    assert structure(named.graph) == structure(from_hif_dict(SMALL).graph)
    assert named.attributes.nodes[1] == {"age": 40, "tags": [1, None], "born": 1980}


def test_weights_may_be_attributes_as_xgi_writes_them():
    named = from_hif_dict(
        {
            "incidences": [{"edge": "x", "node": 0}],
            "nodes": [{"node": 0, "attrs": {"weight": "heavy"}}, {"node": 1, "weight": -2}],
            "edges": [{"edge": "x", "attrs": {"weight": 4}}, {"edge": "y", "attrs": {}}],
        }
    )
    assert named.graph.nodes["hyperedge"].data["weight"].tolist() == [4, 1]
    assert named.graph.nodes["node"].data["weight"].tolist() == [1, -2]
    assert named.attributes.nodes == {0: {"weight": "heavy"}}
    assert named.attributes.hyperedges == {}


def test_labels_are_written_as_class_names():
    graph = hypergraph([[0, 1, 2]])
    graph.nodes["node"].data["label"] = torch.tensor([1, 0, -1])
    document = to_hif_dict(Named(graph, class_names=("bee", "ant")))
    labels = [record.get("attrs", {}).get("label") for record in document["nodes"]]
    assert labels == ["ant", "bee", None]
    back = encode_labels(from_hif_dict(document), class_names=("bee", "ant"))
    assert back.graph.nodes["node"].data["label"].tolist() == [1, 0, -1]


@pytest.mark.parametrize(("document", "place"), BAD)
def test_bad_documents_are_refused_with_the_place(document, place):
    with pytest.raises(ValueError, match=re.escape(place)):
        from_hif_dict(document)


@pytest.mark.parametrize("document", NOT_POSITIVE, ids=range(len(NOT_POSITIVE)))
def test_weights_that_are_not_positive_are_kept_and_refused_by_the_layer(tmp_path, document):
    named = from_hif_dict(document)
    assert everything(from_hif_dict(to_hif_dict(named))) == everything(named)
    with pytest.raises(ValueError, match="weights must be positive and finite"):
        HyperSAGEConv(2, 2)(named.graph, torch.rand(3, 2))
    with pytest.raises(ValueError, match="holds positive weights alone"):
        to_scipy(named)
    named.graph.nodes["hyperedge"].data.pop("weight")
    if not bool((named.graph.edges["in"].data["weight"] > 0).all()):
        with pytest.raises(ValueError, match="holds positive weights alone"):
            write_csv(named, tmp_path / "no.csv")


@pytest.mark.parametrize("name", [("a", "pair"), True, 1.5, None])
def test_names_that_json_cannot_hold_are_refused(name):
    with pytest.raises(TypeError, match="strings or integers"):
        to_hif_dict(Named(hypergraph([[0, 1]]), (name, "other")))


def test_the_given_document_is_left_as_it_is():
    document = copy.deepcopy(SMALL)
    from_hif_dict(document)
    assert document == SMALL
