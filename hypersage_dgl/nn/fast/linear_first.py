"""A first layer of plain sums or means without dropout: W before the sums, which are then narrow.

W (h + F2(h)) = W h + F2(W h), so of h + F2, as wide as the features, only its lengths are kept.
Sparse features stay sparse, held by rows for the way there and by columns for the way back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from ..._utils import as_dense, csr_tensor, csr_to_scipy, is_autocast, is_sparse
from ..aggregators import Aggregator
from ..power_mean import is_identity
from ..unit import SHORTEST
from .bags import Bags, weighed

# Columns whose h + F2 is looked at at once, and the length from which on float32 might overflow.
COLUMNS = 128
LONGEST = 1e30
# Up to this share of entries that are not zero, a sparse product on one thread beats a dense one.
SPARSE_DENSITY = 0.1


def is_linear(*aggregators: Aggregator) -> bool:
    """Whether these only add, so that W may come before them."""
    return all(is_identity(each) and each.reduce in ("mean", "sum") for each in aggregators)


@dataclass(frozen=True, eq=False)
class SparseRows:
    """Sparse features to be multiplied often: the bags of the rows and of the columns."""

    rows: Bags
    columns: Bags
    by_row: Tensor
    by_column: Tensor

    @classmethod
    def of(cls, feat: Tensor) -> SparseRows:
        """From CSR on the CPU."""
        across = csr_to_scipy(feat)
        down, none = across.tocsc(), torch.empty(0, device=feat.device)

        def bags(starts: object, ids: object, count: int) -> Bags:
            return Bags(torch.as_tensor(starts), torch.as_tensor(ids), none, count)

        return cls(
            bags(across.indptr, across.indices, feat.shape[1]),
            bags(down.indptr, down.indices, feat.shape[0]),
            torch.from_numpy(across.data).to(feat.dtype),
            torch.from_numpy(down.data).to(feat.dtype),
        )

    def times(self, matrix: Tensor) -> Tensor:
        """The product with a dense matrix."""
        return weighed(matrix, self.rows, self.columns, self.by_row, self.by_column)


@dataclass(frozen=True, eq=False)
class LinearFirst:
    """What is kept: the features, and the length of each row of h + F2 (None: not scaled)."""

    feat: Tensor | SparseRows
    lengths: Tensor | None

    def project(self, weight: Tensor, sums: Callable[[Tensor], Tensor]) -> Tensor:
        """W of h + F2, scaled; ``sums`` gives F2."""
        if isinstance(self.feat, Tensor):
            narrow = F.linear(self.feat, weight)
        else:
            narrow = self.feat.times(weight.t())
        across = sums(narrow)
        out = narrow[: len(across)] + across
        return out if self.lengths is None else out / self.lengths

    @property
    def entries(self) -> int:
        """Number of stored entries of the features."""
        return self.feat.numel() if isinstance(self.feat, Tensor) else len(self.feat.by_row)

    def rows(self) -> Tensor:
        """The features."""
        if isinstance(self.feat, Tensor):
            return self.feat
        rows, columns = self.feat.rows, self.feat.columns
        shape = (columns.num_rows, rows.num_rows)
        return csr_tensor(rows.starts.long(), rows.ids.long(), self.feat.by_row, shape)


def keep_linear(
    feat: Tensor, sums: Callable[[Tensor], Tensor], normalize: bool
) -> LinearFirst | None:
    """Of features, dense or sparse; None where the other order could overflow or convert.

    Examples
    --------
    >>> kept = keep_linear(torch.eye(2), torch.flip, normalize=False)
    >>> kept.lengths is None
    True
    """
    if is_autocast(feat) or (is_sparse(feat) and feat.device.type != "cpu"):
        return None
    lengths = None
    if normalize:
        squares: Tensor | None = None
        for part in _columns(feat):
            across = sums(part)
            # float64 holds the squares of all that float32 does.
            square = (part[: len(across)] + across).double().square_().sum(1, keepdim=True)
            squares = square if squares is None else squares + square
        if squares is None or not bool((squares < LONGEST**2).all()):
            return None
        lengths = squares.sqrt_().clamp_min_(SHORTEST).to(feat.dtype)
    return LinearFirst(_compact(feat), lengths)


def stored(feat: Tensor) -> int:
    """Number of entries that are not zero; of sparse features those that are stored."""
    return feat._nnz() if is_sparse(feat) else int(feat.count_nonzero())


def _columns(feat: Tensor) -> Iterator[Tensor]:
    by_column = csr_to_scipy(feat).tocsc() if is_sparse(feat) else None
    for start in range(0, feat.shape[1], COLUMNS):
        if by_column is None:
            yield feat[:, start : start + COLUMNS]
        else:
            part = by_column[:, start : start + COLUMNS].toarray()
            yield torch.from_numpy(part).to(feat.dtype)


def _compact(feat: Tensor) -> Tensor | SparseRows:
    is_few = stored(feat) < SPARSE_DENSITY * feat.numel()
    if feat.device.type != "cpu" or feat.dtype not in (torch.float32, torch.float64) or not is_few:
        return as_dense(feat)
    return SparseRows.of(feat)
