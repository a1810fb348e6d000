"""Ids, names and documents at the edge, in every reader and builder: kept, or one clear error."""

from __future__ import annotations

import json

import networkx as nx
import numpy as np
import pytest
import torch

from hypersage_dgl import hypergraph, hypergraph_from_incidence
from hypersage_dgl.cli import main
from hypersage_dgl.convert import (
    Attributes,
    Named,
    from_coo,
    from_graph,
    from_hif_dict,
    from_hyperedges,
    read_csv,
    read_folder,
    read_hif,
    write_csv,
    write_folder,
    write_hif,
)
from hypersage_dgl.data import LabelledHypergraph, Split, from_lists, from_tables, load
from hypersage_dgl.data.stored import pack
from hypersage_dgl.hypergraphs import add_hyperedges, add_incidences, add_nodes, induced
from hypersage_dgl.nn import HyperSAGE
from hypersage_dgl.training import About, save_checkpoint

HUGE = {"1e30": 10**30, "1e400": 10**400, "-1e400": -(10**400), "1e5000": 10**5000}
GRAPH = hypergraph([[0, 1, 2], [2, 3]], 5)


def digits(name: str) -> str:
    """Of a huge number, also where Python does not write it."""
    return ("-" if name[0] == "-" else "") + "1" + "0" * int(name.rpartition("e")[2])


IDS = {
    "hypergraph": lambda n: hypergraph([[0, n]]),
    "nodes": lambda n: hypergraph_from_incidence([0, n], [0, 0]),
    "hyperedges": lambda n: hypergraph_from_incidence([0, 1], [0, n]),
    "add_hyperedges": lambda n: add_hyperedges(GRAPH, [[0, n]]),
    "add_incidences": lambda n: add_incidences(GRAPH, [n], [0]),
    "induced": lambda n: induced(GRAPH, [n]),
}


@pytest.mark.parametrize("name", HUGE)
@pytest.mark.parametrize("build", IDS)
def test_ids_beyond_int64_in_builders(build, name):
    said = r"(node|hyperedge) id .{1,60} is out of range; ids go from 0 to 2\*\*63 - 1"
    with pytest.raises(ValueError, match=said):
        IDS[build](HUGE[name])


COUNTS = {
    "hypergraph": lambda n: hypergraph([[0, 1]], n),
    "nodes": lambda n: hypergraph_from_incidence([0, 1], [0, 0], n),
    "hyperedges": lambda n: hypergraph_from_incidence([0, 1], [0, 0], 2, n),
    "coo": lambda n: from_coo(torch.tensor([[0, 1], [0, 0]]), n),
    "add_nodes": lambda n: add_nodes(GRAPH, n),
}


@pytest.mark.parametrize("name", HUGE)
@pytest.mark.parametrize("build", COUNTS)
def test_counts_beyond_int64(build, name):
    said = r"(num|num_nodes|num_hyperedges) is .{1,60}; it must be an integer from 0 to 2\*\*63 - 1"
    with pytest.raises(ValueError, match=said):
        COUNTS[build](HUGE[name])


@pytest.mark.parametrize("build", COUNTS)
def test_counts_beyond_memory(build):
    with pytest.raises(ValueError, match="take more memory than there is"):
        COUNTS[build](10**18)


@pytest.mark.parametrize("name", ["1e400", "-1e400", "1e5000"])
def test_numbers_beyond_float64_in_tables_lists_and_graphs(name):
    n = HUGE[name]
    with pytest.raises(TypeError, match=r"hyperedge_weight is .{1,60}; it must be a list"):
        hypergraph([[0, 1]], hyperedge_weight=[n])
    with pytest.raises(ValueError, match="weights must be positive"):
        from_graph(nx.Graph([(0, 1, {"weight": n})]))
    with pytest.raises(ValueError, match=r"weights must be positive|float32"):
        from_tables({"node": [2], "hyperedge": [1], "weight": [n]})
    with pytest.raises(ValueError, match=r"float32|finite"):
        from_tables({"node": [2], "hyperedge": [1]}, {"node": [2], "age": [n]})
    with pytest.raises(ValueError, match=r"float32|finite"):
        from_lists([["a", "b"]], {"a": [n], "b": [1]})
    with pytest.raises(ValueError, match="in the range of float32"):
        from_tables({"node": [2], "hyperedge": [1]}, {"node": [2], "age": [1e39]})
    for wrong in ({"labels": [n] * 5}, {"splits": [Split([n], [1], [2])]}):
        with pytest.raises(TypeError, match="must be integers in one flat array"):
            LabelledHypergraph(GRAPH, **wrong)


@pytest.mark.parametrize("label", [10**6, 10**12, 10**18])
def test_labels_that_make_more_classes_than_a_model_can_have(label):
    with pytest.raises(ValueError, match="number the classes from 0 without gaps"):
        LabelledHypergraph(GRAPH, labels=[0, 1, 0, 1, label])
    few = LabelledHypergraph(GRAPH, labels=[0, 1, 0, 1, 99_999])
    assert few.num_classes == 100_000


@pytest.mark.parametrize("name", HUGE)
def test_names_that_are_huge_numbers_in_files(tmp_path, name):
    path, text = tmp_path / "a.csv", digits(name)
    path.write_text(f"node,hyperedge\n{text},0\n1,0\n")
    # As a name it is a word like others.
    assert text in read_csv(path).node_names
    with pytest.raises(ValueError, match=r"a\.csv, line 2: node .{1,60} (too large|is not an id)"):
        read_csv(path, ids=True)
    path.write_text(f"node,hyperedge,weight\n1,0,{text}\n")
    if name != "1e30":
        with pytest.raises(ValueError, match=r"a\.csv, line 2: column 'weight' is"):
            read_csv(path)
    path = tmp_path / "a.json"
    path.write_text(f'{{"incidences": [{{"node": {text}, "edge": 0}}]}}')
    if name == "1e5000":
        with pytest.raises(ValueError, match=r"a\.json: line 1: an integer of more than 4,300 dig"):
            read_hif(path)
        return
    found = read_hif(path)
    assert found.node_names == (HUGE[name],)
    write_hif(found, path)
    assert read_hif(path).node_names == found.node_names
    assert from_hyperedges({"x": [HUGE[name], "b"]}).node_names[0] == HUGE[name]


@pytest.mark.parametrize("command", ["info", "convert"])
@pytest.mark.parametrize("name", HUGE)
def test_the_command_says_it_in_one_line(tmp_path, capsys, command, name):
    path = tmp_path / "a.json"
    path.write_text(f'{{"incidences": [{{"node": 1, "edge": 0, "weight": {digits(name)}}}]}}')
    words = [command, str(path)] + ([str(tmp_path / "b.csv")] if command == "convert" else [])
    code, said = main(words), capsys.readouterr().err
    assert code == (0 if name == "1e30" else 1)
    assert said.count("\n") == code
    assert code == 0 or "a.json" in said


HALF = "a\ud800b"
WRITERS = {
    "csv": lambda named, folder: write_csv(named, folder / "a.csv"),
    "hif": lambda named, folder: write_hif(named, folder / "a.json"),
    "folder": lambda named, folder: write_folder(named, folder / "a"),
    "npz": lambda named, folder: LabelledHypergraph.from_named(named).save(folder / "a.npz"),
}


def halves() -> list[Named]:
    """A lone surrogate as the name of a node, of a hyperedge, and in an attribute."""
    graph = hypergraph([[0, 1]])
    return [
        from_hyperedges({"x": [HALF, "b"]}),
        from_hyperedges({HALF: ["a", "b"]}),
        Named(graph, ("a", "b"), ("x",), attributes=Attributes(nodes={0: {"town": HALF}})),
        from_hif_dict({"incidences": [{"node": HALF, "edge": 0}]}),
        from_lists([[HALF, "b"]]),
        from_tables({"node": [HALF], "hyperedge": ["x"]}),
    ]


@pytest.mark.parametrize(
    ("form", "which"),
    # CSV has no attributes of nodes.
    [(form, which) for form in WRITERS for which in range(6) if (form, which) != ("csv", 2)],
)
def test_lone_surrogates_are_refused_where_they_are_written(tmp_path, form, which):
    with pytest.raises(ValueError, match=r"half of a surrogate pair.*rename") as caught:
        WRITERS[form](halves()[which], tmp_path)
    assert type(caught.value) is ValueError
    assert not [file for file in tmp_path.rglob("*") if file.is_file() and file.name[0] != "."]


def test_lone_surrogates_in_names_of_features_and_classes(tmp_path):
    made = LabelledHypergraph(GRAPH, feat=np.eye(5, 2), feature_names=(HALF, "b"))
    with pytest.raises(ValueError, match="half of a surrogate pair"):
        made.save(tmp_path / "a.npz")
    with pytest.raises(ValueError, match="half of a surrogate pair"):
        save_checkpoint(tmp_path / "m", HyperSAGE(3, 4, 2), about=About(classes=(HALF, "b")))


def test_lone_surrogates_in_files(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"incidences": [{"node": "a\\ud800b", "edge": 0}]}')
    assert read_hif(path).node_names == (HALF,)
    path = tmp_path / "a.csv"
    path.write_bytes(b"node,hyperedge\na\xed\xa0\x80,0\n")
    with pytest.raises(ValueError, match=r"a\.csv: line 2, byte 16 is not UTF-8"):
        read_csv(path)


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


@pytest.mark.parametrize("depth", [201, 990, 5000, 200_000])
def test_deep_json_is_refused_by_every_reader_of_it(tmp_path, capsys, depth):
    hif = tmp_path / "a.json"
    hif.write_text(f'{{"metadata": {{"a": {nested(depth)}}}, "incidences": []}}')
    with pytest.raises(ValueError, match=r"a\.json: .*more than 200 levels deep"):
        read_hif(hif)
    assert main(["info", str(hif)]) == 1
    assert "more than 200 levels deep" in capsys.readouterr().err
    write_folder(GRAPH, tmp_path / "saved")
    record = tmp_path / "saved" / "hypergraph.json"
    record.write_text(f'{{"a": {nested(depth)}}}')
    with pytest.raises(ValueError, match="more than 200 levels deep"):
        read_folder(tmp_path / "saved")
    arrays = dict(pack(LabelledHypergraph(GRAPH)))
    arrays["names"] = np.frombuffer((f'{{"a": {nested(depth)}}}').encode(), np.uint8)
    np.savez(tmp_path / "a.npz", **arrays)
    with pytest.raises(ValueError, match=r"a\.npz.*more than 200 levels deep"):
        load(tmp_path / "a.npz")


def test_deep_documents_in_memory():
    deep: list = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(ValueError, match="more than 200 levels deep"):
        from_hif_dict({"metadata": {"a": deep}, "incidences": []})
    shallow = json.loads(nested(190))
    document = {"metadata": {"a": shallow}, "incidences": [{"node": 1, "edge": 1}]}
    assert from_hif_dict(document).attributes.network == {"a": shallow}
