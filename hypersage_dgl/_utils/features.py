"""Features, dense or sparse (CSR): the rules that they must meet, their rows, and dropout."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import cache

import numpy as np
import torch
import torch.nn.functional as F
from scipy import sparse
from torch import Tensor

from .compressed import check_distinct, check_sparse_tensor


def csr_tensor(crow: Tensor, column: Tensor, values: Tensor, shape: Sequence[int]) -> Tensor:
    """Sparse CSR tensor, without torch's notice that it calls them beta."""
    _hear_of_beta()
    return torch.sparse_csr_tensor(crow, column, values, tuple(shape), check_invariants=False)


@cache
def _hear_of_beta() -> None:
    """Let torch give its notice, which it gives once, where nobody hears it.

    Not around each tensor: Python's filters belong to all threads, and several make tensors.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta")
        torch.empty(1, 1).to_sparse_csr()


def is_sparse(feat: Tensor) -> bool:
    """Whether the features are a sparse tensor."""
    return feat.layout != torch.strided


def entries(feat: Tensor) -> int:
    """Number of entries that are stored, of dense features all."""
    return int(feat._nnz()) if is_sparse(feat) else feat.numel()


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
    held = _held(csr)
    if held is not None:
        found = held[rows.cpu().numpy()]
        crow, column, values = map(torch.from_numpy, (found.indptr, found.indices, found.data))
        return csr_tensor(crow, column, values, found.shape)
    starts = csr.crow_indices()[:-1][rows]
    lengths = csr.crow_indices()[1:][rows] - starts
    crow = F.pad(lengths.cumsum(0), (1, 0))
    row = torch.repeat_interleave(torch.arange(len(rows), device=rows.device), lengths)
    stored = (starts - crow[:-1])[row] + torch.arange(len(row), device=row.device)
    shape = (len(rows), csr.shape[1])
    return csr_tensor(crow, csr.col_indices()[stored], csr.values()[stored], shape)


def as_dense(feat: Tensor) -> Tensor:
    """The features, written out if they are sparse."""
    if not is_sparse(feat):
        return feat
    held = _held(feat) if feat.layout == torch.sparse_csr else None
    return feat.to_dense() if held is None else torch.from_numpy(held.toarray())


def _held(csr: Tensor) -> sparse.csr_matrix | None:
    """The same memory for scipy, whose loops take a tenth of torch's time; None if it cannot be."""
    is_known = csr.dtype in (torch.float32, torch.float64) and csr.device.type == "cpu"
    if csr.requires_grad or not is_known:
        return None
    held = sparse.csr_matrix(tuple(csr.shape), dtype=csr.values().numpy().dtype)
    # Set one by one: given at once, large indices would all be looked at, and copied.
    held.data, held.indices = csr.values().numpy(), csr.col_indices().numpy()
    held.indptr = csr.crow_indices().numpy()
    return held


def take_rows(feat: Tensor, rows: Tensor) -> Tensor:
    """Some rows, dense."""
    return as_dense(select_rows(feat, rows))


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


# Rows, or stored entries, that are looked at at once.
PART = 262_144


def is_autocast(feat: object) -> bool:
    """Whether torch converts types by itself on the device of these features."""
    if not isinstance(feat, Tensor):
        return False
    try:
        return torch.is_autocast_enabled(feat.device.type)
    except TypeError:  # before torch 2.4
        is_cpu = feat.device.type == "cpu"
        return torch.is_autocast_cpu_enabled() if is_cpu else torch.is_autocast_enabled()


def check_summable(feat: Tensor) -> None:
    """Refuse features of the one float type that DGL cannot sum on the CPU."""
    if feat.dtype == torch.float16 and feat.device.type == "cpu":
        raise TypeError(
            "features are of type torch.float16, which DGL cannot sum on the CPU; convert "
            "them, and the model, to torch.float32 or torch.bfloat16"
        )


def check_feat(
    feat: Tensor,
    columns: int | None = None,
    *,
    rows: int | None = None,
    dtype: torch.dtype | None = None,
    finite: bool = False,
    distinct: bool = True,
    stored: bool = False,
) -> None:
    """Refuse features, dense or sparse, that cannot work.

    Parameters
    ----------
    feat
        What was given as features.
    columns, rows
        Width that the model takes, and the number of nodes; None for any.
    dtype
        Type of the model's weights; None for any floating type.
    finite
        Whether to look for NaN and infinite values, which reads all.
    distinct
        Whether to refuse an entry that sparse features store twice; a linear map need not.
    stored
        Whether rows are taken one by one, and those of a mapped file of float16 as float32.

    Examples
    --------
    >>> check_feat(torch.rand(3, 2), 5)
    Traceback (most recent call last):
    ValueError: features have shape (3, 2); the model takes 5 columns, a row for each node
    """
    if not isinstance(feat, Tensor):
        raise TypeError(
            f"features are a {type(feat).__name__}; give a torch tensor, such as torch.from_numpy "
            "makes of an array"
        )
    shape = tuple(feat.shape)
    if feat.dim() != 2 or columns not in (None, shape[1]):
        width = "2 dimensions" if columns is None else f"{columns} columns"
        raise ValueError(
            f"features have shape {shape}; the model takes {width}, a row for each node"
        )
    if rows not in (None, shape[0]):
        raise ValueError(
            f"{shape[0]} rows of features for {rows} nodes, in the shape {shape}; give one for each"
        )
    if not feat.is_floating_point():
        wanted = dtype or torch.get_default_dtype()
        raise TypeError(
            f"features are of type {feat.dtype}, but must be floats; convert them with "
            f"feat.to({wanted})"
        )
    taken = torch.float32 if stored and is_mapped(feat) and is_half(feat) else feat.dtype
    if dtype not in (None, taken):
        raise TypeError(
            f"features are of type {feat.dtype} and the model's weights of {dtype}; convert the "
            f"features with feat.to({dtype})"
        )
    if is_sparse(feat):
        # Before anything follows its indices.
        check_sparse_tensor(feat)
        if distinct:
            check_distinct(feat)
    if finite:
        values = feat.to_sparse_csr().values() if is_sparse(feat) else feat
        # In parts: features of a mapped file may be more than memory holds.
        parts = (values[start : start + PART] for start in range(0, len(values), PART))
        if not all(bool(torch.isfinite(part).all()) for part in parts):
            raise ValueError("features hold NaN or infinite values; replace or impute them")
