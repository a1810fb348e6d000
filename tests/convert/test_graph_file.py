"""DGL's file of a graph: a full disk is noticed, and only what was written is read."""

import hashlib
import os
import resource

import dgl
import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import graph_file, read_folder, write_folder
from hypersage_dgl.convert.graph_file import read_graph, sha256_of, write_graph

GRAPH = hypergraph([[0, 1, 2], [2, 3]])


def test_a_graph_comes_back(tmp_path):
    file = tmp_path / "a.bin"
    digest = write_graph(GRAPH, file)
    assert digest == sha256_of(file) == hashlib.sha256(file.read_bytes()).hexdigest()
    back = read_graph(file, digest, tmp_path / "record")
    assert torch.equal(back.edges(etype="in")[0], GRAPH.edges(etype="in")[0])
    assert [p.name for p in tmp_path.iterdir()] == ["a.bin"]


def test_another_file_is_not_given_to_dgl(tmp_path, monkeypatch):
    file = tmp_path / "a.bin"
    digest = write_graph(GRAPH, file)
    file.write_bytes(file.read_bytes()[:-1])
    monkeypatch.setattr(dgl, "load_graphs", None)
    with pytest.raises(ValueError, match="its SHA-256 is not the noted one"):
        read_graph(file, digest, tmp_path / "record")
    with pytest.raises(FileNotFoundError):
        read_graph(tmp_path / "none.bin", digest, tmp_path / "record")


def test_a_system_without_files_in_memory_takes_a_temporary_one(tmp_path, monkeypatch):
    monkeypatch.delattr(os, "memfd_create")
    digest = write_graph(GRAPH, tmp_path / "a.bin")
    assert read_graph(tmp_path / "a.bin", digest, tmp_path / "r").num_nodes("node") == 4


@pytest.mark.parametrize("short", [1, 100, 2000])
def test_a_full_disk_loses_neither_old_nor_new_without_an_error(tmp_path, short):
    write_folder(hypergraph([[0, 1]]), tmp_path)
    size = next(tmp_path.glob("graph-*.bin")).stat().st_size
    files = sorted(p.name for p in tmp_path.iterdir())
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    # Python ignores the signal, so that a write beyond the limit fails as on a full disk.
    resource.setrlimit(resource.RLIMIT_FSIZE, (size - short, before[1]))
    try:
        with pytest.raises(OSError, match=r"File too large|could not write"):
            write_folder(hypergraph([[0, 2]]), tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert sorted(p.name for p in tmp_path.iterdir()) == files
    assert read_folder(tmp_path).graph.num_nodes("node") == 2


def test_what_is_not_read_back_as_written_gets_no_name(tmp_path, monkeypatch):
    write_folder(hypergraph([[0, 1]]), tmp_path)
    monkeypatch.setattr("hypersage_dgl.convert.folder.sha256_of", lambda file: "another")
    with pytest.raises(OSError, match="not what is read back"):
        write_folder(hypergraph([[0, 1, 2]]), tmp_path)
    assert read_folder(tmp_path).graph.num_nodes("node") == 2


def test_a_file_removed_while_it_is_read_is_read(tmp_path, monkeypatch):
    file = tmp_path / "a.bin"
    digest = write_graph(GRAPH, file)
    inner = graph_file._sha256

    def hash_and_remove(stream):
        found = inner(stream)
        file.unlink()
        return found

    monkeypatch.setattr(graph_file, "_sha256", hash_and_remove)
    assert read_graph(file, digest, tmp_path / "record").num_nodes("node") == 4
