"""Two-level aggregation of sparse features that never writes out their zeros.

A lifted zero is not zero, so a sparse matrix here has a background: the value of every entry that
is not stored. A mean is the sum over stored entries plus the background times the exact weight of
the entries not stored. One complex product carries both, values as real and weights as imaginary
part.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from scipy import sparse
from torch import Tensor

from ..._utils import csr_from_scipy, csr_to_scipy, is_sparse
from ..aggregators import Aggregator
from ..power_mean import is_identity, is_power_mean
from ..stage import Stage
from ..unit import SHORTEST, unit_rows
from .fused import cancels

# Powers are taken in float64 without a pivot, which holds exponents up to e^709.
LARGEST_EXPONENT = 650.0
# Beyond, the squares of a row may exceed float64.
LARGEST_SQUARED = 1e150
# Rows that are written out at once, and that are scaled at once while sparse.
ROWS, SCALED = 256, 8192

BoolArray = np.ndarray[Any, np.dtype[np.bool_]]


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
    found, is_empty = _aggregated(intra, inter, csr_to_scipy(feat), first, second)
    out = torch.empty(found.matrix.shape, dtype=feat.dtype)
    for start, part in _parts(out):
        _write(found, is_empty, start, part.numpy())
    return out


def sum_sparse(
    intra: Stage,
    inter: Stage,
    feat: Tensor,
    aggregators: tuple[Aggregator, Aggregator],
    normalize: bool,
) -> Tensor | None:
    """X + F2(F1(x)) with self, each row of unit length on request; None of what does not apply.

    Plain means leave zeros zero: the sum is CSR, and one product carries it as well. Where columns
    are many, to write a result once more takes longer than its arithmetic. So of other means, whose
    sum is dense, some rows at a time are written, added to and scaled.
    """
    if intra.offset is not None or not applies(intra, inter, feat, *aggregators):
        return None
    own = csr_to_scipy(feat)
    if not all(map(is_identity, aggregators)):
        found, is_empty = _aggregated(intra, inter, own, *aggregators)
        out = torch.empty(found.matrix.shape, dtype=feat.dtype)
        for start, part in _parts(out):
            rows = part.numpy()
            _write(found, is_empty, start, rows)
            places, values = _stored(own, start, len(rows))
            rows[places] += values
            if normalize:
                part.copy_(unit_rows(part))
        return out
    across = sparse.hstack([_shares(inter), sparse.eye(inter.num_destinations, len(feat))], "csr")
    total = across @ sparse.vstack([_shares(intra) @ own, own], "csr")
    if normalize:
        _scale_to_unit(total)
    return csr_from_scipy(total, feat.dtype)


def _aggregated(
    intra: Stage, inter: Stage, own: sparse.csr_matrix, first: Aggregator, second: Aggregator
) -> tuple[_Rows, BoolArray]:
    """F2(F1(x)), and which rows have no hyperedge: these are zero."""
    inside, across = _shares(intra), _shares(inter)
    on_hyperedges = _mean(inside, _lifted(_Rows(own, 0.0), first))
    if not cancels(first, second):
        on_hyperedges = _lifted(_rooted(on_hyperedges, first), second)
    return _rooted(_mean(across, on_hyperedges), second), np.diff(across.indptr) == 0


def _parts(out: Tensor) -> Iterator[tuple[int, Tensor]]:
    """Some rows at a time, which stay in the processor's cache."""
    for start in range(0, len(out), ROWS):
        yield start, out[start : start + ROWS]


def _write(found: _Rows, is_empty: BoolArray, start: int, rows: Any) -> None:
    """The rows from ``start`` on, written out."""
    rows.fill(found.background)
    places, values = _stored(found.matrix, start, len(rows))
    rows[places] = values
    rows[is_empty[start : start + len(rows)]] = 0.0


def _stored(matrix: sparse.csr_matrix, start: int, count: int) -> tuple[Any, Any]:
    """Where ``count`` rows from ``start`` on store something, and what."""
    starts = matrix.indptr[start : start + count + 1]
    held = slice(starts[0], starts[-1])
    rows = np.repeat(np.arange(count), np.diff(starts))
    return (rows, matrix.indices[held]), matrix.data[held]


def _scale_to_unit(rows: sparse.csr_matrix) -> None:
    """Scale each row to unit length, in place."""
    for start in range(0, rows.shape[0], SCALED):
        ends = rows.indptr[start : start + SCALED + 1]
        values, stored = rows.data[ends[0] : ends[-1]], np.diff(ends)
        starts, stored = (ends[:-1] - ends[0])[stored > 0], stored[stored > 0]
        if max(values.max(initial=0), -values.min(initial=0)) > LARGEST_SQUARED:
            largest = np.maximum.reduceat(np.abs(values), starts)
            values /= np.repeat(np.maximum(largest, 1), stored)
        length = np.sqrt(np.add.reduceat(values * values, starts))
        values /= np.repeat(np.maximum(length, SHORTEST), stored)


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
