"""Two-level aggregation of sparse features that never writes out their zeros.

A lifted zero is not zero, so a sparse matrix here has a background: the value of every entry that
is not stored. A mean is the sum over stored entries plus the background times the exact weight of
the entries not stored. One complex product carries both, values as real and weights as imaginary
part.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from scipy import sparse
from torch import Tensor

from .._utils import csr_from_scipy, csr_to_scipy, is_sparse
from .aggregators import Aggregator
from .power_mean import PowerMean
from .stage import Stage

# Powers are taken in float64 without a pivot, which holds exponents up to e^709.
LARGEST_EXPONENT = 650.0


def stays_sparse(feat: Tensor, *aggregators: Aggregator) -> bool:
    """Whether these aggregators can work on sparse features as they are.

    Learned powers, max, min and Python reducers cannot, nor can other devices than the CPU: there
    the features are written out.
    """
    if not is_sparse(feat) or feat.device.type != "cpu":
        return False
    values = feat.to_sparse_csr().values().detach()
    largest = float(values.max()) if values.numel() else 1.0
    return all(_stays_sparse(aggregator, largest) for aggregator in aggregators)


def _stays_sparse(aggregator: Aggregator, largest: float) -> bool:
    if aggregator.reduce != "mean" or any(True for _ in aggregator.parameters()):
        return False
    if not isinstance(aggregator, PowerMean) or aggregator.is_identity:
        return aggregator.is_identity
    reach = max(abs(math.log(aggregator.eps)), abs(math.log(max(largest, aggregator.eps))))
    return abs(aggregator.start) * reach < LARGEST_EXPONENT


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
    first, second = aggregators
    inside = _weights(intra, None, edge_weight)
    across = _weights(inter, weight, None)
    on_hyperedges = _mean(inside, _lifted(_Rows(csr_to_scipy(feat), 0.0), first))
    if not first.cancels(second):
        on_hyperedges = _lifted(_rooted(on_hyperedges, first), second)
    result = _rooted(_mean(across, on_hyperedges), second)
    if all(aggregator.is_identity for aggregator in aggregators):
        return csr_from_scipy(result.matrix, feat.dtype)
    dense = np.full(result.matrix.shape, result.background)
    rows = np.repeat(np.arange(len(dense)), np.diff(result.matrix.indptr))
    dense[rows, result.matrix.indices] = result.matrix.data
    dense[np.diff(across.indptr) == 0] = 0.0
    return torch.from_numpy(dense).to(feat.dtype)


def unit_sum(own: Tensor, aggregate: Tensor, normalize: bool) -> Tensor:
    """Add sparse features to a sparse aggregate, each row scaled to unit length on request."""
    total = (csr_to_scipy(own) + csr_to_scipy(aggregate)).tocsr()
    if normalize:
        rows = np.repeat(np.arange(total.shape[0]), np.diff(total.indptr))
        length = np.sqrt(np.bincount(rows, total.data**2, total.shape[0]))
        total.data /= np.maximum(length, 1e-12)[rows]
    return csr_from_scipy(total, own.dtype)


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


def _lifted(rows: _Rows, aggregator: Aggregator) -> _Rows:
    return _mapped(aggregator.lift, rows)


def _rooted(rows: _Rows, aggregator: Aggregator) -> _Rows:
    return _mapped(aggregator.root, rows)


def _mapped(function: Callable[[Tensor], Tensor], rows: _Rows) -> _Rows:
    """Apply a function to every entry, stored or not."""
    stored = rows.matrix
    values = function(torch.from_numpy(stored.data)).numpy()
    matrix = sparse.csr_matrix((values, stored.indices, stored.indptr), shape=stored.shape)
    return _Rows(matrix, float(function(torch.tensor([rows.background], dtype=torch.float64))))


def _mean(weights: sparse.csr_matrix, rows: _Rows) -> _Rows:
    """Weighted mean of the rows of each destination."""
    stored, background = rows
    # Entries not stored weigh nothing in a sum if they are zero: there the values do alone.
    carried = stored.data if background == 0 else stored.data + 1j
    product = weights @ sparse.csr_matrix(
        (carried, stored.indices, stored.indptr), shape=stored.shape
    )
    mass = np.repeat(np.asarray(weights.sum(axis=1)).ravel(), np.diff(product.indptr))
    total = product.data.real
    if background != 0:
        rest = mass - product.data.imag
        # Where every entry is stored the rest is rounding alone; background^-20 would show it.
        rest[rest < 1e-12 * mass] = 0
        total = total + rest * background
    matrix = sparse.csr_matrix((total / mass, product.indices, product.indptr), product.shape)
    return _Rows(matrix, background)
