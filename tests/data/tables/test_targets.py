"""What is to be learned of each node."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import Attributes, read_folder, write_folder
from hypersage_dgl.data import (
    LabelledHypergraph,
    Split,
    from_tables,
    load,
    with_labels,
    with_targets,
)
from hypersage_dgl.data.tables.targets import labels_of

NODES = {
    0: {"tags": "red; blue", "age": "30", "kind": "x"},
    1: {"tags": ["blue", "blue"], "age": 4.5, "kind": "y"},
    2: {"tags": " ", "age": None},
    3: {"tags": "green", "age": -2, "kind": "x"},
}
DATA = LabelledHypergraph(
    hypergraph([[0, 1, 2], [2, 3, 4]]), tuple("abcde"), attributes=Attributes(nodes=NODES)
)
UNKNOWN = [-1, -1, -1]
GRAPH = hypergraph([[0, 1], [1, 2]], num_nodes=4)
KINDS = Attributes(nodes={0: {"label": "b", "kind": 10}, 1: {"label": "a"}, 2: {"kind": 2}})


def test_rows_of_labels():
    made = with_targets(DATA, "tags", "multilabel")
    assert made.class_names == ("blue", "green", "red")
    assert made.labels.tolist() == [[1, 0, 1], [1, 0, 0], UNKNOWN, [0, 1, 0], UNKNOWN]
    assert "tags" not in made.attributes.nodes[0]
    assert made.part("all").tolist() == [0, 1, 3]


def test_rows_of_a_model_that_knows_more():
    known = ("red", "white", "blue", "green")
    made = with_targets(DATA, "tags", "multilabel", known)
    assert made.class_names == known
    assert made.labels[0].tolist() == [1, 0, 1, 0]
    stored = with_targets(with_targets(DATA, "tags", "multilabel"), None, "multilabel", known)
    assert torch.equal(stored.labels, made.labels)
    with pytest.raises(ValueError, match="has the labels green, which the model does not know"):
        with_targets(DATA, "tags", "multilabel", ("red", "blue"))


@pytest.mark.parametrize(
    ("cell", "separator", "wanted"),
    [
        ("a|b", "|", ["a", "b"]),
        ("a;b", "|", ["a;b"]),
        (7, ";", ["7"]),
        (np.array(["a", "b"]), ";", ["a", "b"]),
        (("a", "a", None), ";", ["a"]),
        ([], ";", []),
    ],
    ids=str,
)
def test_labels_of_a_cell(cell, separator, wanted):
    assert labels_of(cell, separator) == wanted


def test_an_empty_list_is_known_to_have_no_label():
    nodes = {0: {"tags": []}, 1: {"tags": ["a"]}}
    data = LabelledHypergraph(hypergraph([[0, 1]]), attributes=Attributes(nodes=nodes))
    assert with_targets(data, "tags", "multilabel").labels.tolist() == [[0], [1]]


def test_numbers():
    made = with_targets(DATA, "age", "regression")
    assert torch.equal(made.numbers.isnan(), torch.tensor([False, False, True, False, True]))
    assert made.numbers[[0, 1, 3]].tolist() == [30, 4.5, -2]
    assert (made.labels, made.num_classes, made.part("all").tolist()) == (None, 0, [0, 1, 3])
    with pytest.raises(ValueError, match="'kind' of node 'a' is 'x'; regression learns finite"):
        with_targets(DATA, "kind", "regression")
    with pytest.raises(
        ValueError, match=r"no node has the attribute 'size'.*'age', 'kind', 'tags'"
    ):
        with_targets(DATA, "size", "regression")
    endless = Attributes(nodes={0: {"age": math.inf}})
    data = LabelledHypergraph(DATA.graph, tuple("abcde"), attributes=endless)
    with pytest.raises(ValueError, match="'age' of node 'a' is inf"):
        with_targets(data, "age", "regression")


def test_classes_as_ever_and_no_other_task():
    made = with_targets(DATA, "kind")
    assert (made.labels.tolist(), made.class_names) == ([0, 1, -1, 0, -1], ("x", "y"))
    with pytest.raises(ValueError, match="task is 'rank'"):
        with_targets(DATA, "kind", "rank")


@pytest.mark.parametrize(("key", "task"), [("tags", "multilabel"), ("age", "regression")])
def test_splits_leave_unknown_nodes_out(key, task):
    made = with_targets(DATA, key, task)
    split = made.split("random")
    assert sorted(torch.cat(split).tolist()) == [0, 1, 3]
    with pytest.raises(ValueError, match="node 'c' is in the split"):
        made.split(Split([0, 2], [], []))
    if task == "multilabel":
        with pytest.raises(ValueError, match="does not have one class for each node"):
            made.split("stratified")


@pytest.mark.parametrize(("key", "task"), [("tags", "multilabel"), ("age", "regression")])
def test_files_keep_them(tmp_path, key, task):
    made = with_targets(DATA, key, task).with_split("random")
    made.save(tmp_path / "x.npz")
    write_folder(made, tmp_path / "x")
    read = LabelledHypergraph.from_named(read_folder(tmp_path / "x"), "x")
    for again in (load(tmp_path / "x.npz"), read):
        for name in ("labels", "numbers"):
            before, now = getattr(made, name), getattr(again, name)
            assert (before is None) == (now is None)
            if before is not None:
                torch.testing.assert_close(now, before, equal_nan=True)
    assert load(tmp_path / "x.npz").checksum() == made.checksum()
    other = with_targets(DATA, "age", "regression").with_split("random")
    assert other.checksum() != with_targets(DATA, "tags", "multilabel").checksum()


def test_tables_in_any_order_of_rows():
    incidences = {"node": ["b", "a", "c"], "hyperedge": ["x", "x", "x"]}
    rows = [
        {"node": "c", "tags": "p|q", "price": 7, "width": 1},
        {"node": "a", "tags": "", "price": None, "width": 2},
        {"node": "b", "tags": "q", "price": "2.5", "width": 3},
    ]
    for order in ([0, 1, 2], [2, 1, 0], [1, 0, 2]):
        nodes = [rows[i] for i in order]
        options = {"label": "tags", "task": "multilabel", "separator": "|", "ignore": ["price"]}
        made = from_tables(incidences, nodes, **options)
        assert (made.class_names, made.feature_names) == (("p", "q"), ("width",))
        assert made.labels.tolist() == [[-1, -1], [0, 1], [1, 1]]
        made = from_tables(incidences, nodes, label="price", task="regression", ignore=["tags"])
        assert made.numbers[1:].tolist() == [2.5, 7.0]
        assert made.numbers.isnan().tolist() == [True, False, False]


@pytest.mark.parametrize(
    "numbers", [torch.zeros(4), torch.zeros(5, 1), np.full(5, 1e300), torch.zeros(5).cfloat()],
    ids=["few", "rows", "beyond", "complex"],
)  # fmt: skip
def test_numbers_that_are_none_for_each_node(numbers):
    with pytest.raises(ValueError, match="the numbers"):
        LabelledHypergraph(DATA.graph, numbers=numbers)


def test_rows_that_are_unknown_in_part_are_refused():
    rows = torch.tensor([[0, 1], [-1, -1], [-1, 0], [0, 0], [1, 1]])
    with pytest.raises(ValueError, match="other values than 0 and 1"):
        LabelledHypergraph(DATA.graph, labels=rows)


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


@pytest.mark.parametrize("mark", ["NA", "n/a", "None"])
def test_a_class_that_reads_like_a_missing_one_is_told(mark):
    members = {"node": ["ann", "bob"], "hyperedge": ["x", "x"]}
    people = {"node": ["ann", "bob"], "field": ["art", mark]}
    said = f"'{mark}' in column 'field' is learned as a class .* leave a cell blank"
    with pytest.warns(UserWarning, match=said):
        data = from_tables(members, people, label="field")
    assert sorted(data.class_names) == sorted(["art", mark])
