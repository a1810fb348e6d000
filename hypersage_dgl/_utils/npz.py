"""Arrays and sparse matrices in files of numpy and scipy, read without pickle and checked."""

from __future__ import annotations

import io
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from .atomic import replacing
from .damage import refusing_damage

Array = np.ndarray[Any, Any]


def array_names(path: Path) -> set[str]:
    """Names of the arrays in an npz file; none in an npy file, which holds one array."""
    opened = _load(path)
    return set() if isinstance(opened, np.ndarray) else set(opened)


def is_matrix(path: Path) -> bool:
    """Whether the file is one that ``scipy.sparse.save_npz`` writes."""
    return {"format", "shape"} <= array_names(path)


def read_matrix(path: Path) -> sparse.spmatrix:
    """Read what ``scipy.sparse.save_npz`` wrote."""
    with path.open("rb") as file, _refusing_damage(path):
        matrix = sparse.load_npz(file)
        if matrix.format in ("csr", "csc", "bsr"):
            # scipy trusts stored indices, and would follow a wrong one out of its memory.
            matrix.check_format(full_check=True)
        return matrix


def read_array(path: Path) -> Array:
    """Read the one array of an npy or npz file."""
    opened = _load(path)
    if isinstance(opened, np.ndarray):
        return opened
    if len(opened) != 1:
        raise ValueError(
            f"{path} holds the arrays {sorted(opened)}; save one alone, or a sparse matrix with "
            "scipy.sparse.save_npz"
        )
    array: Array = next(iter(opened.values()))
    return array


def write_matrix(path: Path, matrix: sparse.spmatrix) -> None:
    """Write a sparse matrix as ``scipy.sparse.save_npz`` does, whole or not at all."""
    content = io.BytesIO()
    sparse.save_npz(content, matrix)
    with replacing(path) as file:
        file.write(content.getvalue())


def _load(path: Path) -> Array | dict[str, Array]:
    # Opened here, since numpy leaves the file of a damaged archive open.
    with path.open("rb") as file, _refusing_damage(path):
        opened = np.load(file, allow_pickle=False)
        return opened if isinstance(opened, np.ndarray) else {k: opened[k] for k in opened}


def _refusing_damage(path: Path) -> AbstractContextManager[None]:
    return refusing_damage(
        f"{path} is damaged, or no file of numpy without pickle", "save it again"
    )
