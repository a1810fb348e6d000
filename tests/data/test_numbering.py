"""Rows without names go to nodes by number, and never to names by order."""

import numpy as np
import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import Attributes
from hypersage_dgl.data import LabelledHypergraph, Split, load, with_features
from hypersage_dgl.data.numbering import numbered_for


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
