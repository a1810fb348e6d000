"""From the public files to arrays: where they are looked for, and what is kept."""

import hashlib
import multiprocessing
import pickle
import threading

import numpy as np
import pytest
from plain_arrays import arrays_of

from hypersage_dgl.data import member_sets
from hypersage_dgl.data.benchmarks import hypergcn as benchmark
from hypersage_dgl.data.benchmarks import locate
from hypersage_dgl.data.benchmarks.download import fetch
from hypersage_dgl.data.benchmarks.files import Benchmark
from hypersage_dgl.data.benchmarks.hypergcn import convert, load_benchmark

# What the tiny benchmark of conftest.py is, written down by hand.
MEMBERS = [[0, 1, 3], [1, 2, 4, 5], [0, 1, 3], [6, 7, 8], [5, 8]]


@pytest.fixture(autouse=True)
def quick_tries(monkeypatch):
    def quick(*args, **options):
        return fetch(*args, **options, pause=0.01)

    monkeypatch.setattr(locate, "fetch", quick)


def files_below(folder):
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def assert_is_tiny(data, contents):
    arrays = arrays_of(data)
    assert arrays.num_hyperedges == 5
    assert arrays.node_ids.tolist() == [v for members in MEMBERS for v in members]
    assert arrays.hyperedge_ids.tolist() == [e for e, m in enumerate(MEMBERS) for _ in m]
    assert arrays.labels.tolist() == [0, 1, 2] * 4
    assert arrays.class_names == ("0", "1", "2")
    features = pickle.loads(contents["features.pickle"])
    assert arrays.features.dtype == np.float32
    assert np.array_equal(arrays.features.toarray(), features.toarray())
    assert len(arrays.splits) == 10
    for number, split in enumerate(arrays.splits, start=1):
        given = pickle.loads(contents[f"splits/{number}.pickle"])
        assert split.train.tolist() == sorted(given["train"])
        assert split.test.tolist() == sorted(given["test"])
        assert len(split.val) == 0
    for ids in (arrays.node_ids, arrays.hyperedge_ids, arrays.labels, *arrays.splits[0]):
        assert ids.dtype == np.int64


def test_reads_a_named_folder_and_keeps_only_the_conversion(tiny, own_cache):
    assert_is_tiny(load_benchmark(tiny.source, tiny.root), tiny.contents)
    assert files_below(own_cache) == [f"converted/tiny-{tiny.source.key}-1.npz"]
    assert_is_tiny(load_benchmark(tiny.source, tiny.root), tiny.contents)


def test_the_folder_data_itself_may_be_named(tiny):
    assert_is_tiny(load_benchmark(tiny.source, str(tiny.root / "data")), tiny.contents)


def test_the_variable_names_a_folder(tiny, monkeypatch):
    monkeypatch.setenv("HYPERSAGE_DATA_DIR", str(tiny.root))
    assert_is_tiny(load_benchmark(tiny.source), tiny.contents)


def test_the_argument_goes_before_the_variable(tiny, monkeypatch, tmp_path):
    monkeypatch.setenv("HYPERSAGE_DATA_DIR", str(tmp_path / "nowhere"))
    assert_is_tiny(load_benchmark(tiny.source, tiny.root), tiny.contents)


def test_a_variable_without_this_data_set_is_passed_over(tiny, server, monkeypatch, tmp_path):
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("HYPERSAGE_DATA_DIR", str(tmp_path / "empty"))
    server.serve_files(tiny.source, tiny.contents)
    assert_is_tiny(load_benchmark(tiny.source, base_url=server.url), tiny.contents)


def test_a_folder_that_does_not_exist(tiny, monkeypatch, tmp_path):
    nowhere = tmp_path / "nowhere"
    with pytest.raises(FileNotFoundError, match=f"data_dir is {nowhere}, which is not a folder"):
        load_benchmark(tiny.source, nowhere)
    monkeypatch.setenv("HYPERSAGE_DATA_DIR", str(nowhere))
    with pytest.raises(FileNotFoundError, match=f"HYPERSAGE_DATA_DIR is {nowhere}, which"):
        load_benchmark(tiny.source)


def test_a_named_folder_must_have_the_files_even_if_the_cache_has_them(tiny, tmp_path):
    load_benchmark(tiny.source, tiny.root)
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileNotFoundError, match=r"hypergraph\.pickle, features\.pickle.*debian"):
        load_benchmark(tiny.source, tmp_path / "empty")
    (tiny.root / tiny.source.folder / "splits" / "7.pickle").unlink()
    with pytest.raises(FileNotFoundError, match=r"lacks splits/7\.pickle of tiny"):
        load_benchmark(tiny.source, tiny.root)


@pytest.mark.parametrize("file", ["hypergraph.pickle", "features.pickle", "splits/10.pickle"])
@pytest.mark.parametrize("damage", [lambda c: c[:-1], lambda c: c + b"x", lambda c: b""])
def test_a_damaged_file_in_a_named_folder(tiny, own_cache, file, damage):
    path = tiny.root / tiny.source.folder / file
    path.write_bytes(damage(tiny.contents[file]))
    with pytest.raises(ValueError, match=f"{path} is damaged or another version"):
        load_benchmark(tiny.source, tiny.root)
    assert not own_cache.exists()


def test_later_loads_read_only_the_conversion(tiny, server, own_cache, monkeypatch):
    server.serve_files(tiny.source, tiny.contents)
    load_benchmark(tiny.source, base_url=server.url)
    assert len(server.asked) == 13
    monkeypatch.setattr(benchmark, "load_pickle", None)
    for path in (own_cache / "hypergcn").rglob("*.pickle"):
        path.unlink()
    assert_is_tiny(load_benchmark(tiny.source, base_url=server.url), tiny.contents)
    assert len(server.asked) == 13


@pytest.mark.parametrize("damage", [lambda c: c[: len(c) // 2], lambda c: b"", lambda c: b"PK\3\4"])
def test_a_damaged_conversion_is_made_again(tiny, own_cache, damage):
    load_benchmark(tiny.source, tiny.root)
    (converted,) = own_cache.rglob("*.npz")
    whole = converted.read_bytes()
    converted.write_bytes(damage(whole))
    assert_is_tiny(load_benchmark(tiny.source, tiny.root), tiny.contents)
    assert_is_tiny(load_benchmark(tiny.source, tiny.root), tiny.contents)
    assert len(converted.read_bytes()) == len(whole)


def test_other_files_never_meet_an_old_conversion(tiny, own_cache):
    load_benchmark(tiny.source, tiny.root)
    contents = {**tiny.contents, "labels.pickle": pickle.dumps([2, 1, 0] * 4)}
    digests = {file: hashlib.sha256(content).hexdigest() for file, content in contents.items()}
    changed = Benchmark("tiny", tiny.source.folder, digests, 10**6, {})
    (tiny.root / changed.folder / "labels.pickle").write_bytes(contents["labels.pickle"])
    assert load_benchmark(changed, tiny.root).labels.tolist() == [2, 1, 0] * 4
    assert len(list(own_cache.rglob("*.npz"))) == 2


def test_an_interrupted_download_leaves_whole_files_only_and_goes_on_later(tiny, server, own_cache):
    server.serve_files(tiny.source, tiny.contents)
    path = f"/{tiny.source.folder}/splits/4.pickle"
    content = tiny.contents["splits/4.pickle"]
    server.replies[path] = [server.body(content, len(content) // 2)] * 3
    with pytest.raises(FileNotFoundError, match=r"tiny is not on this machine.*SHA-256.*3 times"):
        load_benchmark(tiny.source, base_url=server.url)
    kept = files_below(own_cache / "hypergcn" / tiny.source.folder)
    assert kept == sorted(list(tiny.source.sha256)[:6])
    for file in kept:
        kept_content = (own_cache / "hypergcn" / tiny.source.folder / file).read_bytes()
        assert kept_content == tiny.contents[file]
    assert not list(own_cache.rglob("*.npz"))
    asked = len(server.asked)
    assert_is_tiny(load_benchmark(tiny.source, base_url=server.url), tiny.contents)
    assert len(server.asked) == asked + 7
    assert not list(own_cache.rglob("*.part"))


def test_a_corrupted_download_is_not_kept(tiny, server, own_cache):
    server.serve_files(tiny.source, {**tiny.contents, "hypergraph.pickle": b"<html>"})
    with pytest.raises(FileNotFoundError, match="could not be downloaded"):
        load_benchmark(tiny.source, base_url=server.url)
    assert not own_cache.exists()


def test_a_damaged_file_in_the_cache_is_fetched_again(tiny, server, own_cache):
    path = own_cache / "hypergcn" / tiny.source.folder / "labels.pickle"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"damaged")
    server.serve_files(tiny.source, tiny.contents)
    assert_is_tiny(load_benchmark(tiny.source, base_url=server.url), tiny.contents)
    assert path.read_bytes() == tiny.contents["labels.pickle"]


def test_files_put_into_the_cache_by_hand_need_no_server(tiny, own_cache):
    own_cache.mkdir(parents=True)
    tiny.root.rename(own_cache / "hypergcn")
    data = load_benchmark(tiny.source, base_url="http://127.0.0.1:1")
    assert_is_tiny(data, tiny.contents)


def test_offline_without_data_says_what_to_do(tiny, own_cache):
    with pytest.raises(FileNotFoundError) as caught:
        load_benchmark(tiny.source, base_url="http://127.0.0.1:1")
    message = str(caught.value)
    for file in tiny.source.sha256:
        assert file in message
    for part in (
        str(own_cache / "hypergcn" / tiny.source.folder),
        "data_dir",
        "HYPERSAGE_DATA_DIR",
        'load_dataset("debian")',
    ):
        assert part in message


@pytest.mark.parametrize("tiny", ["coauthorship"], indirect=True)
def test_a_server_that_redirects_to_http_is_one_without_the_data(tiny, server):
    server.otherwise = server.status(302, Location="http://example.org/file")
    with pytest.raises(FileNotFoundError, match=r'redirects to http.*load_dataset\("debian"\)'):
        load_benchmark(tiny.source, base_url=server.url)


def test_a_cache_that_cannot_be_written_is_done_without(tiny, own_cache):
    own_cache.parent.mkdir()
    own_cache.write_text("a file where the folder should be")
    with pytest.warns(UserWarning, match="could not be kept.*DGL_DOWNLOAD_DIR"):
        data = load_benchmark(tiny.source, tiny.root)
    assert_is_tiny(data, tiny.contents)


def load_elsewhere(source, url, results):
    arrays = arrays_of(load_benchmark(source, base_url=url))
    results.put((arrays.node_ids.tolist(), arrays.features.toarray().tolist()))


@pytest.mark.exhaustive
@pytest.mark.parametrize("tiny", ["cocitation"], indirect=True)
def test_two_processes_at_once(tiny, server, own_cache):
    server.serve_files(tiny.source, tiny.contents)
    answer, together = server.otherwise, threading.Barrier(2, timeout=1800)

    def wait_for_both(handler):
        together.wait()
        answer(handler)

    # Every file is asked for by both before either gets it: neither finds the other's.
    server.otherwise = wait_for_both
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    arguments = (tiny.source, server.url, results)
    processes = [context.Process(target=load_elsewhere, args=arguments) for _ in range(2)]
    for process in processes:
        process.start()
    first, second = results.get(timeout=1800), results.get(timeout=1800)
    for process in processes:
        process.join(timeout=1800)
    assert [process.exitcode for process in processes] == [0, 0]
    assert first == second
    assert len(server.asked) == 26
    assert not list(own_cache.rglob("*.part"))
    assert_is_tiny(load_benchmark(tiny.source, base_url="http://127.0.0.1:1"), tiny.contents)


def deep_list():
    """A list whose repr would take years: each level holds the one below twice."""
    value = []
    for _ in range(100):
        value = [value, value]
    return value


@pytest.mark.parametrize(
    ("file", "value", "message"),
    [
        ("hypergraph.pickle", [[0, 1]], "holds a list and features.pickle a csr_matrix"),
        ("hypergraph.pickle", {"a": [0, 1.5]}, "hyperedge 'a' must be a list or set of integers"),
        ("hypergraph.pickle", {"a": "01"}, "hyperedge 'a' must be a list or set of integers"),
        ("features.pickle", [[1.0]], "features.pickle a list"),
        (
            "labels.pickle",
            [0] * 11,
            r"shape \(12, 6\), but tiny has 11 nodes; give one row for each",
        ),
        ("labels.pickle", [-1] * 12, "labels go from -1"),
        ("splits/3.pickle", {"train": [0, 1], "test": [1]}, "split 3 of tiny lists node 1 2 times"),
        (
            "splits/3.pickle",
            {"train": [12], "test": [1]},
            "split 3 of tiny has node id 12; ids go from 0",
        ),
        ("labels.pickle", deep_list(), "labels.pickle must be a list or set .* not a list of list"),
        ("splits/3.pickle", deep_list(), "not a list of list"),
        ("splits/3.pickle", [[0], [1]], "splits/3.pickle must be a dict of 'train' and 'test'"),
    ],
)
def test_files_of_another_form_are_refused(tiny, file, value, message):
    contents = {**tiny.contents, file: pickle.dumps(value, protocol=4)}
    with pytest.raises(ValueError, match=message):
        convert(contents, "tiny")


def test_the_citing_paper_becomes_a_member_where_there_is_one(tiny, own_cache):
    if "coauthorship" in tiny.source.folder:
        with pytest.raises(ValueError, match="citing_member is of co-citation, and tiny is none"):
            load_benchmark(tiny.source, tiny.root, citing_member=True)
        return
    load_benchmark(tiny.source, tiny.root)
    # The second time from the cache, beside the one without citing papers.
    for _ in range(2):
        data = load_benchmark(tiny.source, tiny.root, citing_member=True)
        assert data.name == "tiny with citing papers"
        expected = [sorted({key, *members}) for key, members in enumerate(MEMBERS)]
        assert [list(members) for members in member_sets(data.graph)] == expected
    assert len(files_below(own_cache)) == 2
    assert_is_tiny(load_benchmark(tiny.source, tiny.root), tiny.contents)


def test_keys_that_are_no_papers_are_refused(tiny):
    hyperedges = {"author": [0, 1]}
    contents = {**tiny.contents, "hypergraph.pickle": pickle.dumps(hyperedges, protocol=4)}
    with pytest.raises(ValueError, match=r"the keys of hypergraph\.pickle must be a list"):
        convert(contents, "tiny", citing_member=True)
