"""Tables become a hypergraph by name: no order of rows changes anything."""

import gzip
import random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from hypersage_dgl.data import from_lists, from_tables, with_features

MEMBERS = [("ann", "x", 2.0), ("bob", "x", 1.0), ("bob", "y", 0.5), ("10", "y", 1.0), ("9", "x", 3)]
NODES = [
    ("ann", "maths", 40, "red"),
    ("bob", "", 30, "blue"),
    ("10", "art", 20, "red"),
    ("9", "art", 10, "blue"),
    ("lonely", "maths", 5, "red"),
]
EDGES = [("x", 1.0, 1999), ("y", 2.0, 2001), ("empty", 3.0, 2000)]


def columns(names, rows):
    return {name: [row[i] for row in rows] for i, name in enumerate(names.split())}


def made(members=MEMBERS, nodes=NODES, edges=EDGES):
    return from_tables(
        columns("person club weight", members),
        columns("person field age colour", nodes),
        columns("club weight year", edges),
        label="field",
    )


def assert_equal(one, other):
    assert one.checksum() == other.checksum()
    for field in ("node_names", "hyperedge_names", "class_names", "feature_names", "attributes"):
        assert getattr(one, field) == getattr(other, field), field
    assert torch.equal(one.labels, other.labels)
    assert torch.equal(one.feat.to_dense(), other.feat.to_dense())
    for key in ("weight", "feat"):
        data = [d.graph.nodes["hyperedge"].data[key] for d in (one, other)]
        assert torch.equal(*data)


def test_everything_is_found_by_name():
    data = made()
    assert data.node_names == ("9", "10", "ann", "bob", "lonely")
    assert data.hyperedge_names == ("empty", "x", "y")
    assert (data.labels.tolist(), data.class_names) == ([0, 0, 1, -1, 1], ("art", "maths"))
    assert data.feature_names == ("age", "colour=blue", "colour=red")
    assert data.feat.to_dense()[2].tolist() == [40, 0, 1]
    assert data.graph.nodes["node"].data["degree"].tolist() == [1, 1, 1, 2, 0]
    assert data.graph.edges["in"].data["weight"].tolist() == [3, 2, 1, 1, 0.5]
    assert data.graph.nodes["hyperedge"].data["weight"].tolist() == [3, 1, 2]
    assert data.graph.nodes["hyperedge"].data["feat"].tolist() == [[2000], [1999], [2001]]
    assert data.attributes.hyperedges[1] == {"year": 1999}


@settings(deadline=None)
@given(st.randoms(use_true_random=False))
def test_no_order_of_rows_changes_anything(randomness: random.Random):
    tables = [list(rows) for rows in (MEMBERS, NODES, EDGES)]
    for rows in tables:
        randomness.shuffle(rows)
    assert_equal(made(*tables), made())


def test_frames_dicts_rows_and_files_are_the_same(tmp_path):
    pandas = pytest.importorskip("pandas")
    names = ("person club weight", "person field age colour", "club weight year")
    tables = [columns(n, rows) for n, rows in zip(names, (MEMBERS, NODES, EDGES))]
    frames = [pandas.DataFrame(table) for table in tables]
    assert_equal(from_tables(*frames, label="field"), made())
    rows = [frame.to_dict("records") for frame in frames]
    assert_equal(from_tables(*rows, label="field"), made())
    for i, frame in enumerate(frames):
        frame.to_csv(tmp_path / f"{i}.csv", index=False, sep=";")
    files = from_tables(*(tmp_path / f"{i}.csv" for i in range(3)), label="field")
    assert files.checksum() == made().checksum()
    assert files.feature_names == made().feature_names


def test_integers_of_pandas_beside_blanks_keep_their_names():
    pandas = pytest.importorskip("pandas")
    nodes = pandas.DataFrame({"node": [1, 2], "label": [3, None]})
    data = from_tables({"node": [2, 1], "hyperedge": ["x", "x"]}, nodes, label="label")
    assert (data.node_names, data.class_names) == (("1", "2"), ("3",))
    assert data.labels.tolist() == [0, -1]


def test_lists_are_tables_too():
    data = from_lists(
        {"x": ["ann", "bob"], "y": ["bob"]},
        {"ann": {"age": 4}, "bob": {"age": 3}, "lonely": {"age": 1}},
        {"ann": "red"},
    )
    assert (data.node_names, data.labels.tolist()) == (("ann", "bob", "lonely"), [0, -1, -1])
    assert data.feat.to_dense().tolist() == [[4], [3], [1]]
    vectors = from_lists([[0, 1]], {1: np.ones(2), 0: np.zeros(2)})
    assert vectors.feat.to_dense().tolist() == [[0, 0], [1, 1]]
    assert vectors.labels is None


@pytest.mark.parametrize(
    ("tables", "options", "said"),
    [
        ([[("zoe", "x")], NODES[:1]], {}, "1 nodes of incidences have no row in nodes: 'zoe'"),
        ([[("zoe", "x")], NODES], {}, r"names are not in its column '\w+', name the .*\(--node\)"),
        ([[("ann", "x")], [*NODES, NODES[0]]], {}, "nodes, row 5: 'ann' has a row before"),
        ([[("ann", "x"), ("", "x")], NODES], {}, "incidences, row 1: column 'a' is blank"),
        (
            [[("ann", "x")], NODES],
            {"label": "topic"},
            "has no column 'topic' for the classes; give label=KEY",
        ),
        ([[("ann", "x")], NODES], {"ignore": ["topic"]}, "no column 'topic' to ignore"),
        ([[("ann", "x")], NODES], {"node": "who"}, "incidences has no column 'who'"),
        ([[("ann", "x", -1)], NODES], {}, "row 0: column 'weight' is -1; weights must be positive"),
        ([[("ann", "x", 1)] * 2, NODES], {}, "row 1: 'ann' is in 'x' before; add the weights"),
    ],
)
def test_what_does_not_fit_is_refused(tables, options, said):
    members, nodes = tables
    names = "a b weight" if len(members[0]) == 3 else "a b"
    with pytest.raises(ValueError, match=said):
        from_tables(columns(names, members), columns("a field age colour", nodes), **options)


def test_every_table_of_a_path_has_the_limit(tmp_path):
    small, large = tmp_path / "small.csv", tmp_path / "large.csv.gz"
    small.write_text("node,hyperedge\na,x\n")
    large.write_bytes(gzip.compress(b"node,hyperedge\n" + b"a,x\n" * 10_000))
    for tables in ((large,), (small, large), (small, None, large)):
        with pytest.raises(ValueError, match=r"large\.csv\.gz: .* more than [0-9,]+ unpacked"):
            from_tables(*tables, max_bytes=1000)
    data = from_tables(small)
    with pytest.raises(ValueError, match=r"large\.csv\.gz: .* more than [0-9,]+ unpacked"):
        with_features(data, large, max_bytes=1000)


def test_the_order_of_the_columns_of_hyperedges_does_not_count():
    members = {"node": ["a", "b", "b"], "hyperedge": ["x", "x", "y"]}
    known = {"hyperedge": ["x", "y"], "cost": [1, 2], "age": [3, 4]}
    turned = dict(reversed(known.items()))
    for table in (known, turned):
        feat = from_tables(members, hyperedges=table, hyperedge="hyperedge").graph
        assert feat.nodes["hyperedge"].data["feat"].tolist() == [[3.0, 1.0], [4.0, 2.0]]
