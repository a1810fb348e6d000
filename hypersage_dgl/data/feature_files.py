"""Files of features: read whole, or memory-mapped, with rows read as they are needed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from .._utils import (
    PathLike,
    check_declared,
    check_matrix,
    csr_from_scipy,
    is_matrix,
    mapped_tensor,
    read_array,
    read_matrix,
    refusing_damage,
    replacing,
    rows_between,
)
from .labelled import LabelledHypergraph

# Rows that are made dense at once.
CHUNK = 65_536
TYPES = ("float16", "float32")


def read_features(path: PathLike, max_bytes: int | None = None) -> Tensor:
    """Read a sparse matrix (``scipy.sparse.save_npz``) or one dense array (npy, npz).

    ``max_bytes`` is what the arrays may take in memory, see :func:`load`.
    """
    path = Path(path)
    if is_matrix(path):
        matrix = read_matrix(path, max_bytes)
        if matrix.dtype.kind not in "biuf":
            raise ValueError(f"{path} holds {matrix.dtype}; features are real numbers")
        if matrix.dtype == np.float16:
            # scipy stores such a matrix, and computes nothing with it.
            matrix = matrix.astype(np.float32)
        # A tensor is a sum of nothing: what scipy counts twice must be one before.
        matrix = matrix.tocsr()
        check_matrix(matrix, str(path))
        matrix.sum_duplicates()
        return csr_from_scipy(matrix)
    array = read_array(path, max_bytes)
    if array.ndim != 2 or array.dtype.kind not in "biuf":
        raise ValueError(
            f"{path} holds {array.dtype} of shape {array.shape}; features are numbers with a row "
            "for each node and a column for each feature"
        )
    return torch.from_numpy(array.astype(np.float32))


def map_features(
    data: LabelledHypergraph, path: PathLike, dtype: str = "float16"
) -> LabelledHypergraph:
    """The same hypergraph with features in a file; written if it is not there yet.

    Minibatch training and streamed inference read single rows of it and compute with float32. The
    file is a plain ``.npy`` array, as ``numpy.save`` writes it, with a row for each node: one that
    is there already is taken as it is, and may hold more than memory does.

    Parameters
    ----------
    data
        The hypergraph; its own features are written if need be.
    path
        The file.
    dtype
        ``"float16"``, three digits in half the bytes, or ``"float32"``; of a new file.

    Examples
    --------
    >>> import tempfile
    >>> from hypersage_dgl.data import load
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     mapped = map_features(load("synthetic"), f"{folder}/feat.npy")
    ...     mapped.feat.shape, mapped.feat.dtype
    (torch.Size([1000, 64]), torch.float16)
    """
    path = Path(path)
    if dtype not in TYPES:
        raise ValueError(f"dtype is {dtype!r}; it must be one of {TYPES}")
    if not path.exists():
        write_rows(data.require_feat(), path, dtype)
    feat = read_mapped(path)
    if len(feat) != data.num_nodes:
        raise ValueError(
            f"{path} has {len(feat)} rows for the {data.num_nodes} nodes of {data.name}; give one "
            "for each"
        )
    names = data.feature_names if len(data.feature_names) == feat.shape[1] else ()
    return replace(data, feat=feat, feature_names=names)


def write_rows(feat: Tensor, path: PathLike, dtype: str = "float16") -> None:
    """Write features, dense or sparse, as an ``.npy`` array, a chunk of rows at a time."""
    header = {"descr": np.dtype(dtype).str, "fortran_order": False, "shape": tuple(feat.shape)}
    with replacing(Path(path)) as file:
        np.lib.format.write_array_header_1_0(file, header)
        for start in range(0, len(feat), CHUNK):
            rows = rows_between(feat, start, min(start + CHUNK, len(feat))).numpy()
            with np.errstate(over="ignore"):  # told below, with the cure
                made = rows.astype(dtype)
            if not np.isfinite(made).all() and np.isfinite(rows).all():
                raise ValueError(f"{path}: features are beyond {dtype}; write them as float32")
            file.write(made.tobytes())


def read_mapped(path: PathLike) -> Tensor:
    """A tensor of an ``.npy`` file that stays on disk; what is written to it is not kept."""
    path = Path(path)
    # It must have just the bytes that its header declares: numpy multiplies sizes without a look.
    check_declared(path)
    with refusing_damage(f"{path} is no .npy array that can be mapped", "save it again"):
        # Copy on write, so that torch has no doubts; nobody writes.
        array = np.lib.format.open_memmap(path, mode="c")
    if array.ndim != 2 or array.dtype not in TYPES:
        raise ValueError(
            f"{path} holds {array.dtype} of shape {array.shape}; mapped features are float16 "
            "or float32, in the byte order of this machine, with a row for each node"
        )
    return mapped_tensor(torch.from_numpy(array))
