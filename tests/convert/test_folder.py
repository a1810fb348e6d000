"""Saved hypergraphs: all data back by value, whole or not at all, damage noticed."""

import hashlib
import json
import os
import tempfile
import threading

import forked
import pytest
import torch
from hypothesis import given

from hypersage_dgl import hypergraph, induced
from hypersage_dgl._utils import json_digest
from hypersage_dgl.convert import Attributes, Named, read_folder, write_folder
from hypersage_dgl.convert import folder as storage

from .cases import everything, named_graphs, structure


@given(named_graphs())
def test_round_trip(named):
    with tempfile.TemporaryDirectory() as folder:
        write_folder(named, folder)
        back = read_folder(folder)
    assert everything(back) == everything(named)
    assert back.graph.idtype == named.graph.idtype


def rich():
    graph = hypergraph([[0, 1, 2], [2, 3]], num_nodes=5, incidence_weight=[1, 2, 3, 4, 5])
    nodes = graph.nodes["node"].data
    nodes["feat"] = torch.rand(3, 5).T
    nodes["learned"] = torch.rand(5, requires_grad=True)
    nodes["label"] = torch.tensor([0, 1, 0, 1, -1])
    nodes["train_mask"] = torch.tensor([True, False, True, False, True])
    nodes["byte"] = torch.tensor([1, 0, 1, 0, 1], dtype=torch.uint8)
    for dtype in (torch.float16, torch.bfloat16, torch.float64, torch.int8, torch.int16):
        nodes[str(dtype)] = torch.arange(10).reshape(5, 2).to(dtype)
    graph.nodes["hyperedge"].data["year"] = torch.tensor([1999, 2001], dtype=torch.int32)
    graph.edges["in"].data["is_first"] = torch.tensor([True, False, False, True, False])
    graph.edges["contains"].data["score"] = torch.rand(5, 2, 2)
    return Named(graph, tuple("abcde"), ("x", 7), ("bee", "ant"))


def frames(graph):
    return {
        **{t: graph.nodes[t].data for t in ("node", "hyperedge")},
        **{t: graph.edges[t].data for t in ("in", "contains")},
    }


def test_tensors_of_every_kind_come_back_by_value(tmp_path):
    named = rich()
    write_folder(named, tmp_path / "some")
    back = read_folder(str(tmp_path / "some"))
    assert back.class_names == ("bee", "ant")
    for part, frame in frames(named.graph).items():
        assert set(frames(back.graph)[part]) == set(frame)
        for key, values in frame.items():
            found = frames(back.graph)[part][key]
            assert found.dtype == values.dtype, key
            assert torch.equal(found, values), key


def test_a_cut_keeps_its_maps_and_empty_hyperedges(tmp_path):
    cut = induced(hypergraph([[0, 1], [2, 3]]), [1, 0])
    write_folder(cut, tmp_path)
    back = read_folder(tmp_path).graph
    assert structure(back) == structure(cut)
    assert back.nodes["node"].data["_ID"].tolist() == [1, 0]


def test_saving_again_replaces_and_cleans_up(tmp_path):
    write_folder(rich(), tmp_path)
    (tmp_path / "notes.txt").write_text("not ours")
    write_folder(hypergraph([[0, 1]]), tmp_path)
    assert structure(read_folder(tmp_path).graph) == structure(hypergraph([[0, 1]]))
    kinds = sorted(p.suffix for p in tmp_path.iterdir() if p.name != ".lock")
    assert kinds == [".bin", ".json", ".txt"]


@pytest.mark.parametrize(
    ("named", "error"),
    [
        (Named(hypergraph([[0]]), ((1, 2),)), TypeError),
        (Named(hypergraph([[0]]), attributes=Attributes(network={"a": {1}})), TypeError),
        (Named(hypergraph([[0]]), attributes=Attributes(nodes={0: {"a": 1e999}})), ValueError),
    ],
)
def test_a_failing_save_leaves_the_earlier_one(tmp_path, named, error):
    write_folder(rich(), tmp_path)
    before = sorted(p.name for p in tmp_path.iterdir())
    with pytest.raises(error, match="JSON"):
        write_folder(named, tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == before
    assert everything(read_folder(tmp_path)) == everything(rich())


def killed_at(step, folder):
    when, name = step.split()
    write_folder(hypergraph([[0, 1]]), folder)
    real = getattr(storage, name)
    setattr(storage, name, lambda *a: (when == "after" and real(*a), os._exit(9)))
    write_folder(hypergraph([[0, 1, 2]]), folder)


@pytest.mark.parametrize(
    ("step", "size"),
    [
        ("before write_graph", 2),
        ("before sha256_of", 2),
        ("before write_sealed", 2),
        ("after write_sealed", 3),
    ],
)
def test_a_process_killed_on_the_way_leaves_one_whole(tmp_path, step, size):
    child = forked.start(lambda: killed_at(step, tmp_path))
    assert forked.wait(child) == 9
    assert read_folder(tmp_path).graph.nodes["hyperedge"].data["size"].tolist() == [size]
    assert len(list(tmp_path.glob("graph-*.bin"))) == (1 if step == "before write_graph" else 2)
    (tmp_path / f".graph-{'0' * 16}.bin.{'0' * 12}.part").write_text("killed while it was written")
    (tmp_path / f".hypergraph.json.{'0' * 12}.part").write_text("likewise")
    write_folder(rich(), tmp_path)
    left = sorted(p.suffix for p in tmp_path.iterdir() if p.name != ".lock")
    assert left == [".bin", ".json"]
    assert everything(read_folder(tmp_path)) == everything(rich())


def test_reading_while_another_writes(tmp_path):
    write_folder(Named(hypergraph([[0]]), (1,)), tmp_path)
    stop = threading.Event()

    def keep_saving():
        size = 2
        while not stop.is_set():
            names = tuple(f"{size} {i}" for i in range(size))
            write_folder(Named(hypergraph([range(size)]), names), tmp_path)
            size = size % 50 + 1

    writer = threading.Thread(target=keep_saving)
    writer.start()
    try:
        seen = set()
        for count in range(100_000):
            if count >= 60 and len(seen) > 3:
                break
            named = read_folder(tmp_path)
            size = int(named.graph.nodes["hyperedge"].data["size"][0])
            assert named.node_names == tuple(f"{size} {i}" for i in range(size)) or size == 1
            seen.add(size)
    finally:
        stop.set()
        writer.join()
    assert len(seen) > 3


def test_every_damage_to_the_graph_file_is_noticed(tmp_path):
    write_folder(rich(), tmp_path)
    (file,) = tmp_path.glob("graph-*.bin")
    whole = file.read_bytes()
    changed = bytearray(whole)
    changed[len(whole) // 2] ^= 1
    for content in (b"", whole[:-1], whole[: len(whole) // 2], whole + b"x", bytes(changed)):
        file.write_bytes(content)
        with pytest.raises(ValueError, match=r"graph-.*\.bin is damaged"):
            read_folder(tmp_path)
    file.unlink()
    with pytest.raises(FileNotFoundError, match=r"graph-.*\.bin"):
        read_folder(tmp_path)


def test_a_cut_off_or_foreign_record_is_noticed(tmp_path):
    write_folder(rich(), tmp_path)
    record = tmp_path / storage.RECORD
    whole = record.read_text()
    for end in range(0, len(whole), 40):
        record.write_text(whole[:end])
        with pytest.raises(ValueError, match=r"hypergraph\.json: line 1, column"):
            read_folder(tmp_path)


def signed(path, record):
    """Write a record as its maker would, with the digest of what is in it."""
    record = {key: value for key, value in record.items() if key != "sha256"}
    path.write_text(json.dumps({**record, "sha256": json_digest(record)}))


@pytest.mark.parametrize("key", ["node_names", "class_names", "attributes"])
def test_names_are_covered_by_the_digest(tmp_path, key):
    write_folder(rich(), tmp_path)
    path = tmp_path / storage.RECORD
    record = json.loads(path.read_text())
    if key == "attributes":
        record[key]["network"]["new"] = 1
    else:
        record[key] = record[key][::-1]
    path.write_text(json.dumps(record))
    with pytest.raises(ValueError, match=r"hypergraph\.json was changed since it was saved"):
        read_folder(tmp_path)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"version": 1}, r"\$\.version is 1; it must be one of \[2\]"),
        ({"graph": {}}, r"\$\.graph has no 'file'"),
        ({"node_names": ["a"]}, "1 node names for 5 nodes"),
        ({"node_names": [None] * 5}, r"\$\.node_names\[0\] is None"),
        ({"node_names": ["a"] * 5}, "'a' occurs more than once"),
        ({"class_names": ["one"]}, "labels reach 1"),
        ({"class_names": "one"}, r"\$\.class_names"),
        ({"attributes": []}, r"\$\.attributes"),
    ],
)
def test_a_record_that_does_not_fit_is_refused(tmp_path, change, match):
    write_folder(rich(), tmp_path)
    path = tmp_path / storage.RECORD
    signed(path, {**json.loads(path.read_text()), **change})
    with pytest.raises(ValueError, match=match):
        read_folder(tmp_path)


@pytest.mark.parametrize("name", ["../graph-1.bin", "/etc/passwd", "graph-/../x", "other.bin"])
def test_the_record_cannot_point_out_of_the_folder(tmp_path, name):
    write_folder(rich(), tmp_path)
    path = tmp_path / storage.RECORD
    content = json.loads(path.read_text())
    content["graph"]["file"] = name
    signed(path, content)
    with pytest.raises(ValueError, match="it must be a file of this folder"):
        read_folder(tmp_path)


def test_nothing_is_unpickled(tmp_path, monkeypatch):
    write_folder(rich(), tmp_path)

    def refuse(*args, **options):
        raise AssertionError("unpickled")

    for name in ("pickle.load", "pickle.loads", "pickle.Unpickler", "torch.load"):
        monkeypatch.setattr(name, refuse)
    assert everything(read_folder(tmp_path)) == everything(rich())


def test_a_folder_without_a_hypergraph_is_named(tmp_path):
    with pytest.raises(
        FileNotFoundError, match=r"holds no hypergraph: there is no hypergraph\.json"
    ):
        read_folder(tmp_path)
    (tmp_path / "taken").write_text("")
    with pytest.raises(FileExistsError, match="taken"):
        write_folder(rich(), tmp_path / "taken")


@pytest.mark.parametrize("names", [range(5, 8), range(2, -1, -1), range(0, 6, 2)])
def test_ranges_that_are_not_the_ids_come_back(tmp_path, names):
    write_folder(Named(hypergraph([[0, 1], [1, 2]]), names, range(7, 9)), tmp_path)
    back = read_folder(tmp_path)
    assert list(back.node_names) == list(names)
    assert list(back.hyperedge_names) == [7, 8]


@pytest.mark.parametrize("attributes", [{1: "a"}, {"a": {None: 1}}, {"a": [({2: 3},)]}])
def test_keys_that_would_become_strings_are_refused(tmp_path, attributes):
    named = Named(hypergraph([[0, 1]]), attributes=Attributes(network=attributes))
    with pytest.raises(TypeError, match=r"attribute key .* keys in JSON are strings"):
        write_folder(named, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_half_a_surrogate_pair_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"surrogate pair.*rename"):
        write_folder(Named(hypergraph([[0, 1]]), ("a", "b\ud800")), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_dgl_refuses_is_named_without_its_trace(tmp_path):
    write_folder(hypergraph([[0, 1]]), tmp_path)
    record = json.loads((tmp_path / "hypergraph.json").read_text())
    file = tmp_path / record["graph"]["file"]
    file.write_bytes(bytes(100))
    record["graph"]["sha256"] = hashlib.sha256(bytes(100)).hexdigest()
    signed(tmp_path / "hypergraph.json", record)
    with pytest.raises(ValueError, match=r"\.bin cannot be read by DGL.*save") as caught:
        read_folder(tmp_path)
    assert "Stack trace" not in str(caught.value)
