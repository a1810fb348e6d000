"""Files of numpy and scipy are read without pickle, checked, and written whole or not at all."""

import numpy as np
import pytest
from scipy import sparse

from hypersage_dgl._utils import array_names, is_matrix, read_array, read_matrix, write_matrix

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
