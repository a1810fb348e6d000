"""Files of numpy come back, or are refused without running them or taking their memory."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile
import zlib

import numpy as np
import pytest
from scipy import sparse

from hypersage_dgl._utils import (
    array_names,
    check_declared,
    is_matrix,
    read_array,
    read_arrays,
    read_matrix,
    refusing_damage,
    write_matrix,
)
from hypersage_dgl._utils.npz import first_repeated

MATRIX = sparse.csr_matrix(np.array([[0, 2.0], [3, 0]]))


def test_a_matrix_comes_back(tmp_path):
    write_matrix(tmp_path / "a.npz", MATRIX)
    assert is_matrix(tmp_path / "a.npz")
    assert (read_matrix(tmp_path / "a.npz") != MATRIX).nnz == 0
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]


def test_arrays_by_name(tmp_path):
    np.savez(tmp_path / "two.npz", a=np.arange(2), b=np.arange(3))
    np.savez(tmp_path / "one.npz", np.arange(3))
    np.save(tmp_path / "one.npy", np.arange(3))
    assert array_names(tmp_path / "two.npz") == {"a", "b"}
    assert array_names(tmp_path / "one.npy") == set()
    assert not is_matrix(tmp_path / "two.npz")
    for name in ("one.npz", "one.npy"):
        assert read_array(tmp_path / name).tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match=r"two\.npz holds the arrays \['a', 'b'\]; save one alone"):
        read_array(tmp_path / "two.npz")


class Bomb:
    def __reduce__(self):
        return print, ("ran code of the file",)


def test_pickles_are_refused_and_not_run(tmp_path, capsys):
    np.save(tmp_path / "a.npy", np.array([Bomb()], dtype=object), allow_pickle=True)
    np.savez(tmp_path / "a.npz", np.array([Bomb()], dtype=object))
    for name in ("a.npy", "a.npz"):
        with pytest.raises(ValueError, match="damaged, or no file of numpy without pickle"):
            read_array(tmp_path / name)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_matrix])
def test_indices_out_of_range_are_refused(tmp_path, form):
    matrix = form(MATRIX, copy=True)
    matrix.indices[0] = 2**30
    sparse.save_npz(tmp_path / "a.npz", matrix)
    with pytest.raises(ValueError, match=r"a\.npz is damaged"):
        read_matrix(tmp_path / "a.npz")


@pytest.mark.parametrize("name", ["a.npy", "a.npz"])
def test_a_long_header_is_refused_before_it_is_read(tmp_path, name):
    path, length = tmp_path / name, 50_000_000
    header = b"\x93NUMPY\x02\x00" + struct.pack("<I", length) + b" " * length
    if name == "a.npy":
        path.write_bytes(header)
    else:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("shape.npy", header)
            archive.writestr("format.npy", header)
    del header
    for read in (read_array, read_arrays, read_matrix, check_declared):
        tracemalloc.start()
        with pytest.raises(ValueError, match=r"an npy header of 50,000,000 bytes"):
            read(path, 1_000_000)
        taken = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert taken < 2_000_000


def test_a_header_of_version_2_is_read(tmp_path):
    content = io.BytesIO()
    np.lib.format.write_array(content, np.arange(3), version=(2, 0))
    (tmp_path / "a.npy").write_bytes(content.getvalue())
    assert read_array(tmp_path / "a.npy").tolist() == [0, 1, 2]


class Name(str):
    """A name that counts how often it is compared."""

    compared = 0

    def __eq__(self, other):
        Name.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_a_name_twice_is_found_without_comparing_each_with_each():
    names = [Name(f"a{i}") for i in range(300)]
    assert first_repeated([*names, Name("a299")]) == "a299"
    # Each with each would be 45,000 times.
    assert Name.compared < 3_000


def test_two_names_that_are_one_for_numpy_are_refused(tmp_path):
    content = io.BytesIO()
    np.save(content, np.arange(1))
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("a.npy", content.getvalue())
        archive.writestr("a", content.getvalue())
    with pytest.raises(ValueError, match="the array 'a' is in it twice"):
        read_arrays(tmp_path / "a.npz")


@pytest.mark.parametrize(
    "error",
    [
        ValueError("bad header"),
        OSError("gone"),
        KeyError("name"),
        EOFError("short"),
        zipfile.BadZipFile("no zip"),
        zlib.error("bits"),
        MemoryError("huge"),
        NotImplementedError("method 99"),
        RuntimeError("password"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_every_error_of_a_reader(error):
    words = r"^a\.npz is damaged \(.*\); save it again$"
    damage = refusing_damage("a.npz is damaged", "save it again")
    with pytest.raises(ValueError, match=words) as caught, damage:
        raise error
    assert type(error).__name__ in str(caught.value)
    assert caught.value.__cause__ is error


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_what_is_no_failure_of_a_reader_passes(error):
    with pytest.raises(error), refusing_damage("a.npz is damaged", "save it again"):
        raise error


def test_what_goes_well_goes_well():
    with refusing_damage("a.npz is damaged", "save it again"):
        found = int("7")
    assert found == 7


def test_numpy_files_cut_off_anywhere():
    buffer = io.BytesIO()
    np.savez_compressed(buffer, a=np.arange(50))
    whole = buffer.getvalue()
    for end in range(0, len(whole), 7):
        damage = refusing_damage("it is cut off", "save it again")
        with pytest.raises(ValueError, match=r"^it is cut off \(\w+:"), damage:
            np.load(io.BytesIO(whole[:end]), allow_pickle=False)["a"]
