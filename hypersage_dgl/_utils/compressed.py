"""The one gate for sparse matrices from outside: no index may lead out of their memory.

scipy and torch follow stored indices without a look. scipy's own full check looks at nothing where
``indptr[-1]`` is 0, and torch's is off unless asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

CURE = "build the matrix again, or read it again from its source"
COMPRESSED = (torch.sparse_csr, torch.sparse_csc, torch.sparse_bsr, torch.sparse_bsc)


def check_matrix(matrix: Any, what: str = "the sparse matrix") -> None:
    """Refuse a scipy matrix whose indices lead out of its memory.

    Parameters
    ----------
    matrix
        A sparse matrix or array in any form. Forms without compressed indices are turned into CSR
        by scipy, so check what :meth:`tocsr` gives.
    what
        What to call it in the error.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> matrix = sparse.csr_matrix((2, 3))
    >>> matrix.indptr = np.array([0, 50_000_000, 0])
    >>> check_matrix(matrix)
    Traceback (most recent call last):
    ValueError: the sparse matrix: indptr falls from 50000000 to 0; ...
    """
    if matrix.format == "coo":
        for axis, (index, size) in enumerate(zip((matrix.row, matrix.col), matrix.shape)):
            _require(index.ndim == matrix.data.ndim == 1, what, "other dimensions than one")
            _check_range(index, size, f"{what}: an index of axis {axis}")
        _require(len(matrix.row) == len(matrix.col) == len(matrix.data), what, "unequal lengths")
        return
    if matrix.format not in ("csr", "csc", "bsr"):
        return
    rows, columns = matrix.shape
    dimensions = 3 if matrix.format == "bsr" else 1
    _require(matrix.data.ndim == dimensions, what, f"other dimensions than {dimensions}")
    if matrix.format == "bsr":
        height, width = matrix.data.shape[1:]
        rows, columns = rows // max(height, 1), columns // max(width, 1)
    if matrix.format == "csc":
        rows, columns = columns, rows
    _check_compressed(matrix.indptr, matrix.indices, len(matrix.data), (rows, columns), what)


def check_sparse_tensor(feat: Tensor, what: str = "the sparse features") -> None:
    """Refuse a sparse tensor, of any layout, whose indices lead out of its memory."""
    rows, columns = feat.shape
    if feat.layout == torch.sparse_coo:
        index, values = feat._indices(), feat._values()
        _require(index.shape == (2, len(values)), what, "unequal lengths")
        for axis, size in enumerate((rows, columns)):
            _check_range(index[axis], size, f"{what}: an index of axis {axis}")
        return
    if feat.layout not in COMPRESSED:
        raise TypeError(f"{what} have the layout {feat.layout}; use feat.to_sparse_csr()")
    (starts, index), values = _compressed(feat), feat.values()
    if feat.layout in (torch.sparse_bsr, torch.sparse_bsc):
        height, width = values.shape[1:]
        rows, columns = rows // max(height, 1), columns // max(width, 1)
    if feat.layout in (torch.sparse_csc, torch.sparse_bsc):
        rows, columns = columns, rows
    _check_compressed(starts, index, len(values), (rows, columns), what)


def check_distinct(feat: Tensor, what: str = "the sparse features") -> None:
    """Refuse a checked sparse tensor that stores an entry twice: powers are not of their sum.

    Cheap enough for each step of training. COO tensors may hold such; they are sums by definition.
    """
    if feat.layout == torch.sparse_coo:
        return
    starts, index = _compressed(feat)
    falls = index[1:] <= index[:-1]
    # From one row to the next they may; ascending inside of each, as nearly always, none is twice.
    firsts = starts[1:-1]
    falls[firsts[(firsts > 0) & (firsts < len(index))].long() - 1] = False
    if not bool(falls.any()):
        return
    lengths = starts[1:] - starts[:-1]
    rows = torch.repeat_interleave(torch.arange(len(lengths), device=index.device), lengths)
    key = np.sort((rows * max(feat.shape) + index).cpu().numpy())
    if bool((key[1:] == key[:-1]).any()):
        raise ValueError(
            f"{what} hold an entry of the same row and column twice; add them up, as coalesce() of "
            "a COO tensor does"
        )


def _compressed(feat: Tensor) -> tuple[Tensor, Tensor]:
    if feat.layout in (torch.sparse_csr, torch.sparse_bsr):
        return feat.crow_indices(), feat.col_indices()
    return feat.ccol_indices(), feat.row_indices()


def _check_compressed(
    starts: Any, index: Any, values: int, shape: tuple[int, int], what: str
) -> None:
    """Arrays of numpy and tensors alike."""
    rows, columns = shape
    if starts.ndim != 1 or index.ndim != 1 or len(starts) != rows + 1:
        raise ValueError(
            f"{what}: indptr has the shape {tuple(starts.shape)} for {rows} rows; it must have one "
            f"entry more than rows; {CURE}"
        )
    _check_integers(starts, f"{what}: indptr")
    if int(starts[0]) != 0:
        raise ValueError(f"{what}: indptr begins with {int(starts[0])}; it must be 0; {CURE}")
    falls = starts[1:] < starts[:-1]
    if bool(falls.any()):
        at = int(falls.nonzero()[0][0])
        raise ValueError(
            f"{what}: indptr falls from {int(starts[at])} to {int(starts[at + 1])}; it must never "
            f"fall; {CURE}"
        )
    if not int(starts[-1]) == len(index) == values:
        raise ValueError(
            f"{what}: indptr ends with {int(starts[-1])}, for {len(index)} indices and {values} "
            f"values; the three must be equal; {CURE}"
        )
    _check_range(index, columns, f"{what}: an index")


def _check_integers(index: Any, what: str) -> None:
    # Others are rounded, cut or taken for what they are not.
    if str(index.dtype).removeprefix("torch.") not in ("int32", "int64"):
        raise ValueError(f"{what} is of type {index.dtype}; it must be int32 or int64; {CURE}")


def _check_range(index: Any, size: int, what: str) -> None:
    _check_integers(index, what)
    if len(index) and not (int(index.min()) >= 0 and int(index.max()) < size):
        raise ValueError(
            f"{what} is {int(index.min()) if int(index.min()) < 0 else int(index.max())}; it must "
            f"be from 0 to {size - 1}; {CURE}"
        )


def _require(holds: bool, what: str, fault: str) -> None:
    if not holds:
        raise ValueError(f"{what}: {fault} of indices and values; {CURE}")
