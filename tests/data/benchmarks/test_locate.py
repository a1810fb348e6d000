"""Where the files of benchmarks are found and kept."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from hypersage_dgl._utils import replacing
from hypersage_dgl.data.benchmarks.hypergcn import load_benchmark
from hypersage_dgl.data.benchmarks.locate import (
    cache_dir,
    named_folder,
    read_cache_or_download,
    read_files,
)


def test_the_default_folder_is_below_the_home_directory(monkeypatch, tmp_path):
    monkeypatch.delenv("DGL_DOWNLOAD_DIR")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert cache_dir() == tmp_path / ".cache" / "hypersage_dgl"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("tiny", ["coauthorship"], indirect=True)
def test_the_default_folder_is_used(tiny, monkeypatch, tmp_path):
    monkeypatch.delenv("DGL_DOWNLOAD_DIR")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    load_benchmark(tiny.source, tiny.root)
    (kept,) = (tmp_path / "home").rglob("*.npz")
    assert kept.parent == tmp_path / "home" / ".cache" / "hypersage_dgl" / "converted"


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("tiny", ["coauthorship"], indirect=True)
@pytest.mark.parametrize("stream", [Terminal, io.StringIO])
def test_a_bar_on_terminals_only(tiny, server, monkeypatch, stream):
    server.serve_files(tiny.source, tiny.contents)
    shown = stream()
    monkeypatch.setattr(sys, "stderr", shown)
    load_benchmark(tiny.source, base_url=server.url)
    if stream is Terminal:
        assert shown.getvalue().split("\r")[-1].startswith("tiny: 100%")
    else:
        assert shown.getvalue() == ""


def test_content_is_on_the_disk_before_it_gets_its_name(tmp_path, monkeypatch):
    target, done = tmp_path / "a", []
    sync, rename = os.fsync, Path.replace

    def note_sync(number):
        done.append(("sync", os.fstat(number).st_size, target.exists()))
        sync(number)

    def note_rename(path, to):
        done.append(("rename", path.stat().st_size, target.exists()))
        return rename(path, to)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(Path, "replace", note_rename)
    with replacing(target) as file:
        file.write(b"whole")
    assert done[:2] == [("sync", 5, False), ("rename", 5, False)]
    # And the folder, which holds the name.
    assert [(what, named) for what, _, named in done[2:]] == [("sync", True)]
    assert target.read_bytes() == b"whole"


def test_no_folder_is_named(tiny):
    assert named_folder(tiny.source, None) is None


def test_a_copy_of_the_repository_or_of_its_data(tiny):
    expected = tiny.root / tiny.source.folder
    assert named_folder(tiny.source, tiny.root) == expected
    assert named_folder(tiny.source, str(tiny.root / "data")) == expected


def test_the_variable_may_lack_this_one_but_the_argument_must_not(tiny, tmp_path, monkeypatch):
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("HYPERSAGE_DATA_DIR", str(tmp_path / "empty"))
    assert named_folder(tiny.source, None) is None
    with pytest.raises(FileNotFoundError, match="tiny is not in data_dir"):
        named_folder(tiny.source, tmp_path / "empty")


def test_files_are_the_declared_ones(tiny):
    folder = tiny.root / tiny.source.folder
    assert read_files(tiny.source, folder) == tiny.contents
    (folder / "labels.pickle").write_bytes(b"other")
    with pytest.raises(ValueError, match=r"labels\.pickle is damaged or another version"):
        read_files(tiny.source, folder)


def test_what_is_fetched_is_kept(tiny, server, own_cache):
    server.serve_files(tiny.source, tiny.contents)
    for _ in range(2):
        assert read_cache_or_download(tiny.source, server.url) == tiny.contents
    assert len(server.asked) == len(tiny.contents)
    kept = own_cache / "hypergcn" / tiny.source.folder
    assert {file: (kept / file).read_bytes() for file in tiny.contents} == tiny.contents
