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

from ..._utils import csr_from_scipy, csr_to_scipy, is_sparse
from ..aggregators import Aggregator
from ..power_mean import is_identity, is_power_mean
from ..stage import Stage
from ..unit import SHORTEST
from .fused import cancels

# Powers are taken in float64 without a pivot, which holds exponents up to e^709.
LARGEST_EXPONENT = 650.0
# Beyond, the squares of a row may exceed float64.
LARGEST_SQUARED = 1e150


def applies(intra: Stage, inter: Stage, feat: Tensor, *aggregators: Aggregator) -> bool:
    """Whether these aggregators can work on sparse features as they are.

    Learned features, weights and powers, max, min and Python reducers cannot, nor can other devices
    than the CPU: there the features are written out.
    """
    if not is_sparse(feat) or feat.device.type != "cpu":
        return False
    learned = (feat, intra.edge_weight, inter.weight)
    if any(tensor is not None and tensor.requires_grad for tensor in learned):
        return False
    values = feat.to_sparse_csr().values().detach()
    largest = float(values.max()) if values.numel() else 1.0
    return all(_stays_sparse(aggregator, largest) for aggregator in aggregators)


def _stays_sparse(aggregator: Aggregator, largest: float) -> bool:
    if aggregator.reduce != "mean" or any(True for _ in aggregator.parameters()):
        return False
    if not is_power_mean(aggregator) or aggregator.is_arithmetic:
        return is_identity(aggregator)
    reach = max(abs(math.log(aggregator.eps)), abs(math.log(max(largest, aggregator.eps))))
    return abs(aggregator.start) * reach < LARGEST_EXPONENT


class _Rows(NamedTuple):
    matrix: sparse.csr_matrix
    background: float


def aggregate_sparse(
    intra: Stage, inter: Stage, feat: Tensor, first: Aggregator, second: Aggregator
) -> Tensor:
    """F2(F1(x)) with self of sparse features, dense, for weights that sum to one."""
    inside, across = _shares(intra), _shares(inter)
    on_hyperedges = _mean(inside, _lifted(_Rows(csr_to_scipy(feat), 0.0), first))
    if not cancels(first, second):
        on_hyperedges = _lifted(_rooted(on_hyperedges, first), second)
    result = _rooted(_mean(across, on_hyperedges), second)
    dense = np.full(result.matrix.shape, result.background)
    rows = np.repeat(np.arange(len(dense)), np.diff(result.matrix.indptr))
    dense[rows, result.matrix.indices] = result.matrix.data
    dense[np.diff(across.indptr) == 0] = 0.0
    return torch.from_numpy(dense).to(feat.dtype)


def sum_sparse(
    intra: Stage, inter: Stage, feat: Tensor, levels: tuple[Aggregator, Aggregator], normalize: bool
) -> Tensor | None:
    """X + F2(F1(x)) of plain means, which leave zeros zero, as CSR; None of anything else.

    One product carries the sum as well: where columns are many, to write a result once more takes
    longer than its arithmetic. Rows are of unit length on request.
    """
    is_plain = all(map(is_identity, levels)) and intra.offset is None
    if not is_plain or not applies(intra, inter, feat, *levels):
        return None
    own = csr_to_scipy(feat)
    across = sparse.hstack([_shares(inter), sparse.eye(inter.num_destinations, len(feat))], "csr")
    total = across @ sparse.vstack([_shares(intra) @ own, own], "csr")
    if normalize:
        _scale_to_unit(total)
    return csr_from_scipy(total, feat.dtype)


def _scale_to_unit(rows: sparse.csr_matrix) -> None:
    """Scale each row to unit length, in place."""
    stored = np.diff(rows.indptr)
    largest = max(rows.data.max(initial=0), -rows.data.min(initial=0))
    if largest > LARGEST_SQUARED:
        by_row = np.ones(len(stored))
        np.maximum.at(by_row, np.repeat(np.arange(len(stored)), stored), np.abs(rows.data))
        rows.data /= np.repeat(by_row, stored)
    squares = sparse.csr_matrix((rows.data**2, rows.indices, rows.indptr), rows.shape)
    length = np.sqrt(squares @ np.ones(rows.shape[1]))
    rows.data /= np.repeat(np.maximum(length, SHORTEST), stored)


def _shares(stage: Stage) -> sparse.csr_matrix:
    """Destinations × sources, what each source has of the mean of a destination."""
    sources, destinations = stage.edges
    values = torch.ones(len(sources), dtype=torch.float64)
    if stage.weight is not None:
        values = values * stage.weight.detach()[sources]
    if stage.edge_weight is not None:
        values = values * stage.edge_weight.detach()
    mass = torch.zeros(stage.num_destinations, dtype=torch.float64)
    mass = mass.index_add(0, destinations.long(), values)
    triple = ((values / mass[destinations]).numpy(), (destinations.numpy(), sources.numpy()))
    return sparse.csr_matrix(triple, shape=(stage.num_destinations, stage.num_sources))


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


def _mean(shares: sparse.csr_matrix, rows: _Rows) -> _Rows:
    """Weighted mean of the rows of each destination."""
    stored, background = rows
    # Entries not stored weigh nothing in a sum if they are zero: there the values do alone.
    carried = stored.data if background == 0 else stored.data + 1j
    product = shares @ sparse.csr_matrix(
        (carried, stored.indices, stored.indptr), shape=stored.shape
    )
    mean = product.data.real
    if background != 0:
        rest = 1 - product.data.imag
        # Where every entry is stored the rest is rounding alone; background^-20 would show it.
        rest[rest < 1e-12] = 0
        mean = mean + rest * background
    matrix = sparse.csr_matrix((mean, product.indices, product.indptr), product.shape)
    return _Rows(matrix, background)
