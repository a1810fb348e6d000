"""Where data are kept, that they are kept whole, and that one sees them come."""

import io
import os
import sys
from pathlib import Path

import pytest

from hypersage_dgl._utils import replacing
from hypersage_dgl.data.benchmark import load_benchmark
from hypersage_dgl.data.folders import cache_dir


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
