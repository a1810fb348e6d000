"""Two-level aggregation of sparse features that never writes out their zeros.

A lifted zero is not zero, so a sparse matrix here has a background: the value of every entry that
is not stored. A mean is the sum over stored entries plus the background times the exact weight of
the entries not stored. One complex product carries both, values as real and weights as imaginary
part.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from scipy import sparse
from torch import Tensor

from .aggregators import Aggregator
from .power_mean import PowerMean
from .stage import Stage

# Powers are taken in float64 without a pivot, which is safe up to here for inputs from 1e-3 to 1e3.
LARGEST_P = 100.0


def csr_tensor(crow: Tensor, column: Tensor, values: Tensor, shape: Sequence[int]) -> Tensor:
    """Sparse CSR tensor, without torch's notice that it calls them beta."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta")
        return torch.sparse_csr_tensor(crow, column, values, tuple(shape), check_invariants=False)


def is_sparse(feat: Tensor) -> bool:
    """Whether the features are a sparse tensor."""
    return feat.layout != torch.strided


def stays_sparse(feat: Tensor, *aggregators: Aggregator) -> bool:
    """Whether these aggregators can work on sparse features as they are.

    Learned powers, max, min and Python reducers cannot, nor can other devices than the CPU: there
    the features are written out.
    """
    return feat.device.type == "cpu" and all(
        (isinstance(a, PowerMean) or a.is_identity)
        and a.reduce == "mean"
        and not any(True for _ in a.parameters())
        and abs(getattr(a, "start", 1.0)) <= LARGEST_P
        for a in aggregators
    )


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
        return feat[rows]
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


def first_rows(feat: Tensor, count: int) -> Tensor:
    """The first rows, dense."""
    if not is_sparse(feat):
        return feat[:count]
    return take_rows(feat, torch.arange(count, device=feat.device))


class _Rows(NamedTuple):
    matrix: sparse.csr_matrix
    background: float


def aggregate_sparse(
    intra: Stage,
    inter: Stage,
    feat: Tensor,
    aggregators: tuple[Aggregator, Aggregator],
    weight: Tensor | None,
    edge_weight: Tensor | None,
) -> Tensor:
    """F2(F1(x)) with self of sparse features: zeros for nodes in no hyperedge.

    CSR where both levels are plain means, which leave zeros zero, else dense.
    """
    inside = _weights(intra, None, edge_weight)
    across = _weights(inter, weight, None)
    result = _mean(across, _mean(inside, _Rows(_scipy(feat), 0.0), aggregators[0]), aggregators[1])
    if all(aggregator.is_identity for aggregator in aggregators):
        return from_scipy(result.matrix, feat.dtype)
    dense = np.full(result.matrix.shape, result.background)
    rows = np.repeat(np.arange(len(dense)), np.diff(result.matrix.indptr))
    dense[rows, result.matrix.indices] = result.matrix.data
    dense[np.diff(across.indptr) == 0] = 0.0
    return torch.from_numpy(dense).to(feat.dtype)


def unit_sum(own: Tensor, aggregate: Tensor, normalize: bool) -> Tensor:
    """Add sparse features to a sparse aggregate, each row scaled to unit length on request."""
    total = (_scipy(own) + _scipy(aggregate)).tocsr()
    if normalize:
        length = np.sqrt(np.asarray(total.multiply(total).sum(axis=1)).ravel())
        total.data /= np.repeat(np.maximum(length, 1e-12), np.diff(total.indptr))
    return from_scipy(total, own.dtype)


def _scipy(feat: Tensor) -> sparse.csr_matrix:
    csr = feat.detach().to_sparse_csr()
    parts = (csr.values().double(), csr.col_indices(), csr.crow_indices())
    return sparse.csr_matrix(tuple(part.numpy() for part in parts), shape=tuple(csr.shape))


def from_scipy(matrix: sparse.csr_matrix, dtype: torch.dtype = torch.float32) -> Tensor:
    """CSR tensor of a scipy matrix."""
    parts = (matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), matrix.data)
    crow, column, values = (torch.from_numpy(part) for part in parts)
    return csr_tensor(crow, column, values.to(dtype), matrix.shape)


def _weights(stage: Stage, weight: Tensor | None, edge_weight: Tensor | None) -> sparse.csr_matrix:
    """Destinations × sources, the weight of every edge."""
    sources, destinations = stage.edges()
    values = torch.ones(len(sources), dtype=torch.float64)
    if weight is not None:
        values = values * weight.detach()[sources]
    if edge_weight is not None:
        values = values * edge_weight.detach()
    shape = (
        stage.graph.num_dst_nodes(stage.etype[2]),
        stage.graph.num_src_nodes(stage.etype[0]),
    )
    triple = (values.numpy(), (destinations.numpy(), sources.numpy()))
    return sparse.csr_matrix(triple, shape=shape)


def _mean(weights: sparse.csr_matrix, rows: _Rows, aggregator: Aggregator) -> _Rows:
    lifted = aggregator.lift(torch.from_numpy(rows.matrix.data)).numpy()
    background = float(aggregator.lift(torch.tensor([rows.background], dtype=torch.float64)))
    stored = rows.matrix
    product = weights @ sparse.csr_matrix(
        (lifted + 1j, stored.indices, stored.indptr), shape=stored.shape
    )
    mass = np.repeat(np.asarray(weights.sum(axis=1)).ravel(), np.diff(product.indptr))
    rest = mass - product.data.imag
    # Where every entry is stored the rest is rounding alone, and background^-20 would show it.
    rest[rest < 1e-12 * mass] = 0
    mean = (product.data.real + rest * background) / mass
    values = aggregator.root(torch.from_numpy(mean)).numpy()
    matrix = sparse.csr_matrix((values, product.indices, product.indptr), shape=product.shape)
    rooted = float(aggregator.root(torch.tensor([background], dtype=torch.float64)))
    return _Rows(matrix, rooted)
