"""Files of labelled hypergraphs: all comes back; nothing damaged or forged gets through."""

import io
import re
from functools import partial

import numpy as np
import pytest
import torch
from scipy import sparse

from hypersage_dgl import hypergraph, induced, validate
from hypersage_dgl.convert import Attributes, to_hif_dict
from hypersage_dgl.data import LabelledHypergraph, Split, load
from hypersage_dgl.data.benchmarks.hypergcn import load_benchmark
from hypersage_dgl.data.stored import pack, read_npz

SPLIT = Split(torch.tensor([0, 1]), torch.arange(0), torch.tensor([2]))


def make(**changes):
    given = {
        "graph": hypergraph([[0, 1], [1, 2]]),
        "name": "x",
        "feat": sparse.csr_matrix(np.eye(3, dtype=np.float32)),
        "labels": np.array([0, 1, 1]),
        "class_names": ("red", "blue"),
        "splits": (SPLIT,),
    }
    return LabelledHypergraph(**{**given, **changes})


def saved(data, **changes):
    content = io.BytesIO()
    np.savez_compressed(content, **{**pack(data), **changes})
    return content.getvalue()


read = partial(read_npz, make=LabelledHypergraph)


def same(one, two):
    """Whether two are equal by value; dense features stay dense."""
    assert to_hif_dict(one) == to_hif_dict(two)
    assert (one.feat is None) == (two.feat is None)
    if one.feat is not None:
        assert one.feat.layout == two.feat.layout
        assert torch.equal(one.feat.to_dense(), two.feat.to_dense())
    assert (one.labels is None) == (two.labels is None)
    assert one.labels is None or torch.equal(one.labels, two.labels)
    assert (one.class_names, one.feature_names) == (two.class_names, two.feature_names)
    assert list(one.node_names) == list(two.node_names)
    assert len(one.splits) == len(two.splits)
    for got, given in zip(one.splits, two.splits):
        assert all(torch.equal(a, b) and a.dtype == torch.int64 for a, b in zip(got, given))
    for etype in ("in", "contains"):
        a, b = one.graph.edges[etype].data, two.graph.edges[etype].data
        assert {k: v.tolist() for k, v in a.items()} == {k: v.tolist() for k, v in b.items()}
    return True


def rich_graph():
    weights = {"hyperedge_weight": [1.0, 2.0], "incidence_weight": [1.0, 2.0, 3.0, 4.0]}
    graph = hypergraph([[0, 1], [1, 2]], num_nodes=3, **weights)
    graph.nodes["node"].data["weight"] = torch.tensor([0.5, 1.5, 2.5])
    graph.edges["in"].data["direction"] = torch.tensor([1, 2, 1, 2], dtype=torch.int8)
    graph.nodes["hyperedge"].data["is_new"] = torch.tensor([True, False])
    return graph


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"splits": ()},
        {"splits": (SPLIT, Split(torch.tensor([2]), torch.tensor([0]), torch.tensor([1])))},
        {"class_names": ("grün", "蓝")},
        {"feat": torch.eye(3)},
        {"feat": None, "labels": None, "class_names": (), "splits": ()},
        {"labels": np.array([-1, 1, 0])},
        {"labels": np.eye(3, 2, dtype=np.int64)},
        {"node_names": ("ann", 7, "cy"), "hyperedge_names": ("e", "f")},
        {"feature_names": ("a", "b", "c")},
        {"attributes": Attributes(network={"a": [1]}, nodes={2: {"b": None}}, network_type="asc")},
        {"graph": rich_graph()},
        {"graph": induced(hypergraph([[0, 1], [3], [1, 2]]), [0, 1, 2])},
    ],
    ids=lambda changes: "-".join(changes),
)
def test_all_comes_back(changes, tmp_path):
    data = make(**changes)
    data.save(tmp_path / "x.npz")
    back = load(tmp_path / "x.npz")
    validate(back.graph)
    assert back.name == "x.npz"
    assert same(back, data)
    assert not list(tmp_path.glob("*.part"))


def test_files_of_the_first_version_are_read(tmp_path):
    # What they held: these arrays and no others.
    np.savez_compressed(
        tmp_path / "first.npz",
        node_ids=np.array([0, 1, 1, 2]),
        hyperedge_ids=np.array([0, 0, 1, 1]),
        num_hyperedges=np.int64(2),
        feature_values=np.ones(3, np.float32),
        feature_indices=np.arange(3, dtype=np.int32),
        feature_indptr=np.arange(4, dtype=np.int32),
        feature_shape=np.array([3, 3]),
        labels=np.array([0, 1, 1]),
        class_names=np.array(["red", "blue"]),
        split_ids=np.array([0, 1, 2]),
        split_sizes=np.array([[2, 0, 1]]),
    )
    assert same(load(tmp_path / "first.npz"), make())


def test_names_that_json_does_not_have_are_refused_before_writing(tmp_path):
    with pytest.raises(TypeError, match=r"node name .* is a tuple"):
        make(node_names=(("a", 1), "b", "c")).save(tmp_path / "x.npz")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("values", [1, pytest.param(4, marks=pytest.mark.exhaustive)])
def test_no_damage_to_any_byte_of_a_header_gets_through(tmp_path, values):
    whole, path = saved(make()), tmp_path / "changed.npz"
    names = [match.start() for match in re.finditer(rb"PK\x01\x02", whole)]
    refused = 0
    for position in [*range(60), *range(names[0], names[1]), *range(len(whole) - 22, len(whole))]:
        for value in (whole[position] ^ 0xFF, whole[position] ^ 1, 12, 14)[:values]:
            path.write_bytes(whole[:position] + bytes([value]) + whole[position + 1 :])
            try:
                found = read(path)
            except ValueError:
                refused += 1
            else:
                assert saved(found) == whole
    assert refused > 25 * values


@pytest.mark.parametrize("tiny", ["cocitation"], indirect=True)
@pytest.mark.parametrize(
    "damage",
    [
        # Compressed by an unknown method; encrypted; labels that are no classes.
        lambda npz: re.sub(rb"(PK\x01\x02.{6})..", lambda m: m[1] + b"\x63\0", npz, flags=re.S),
        lambda npz: re.sub(rb"(PK\x01\x02.{4})..", lambda m: m[1] + b"\1\0", npz, flags=re.S),
        lambda npz: saved(make(), labels=np.array([0, 1, 7])),
    ],
    ids=["method", "encrypted", "labels"],
)
def test_a_conversion_that_is_no_more_what_it_was_is_made_again(tiny, own_cache, damage):
    first = load_benchmark(tiny.source, tiny.root)
    (converted,) = own_cache.rglob("*.npz")
    converted.write_bytes(damage(converted.read_bytes()))
    assert load_benchmark(tiny.source, tiny.root).labels.tolist() == first.labels.tolist()
    assert saved(read(converted)) == saved(first)


def test_unknown_arrays_in_a_file_are_not_read(tmp_path):
    path = tmp_path / "more.npz"
    with np.load(io.BytesIO(saved(make()))) as npz:
        np.savez(path, **dict(npz), more=np.array([object()], dtype=object))
    assert read(path).labels.tolist() == [0, 1, 1]


def npz(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"garbage",
        npz(node_ids=np.arange(3)),
        npz(node_ids=np.array([{}], dtype=object)),
        npy(np.arange(3)),
    ],
    ids=["empty", "garbage", "too few arrays", "pickled", "npy"],
)
def test_other_files_are_no_arrays(content, tmp_path):
    path = tmp_path / "a.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"a\.npz does not hold the arrays of a hypergraph"):
        read(path)
