"""Text files come back or are refused, and take no more memory than allowed."""

import gzip
import io
import json
import os
import struct
import threading
import tracemalloc
import zipfile

import numpy as np
import pytest
from scipy import sparse

from hypersage_dgl import hypergraph, hypergraph_from_incidence
from hypersage_dgl._utils import check_id_count, read_text, write_text
from hypersage_dgl._utils.text import allowed_bytes, allowed_text
from hypersage_dgl.convert import from_hif_dict, from_scipy, read_csv, read_hif, read_table
from hypersage_dgl.convert.names import hashed
from hypersage_dgl.data import LabelledHypergraph, load, read_features
from hypersage_dgl.data.stored import pack


def npy(shape, kind="'<f8'", content=b""):
    text = f"{{'descr': {kind}, 'fortran_order': False, 'shape': {shape}, }}".encode()
    header = text.ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + content


def test_a_file_may_take_its_own_size_or_the_limit(tmp_path):
    (tmp_path / "a").write_bytes(bytes(100))
    assert allowed_bytes(tmp_path / "a", 10) == 100
    assert allowed_bytes(tmp_path / "a", 1000) == 1000
    assert allowed_bytes(tmp_path / "a") == 2**30
    for wrong in (0, -1, True, 2.0):
        with pytest.raises(ValueError, match="max_bytes is"):
            allowed_bytes(tmp_path / "a", wrong)


def test_zeros_that_unpack_to_gigabytes_are_not_unpacked(tmp_path):
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", npy("(2, 1000000)", content=bytes(16_000_000)))
    assert path.stat().st_size < 20_000
    with pytest.raises(ValueError, match=r"a\.npz: its arrays would take 16,000,000 bytes.*max_b"):
        read_features(path, max_bytes=10**6)
    assert read_features(path).shape == (2, 10**6)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (npy("(1, 500000000)"), "needs 4000000000 bytes, and there are 0"),
        (npy("(2,)", "'|O'", bytes(16)), "no type of numbers or words"),
        (npy("(1,)", "'<U9999999'"), "longer than 10000 characters"),
        (npy("(-1,)"), r"the shape \(-1,\)"),
        (npy("(1,)", "[('a', '<i8')]", bytes(8)), "no type of numbers"),
    ],
)
@pytest.mark.parametrize("is_zip", [True, False])
def test_headers_are_read_before_memory_is_taken(tmp_path, content, words, is_zip):
    path = tmp_path / "a.npz"
    if is_zip:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("a.npy", content)
    else:
        path.write_bytes(content)
    with pytest.raises(ValueError, match=rf"a\.npz is damaged.*{words}"):
        read_features(path)


def test_other_packings_and_members_twice_are_refused(tmp_path):
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.npy", npy("(1, 1)", content=bytes(8)))
    with pytest.raises(ValueError, match="packed in the way 14"):
        read_features(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.npy", npy("(1, 1)", content=bytes(8)))
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a.npy", npy("(1, 1)", content=bytes(8)))
    with pytest.raises(ValueError, match=r"the array 'a' is in it twice"):
        read_features(path)


def test_a_gzip_file_is_unpacked_to_the_limit_alone(tmp_path):
    text = json.dumps({"incidences": [], "metadata": {"a": " " * 10**6}})
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(text.encode()))
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"node,hyperedge\n" + b"\n" * 10**6))
    for read, name in ((read_hif, "a.json.gz"), (read_csv, "a.csv.gz"), (load, "a.csv.gz")):
        with pytest.raises(ValueError, match=rf"{name}: .* more than 50,000 unpacked.*max_bytes"):
            read(tmp_path / name, max_bytes=6_000_000)
        read(tmp_path / name)


def test_ids_need_incidences(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_text("node,hyperedge\n200000000,0\n")
    with pytest.raises(ValueError, match=r"a\.csv: 200,000,001 nodes for 1 incidences.*id_factor"):
        read_csv(path, ids=True)
    monkeypatch.setattr("hypersage_dgl._utils.text.LEAST_IDS", 100)
    path.write_text("node,hyperedge\n2000,0\n")
    with pytest.raises(ValueError, match="2,001 nodes"):
        read_csv(path, ids=True)
    assert read_csv(path, ids=True, id_factor=3000).graph.num_nodes("node") == 2001


def test_declared_counts_need_incidences(tmp_path):
    matrix = sparse.csr_matrix(([1.0], ([0], [0])), shape=(1, 50_000_000))
    with pytest.raises(ValueError, match="50,000,000 hyperedges for 1 incidences"):
        from_scipy(matrix)
    arrays = pack(LabelledHypergraph(hypergraph([[0, 1]])))
    for name, what in (("num_nodes", "nodes"), ("num_hyperedges", "hyperedges")):
        np.savez(tmp_path / "a.npz", **{**arrays, name: np.int64(10**9)})
        with pytest.raises(ValueError, match=rf"a\.npz: 1,000,000,000 {what} for"):
            load(tmp_path / "a.npz")


def test_a_matrix_of_a_wide_shape_is_refused_before_scipy_sees_it(tmp_path):
    content = io.BytesIO()
    sparse.save_npz(content, sparse.coo_matrix((1, 1)))
    content.seek(0)
    arrays = {**np.load(content), "shape": np.array([1, 500_000_000])}
    np.savez(tmp_path / "a.npz", **arrays)
    with pytest.raises(ValueError, match=r"a matrix of the shape \(1, 500000000\) would take"):
        load(tmp_path / "a.npz")


def test_large_ids_in_memory_need_a_number_of_nodes():
    with pytest.raises(ValueError, match=r"20,000,001 nodes for 2 .*num_nodes=20000001"):
        hypergraph([[0, 20_000_000]])
    with pytest.raises(ValueError, match="num_hyperedges=20000001"):
        hypergraph_from_incidence([0], [20_000_000])
    with pytest.raises(ValueError, match="more memory than there is"):
        hypergraph([[0]], 2**63 - 1)


@pytest.mark.parametrize("factor", [0, -1, True, 1.5])
def test_the_factor_is_a_positive_integer(factor):
    with pytest.raises(ValueError, match="id_factor is"):
        check_id_count(1, 1, "node", factor)


def test_integers_of_one_hash_are_looked_up_as_fast_as_others():
    modulus, count = 2**61 - 1, 20_000
    names = [i * modulus for i in range(1, count)]
    assert len({hash(name) for name in names}) == 1
    # In one bucket of a dict this would take minutes.
    assert len({hash(hashed(name)) for name in names}) > count // 2
    named = from_hif_dict({"incidences": [{"node": name, "edge": 0} for name in names]})
    assert named.node_names == tuple(names)


def test_a_gzipped_text_may_be_what_has_room_as_objects_or_what_texts_usually_are(tmp_path):
    path = tmp_path / "a.gz"
    path.write_bytes(bytes(1000))
    assert allowed_text(path) == 2**30 // 120
    assert allowed_text(path, 2_400_000) == 20_000
    assert allowed_text(path, 1_000_000) == 20_000
    # Never more bytes than memory.
    assert allowed_text(path, 10_000) == 10_000


@pytest.mark.parametrize(("name", "part"), [("a.csv.gz", b"a,b\n"), ("a.json.gz", b"[0],")])
def test_what_a_small_gzip_file_takes_in_memory_is_what_is_allowed(tmp_path, name, part):
    text = part * 1_000_000
    (tmp_path / name).write_bytes(gzip.compress(text))
    del text
    read, allowed = (read_hif if "json" in name else read_csv), 20_000_001
    tracemalloc.start()
    with pytest.raises(ValueError, match="packed bytes are more than 166,666 unpacked"):
        read(tmp_path / name, max_bytes=allowed)
    taken = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert taken < allowed


@pytest.mark.parametrize("read", [read_csv, read_hif, read_table, read_text])
def test_an_endless_file_is_read_to_the_limit(read):
    with pytest.raises(ValueError, match=r"/dev/zero: more than 1,000 bytes.*max_bytes"):
        read("/dev/zero", max_bytes=1000)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
@pytest.mark.parametrize("is_packed", [True, False])
def test_a_pipe_is_read_once(tmp_path, is_packed):
    text = b"node,hyperedge\na,x\n"
    os.mkfifo(tmp_path / "a.csv")
    content = gzip.compress(text) if is_packed else text
    writer = threading.Thread(target=(tmp_path / "a.csv").write_bytes, args=(content,))
    writer.start()
    assert dict(read_table(tmp_path / "a.csv")) == {"node": ["a"], "hyperedge": ["x"]}
    writer.join()


def test_text_that_is_no_utf_8_is_refused(tmp_path):
    with pytest.raises(ValueError, match="half of a surrogate pair"):
        write_text(tmp_path / "a.csv", "node\n\udc80\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
@pytest.mark.parametrize("text", ["", "one\ntwo\n", "é, 数, 🙂", "\r\n kept \r\n"])
def test_text_comes_back(tmp_path, text, name):
    write_text(tmp_path / name, text)
    assert read_text(tmp_path / name) == text
    packed = (tmp_path / name).read_bytes()
    assert packed.startswith(b"\x1f\x8b") == name.endswith(".gz")
    assert (gzip.decompress(packed) if name.endswith(".gz") else packed) == text.encode()


def test_gzip_goes_by_the_content_and_equal_texts_are_equal_files(tmp_path):
    (tmp_path / "plain.txt").write_bytes(gzip.compress(b"packed"))
    assert read_text(tmp_path / "plain.txt") == "packed"
    for name in ("a.gz", "b.gz"):
        write_text(tmp_path / name, "same")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
