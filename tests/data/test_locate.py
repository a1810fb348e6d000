"""Which folder a benchmark's files are read from, and that they are the declared ones."""

import pytest

from hypersage_dgl.data.locate import named_folder, read_cache_or_download, read_files


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
