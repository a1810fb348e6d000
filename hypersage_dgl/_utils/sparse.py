"""Sparse (CSR) feature tensors: make them, take rows, drop out."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
import torch
import torch.nn.functional as F
from scipy import sparse
from torch import Tensor


def csr_tensor(crow: Tensor, column: Tensor, values: Tensor, shape: Sequence[int]) -> Tensor:
    """Sparse CSR tensor, without torch's notice that it calls them beta."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta")
        return torch.sparse_csr_tensor(crow, column, values, tuple(shape), check_invariants=False)


def is_sparse(feat: Tensor) -> bool:
    """Whether the features are a sparse tensor."""
    return feat.layout != torch.strided


def csr_to_scipy(feat: Tensor) -> sparse.csr_matrix:
    """float64 scipy matrix of a sparse tensor on the CPU."""
    csr = feat.detach().to_sparse_csr()
    parts = (csr.values().double(), csr.col_indices(), csr.crow_indices())
    return sparse.csr_matrix(tuple(part.numpy() for part in parts), shape=tuple(csr.shape))


def csr_from_scipy(matrix: sparse.csr_matrix, dtype: torch.dtype = torch.float32) -> Tensor:
    """CSR tensor of a scipy matrix."""
    parts = (matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), matrix.data)
    crow, column, values = (torch.from_numpy(part) for part in parts)
    return csr_tensor(crow, column, values.to(dtype), matrix.shape)


def dropped(feat: Tensor, rate: float) -> Tensor:
    """Dropout on dense or sparse features; a zero stays zero, so only stored values are drawn."""
    if not is_sparse(feat):
        return F.dropout(feat, rate)
    csr = feat.to_sparse_csr()
    values = F.dropout(csr.values(), rate)
    return csr_tensor(csr.crow_indices(), csr.col_indices(), values, csr.shape)


def select_rows(feat: Tensor, rows: Tensor) -> Tensor:
    """Some rows, dense of dense features and CSR of sparse ones."""
    if not is_sparse(feat):
        return feat.index_select(0, rows)
    csr = feat.to_sparse_csr()
    starts = csr.crow_indices()[:-1][rows]
    lengths = csr.crow_indices()[1:][rows] - starts
    crow = F.pad(lengths.cumsum(0), (1, 0))
    row = torch.repeat_interleave(torch.arange(len(rows), device=rows.device), lengths)
    stored = (starts - crow[:-1])[row] + torch.arange(len(row), device=row.device)
    shape = (len(rows), csr.shape[1])
    return csr_tensor(crow, csr.col_indices()[stored], csr.values()[stored], shape)


def take_rows(feat: Tensor, rows: Tensor) -> Tensor:
    """Some rows, dense."""
    chosen = select_rows(feat, rows)
    return chosen.to_dense() if is_sparse(chosen) else chosen


def is_half(feat: object) -> bool:
    """Whether these are float16, a type to store features in, not to compute with."""
    return isinstance(feat, Tensor) and feat.dtype == torch.float16


def mapped_tensor(feat: Tensor) -> Tensor:
    """Mark features as those of a mapped file, so that nobody converts or copies them whole."""
    feat.is_mapped = True  # type: ignore[attr-defined]
    return feat


def is_mapped(feat: object) -> bool:
    """Whether these features are those of a mapped file, see :func:`mapped_tensor`."""
    return getattr(feat, "is_mapped", False)


def taken_rows(feat: Tensor, rows: Tensor) -> Tensor:
    """Some rows, dense, to compute with: float32 of stored float16."""
    chosen = take_rows(feat, rows)
    return chosen.float() if is_half(chosen) else chosen


def rows_between(feat: Tensor, start: int, stop: int) -> Tensor:
    """The rows from ``start`` to before ``stop``, as :func:`taken_rows` gives them."""
    if is_sparse(feat):
        return taken_rows(feat, torch.arange(start, stop, device=feat.device))
    return feat[start:stop].float() if is_half(feat) else feat[start:stop]


def first_rows(feat: Tensor, count: int) -> Tensor:
    """The first rows, dense."""
    if not is_sparse(feat):
        return feat[:count]
    return take_rows(feat, torch.arange(count, device=feat.device))
