"""Saved hypergraphs: all data back by value, whole or not at all, damage noticed."""

import json
import subprocess
import sys
import tempfile
import threading

import pytest
import torch
from hypothesis import given

from hypersage_dgl import hypergraph, induced
from hypersage_dgl.convert import Attributes, Named, load_hypergraph, save_hypergraph, storage

from .cases import everything, named_graphs, structure


@given(named_graphs())
def test_round_trip(named):
    with tempfile.TemporaryDirectory() as folder:
        save_hypergraph(folder, named)
        back = load_hypergraph(folder)
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
    save_hypergraph(tmp_path / "some", named)
    back = load_hypergraph(str(tmp_path / "some"))
    assert back.class_names == ("bee", "ant")
    for part, frame in frames(named.graph).items():
        assert set(frames(back.graph)[part]) == set(frame)
        for key, values in frame.items():
            found = frames(back.graph)[part][key]
            assert found.dtype == values.dtype, key
            assert torch.equal(found, values), key


def test_a_cut_keeps_its_maps_and_empty_hyperedges(tmp_path):
    cut = induced(hypergraph([[0, 1], [2, 3]]), [1, 0])
    save_hypergraph(tmp_path, cut)
    back = load_hypergraph(tmp_path).graph
    assert structure(back) == structure(cut)
    assert back.nodes["node"].data["_ID"].tolist() == [1, 0]


def test_saving_again_replaces_and_cleans_up(tmp_path):
    save_hypergraph(tmp_path, rich())
    (tmp_path / "notes.txt").write_text("not ours")
    save_hypergraph(tmp_path, hypergraph([[0, 1]]))
    assert structure(load_hypergraph(tmp_path).graph) == structure(hypergraph([[0, 1]]))
    kinds = sorted(p.suffix for p in tmp_path.iterdir())
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
    save_hypergraph(tmp_path, rich())
    before = sorted(p.name for p in tmp_path.iterdir())
    with pytest.raises(error, match="JSON"):
        save_hypergraph(tmp_path, named)
    assert sorted(p.name for p in tmp_path.iterdir()) == before
    assert everything(load_hypergraph(tmp_path)) == everything(rich())


KILLED = """
import os, sys
from hypersage_dgl import hypergraph
from hypersage_dgl.convert import save_hypergraph, storage

step, folder = sys.argv[1:]
save_hypergraph(folder, hypergraph([[0, 1]]))
for name in ("_record", "write_text"):
    if step == "before " + name:
        setattr(storage, name, lambda *a: os._exit(9))
if step == "after write_text":
    write = storage.write_text
    storage.write_text = lambda *a: (write(*a), os._exit(9))
save_hypergraph(folder, hypergraph([[0, 1, 2]]))
"""


@pytest.mark.parametrize(
    ("step", "size"), [("before _record", 2), ("before write_text", 2), ("after write_text", 3)]
)
def test_a_process_killed_on_the_way_leaves_one_whole(tmp_path, step, size):
    done = subprocess.run([sys.executable, "-c", KILLED, step, str(tmp_path)])
    assert done.returncode == 9
    assert load_hypergraph(tmp_path).graph.nodes["hyperedge"].data["size"].tolist() == [size]
    assert len(list(tmp_path.glob("graph-*.bin"))) == 2
    save_hypergraph(tmp_path, rich())
    assert everything(load_hypergraph(tmp_path)) == everything(rich())


def test_reading_while_another_writes(tmp_path):
    save_hypergraph(tmp_path, Named(hypergraph([[0]]), (1,)))
    stop = threading.Event()

    def keep_saving():
        size = 2
        while not stop.is_set():
            names = tuple(f"{size} {i}" for i in range(size))
            save_hypergraph(tmp_path, Named(hypergraph([range(size)]), names))
            size = size % 50 + 1

    writer = threading.Thread(target=keep_saving)
    writer.start()
    try:
        seen = set()
        for _ in range(60):
            named = load_hypergraph(tmp_path)
            size = int(named.graph.nodes["hyperedge"].data["size"][0])
            assert named.node_names == tuple(f"{size} {i}" for i in range(size)) or size == 1
            seen.add(size)
    finally:
        stop.set()
        writer.join()
    assert len(seen) > 3


def test_every_damage_to_the_graph_file_is_noticed(tmp_path):
    save_hypergraph(tmp_path, rich())
    (file,) = tmp_path.glob("graph-*.bin")
    whole = file.read_bytes()
    changed = bytearray(whole)
    changed[len(whole) // 2] ^= 1
    for content in (b"", whole[:-1], whole[: len(whole) // 2], whole + b"x", bytes(changed)):
        file.write_bytes(content)
        with pytest.raises(ValueError, match=r"graph-.*\.bin is damaged"):
            load_hypergraph(tmp_path)
    file.unlink()
    with pytest.raises(FileNotFoundError, match=r"graph-.*\.bin"):
        load_hypergraph(tmp_path)


def test_a_cut_off_or_foreign_record_is_noticed(tmp_path):
    save_hypergraph(tmp_path, rich())
    record = tmp_path / storage.RECORD
    whole = record.read_text()
    for end in range(0, len(whole), 40):
        record.write_text(whole[:end])
        with pytest.raises(ValueError, match=r"hypergraph\.json: line 1, column"):
            load_hypergraph(tmp_path)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"version": 2}, r"\$\.version is 2; it must be one of \[1\]"),
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
    save_hypergraph(tmp_path, rich())
    path = tmp_path / storage.RECORD
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(ValueError, match=match):
        load_hypergraph(tmp_path)


@pytest.mark.parametrize("name", ["../graph-1.bin", "/etc/passwd", "graph-/../x", "other.bin"])
def test_the_record_cannot_point_out_of_the_folder(tmp_path, name):
    save_hypergraph(tmp_path, rich())
    path = tmp_path / storage.RECORD
    content = json.loads(path.read_text())
    content["graph"]["file"] = name
    path.write_text(json.dumps(content))
    with pytest.raises(ValueError, match="it must be a file of this folder"):
        load_hypergraph(tmp_path)


def test_nothing_is_unpickled(tmp_path, monkeypatch):
    save_hypergraph(tmp_path, rich())

    def refuse(*args, **options):
        raise AssertionError("unpickled")

    for name in ("pickle.load", "pickle.loads", "pickle.Unpickler", "torch.load"):
        monkeypatch.setattr(name, refuse)
    assert everything(load_hypergraph(tmp_path)) == everything(rich())


def test_a_folder_without_a_hypergraph_is_named(tmp_path):
    with pytest.raises(
        FileNotFoundError, match=r"holds no hypergraph: there is no hypergraph\.json"
    ):
        load_hypergraph(tmp_path)
    (tmp_path / "taken").write_text("")
    with pytest.raises(FileExistsError, match="taken"):
        save_hypergraph(tmp_path / "taken", rich())
