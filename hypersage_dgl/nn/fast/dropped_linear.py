"""x Wᵀ with dropout on a wide constant x, where torch spends most of the time on the mask.

The first layer's input is wide and needs no gradient. So each random number gives eight or four
entries of the mask, dense rows pass in blocks that stay in the processor's cache, the mask acts on
the bits, and sparse rows draw only for what they store.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from scipy import sparse
from torch import Tensor
from torch.autograd.function import once_differentiable

from ..._utils import dropped

# Entries of a block of rows: 2 MB of float32.
BLOCK = 1 << 19

# The integers as wide as a floating type, and the place of their sign.
_INTEGERS = {torch.float32: (torch.int32, 31), torch.float64: (torch.int64, 63)}


class _Draw(NamedTuple):
    """How 64 random bits are read: as what type, how many, and over which range."""

    dtype: torch.dtype
    per_number: int
    levels: int
    lowest: int


_BYTES = _Draw(torch.uint8, 8, 2**8, 0)
_SHORTS = _Draw(torch.int16, 4, 2**16, -(2**15))


def dropped_linear(x: Tensor, weight: Tensor, rate: float) -> Tensor:
    """Product of x, dense or CSR, with ``weight.T`` after dropout at this rate (0 for none).

    A rate that is a multiple of 1/256 (such as 0.5) is met exactly, any other to 2**-17. What is
    dropped is 0 even if it was infinite or NaN. Other types than float32 and float64, a dense x
    that needs a gradient, and dense x on other devices than the CPU go through torch's own dropout.

    Examples
    --------
    >>> _ = torch.manual_seed(0)
    >>> x = dropped_linear(torch.ones(1000, 100), torch.eye(100), 0.5)
    >>> x.unique(), bool((x.mean() - 1).abs() < 0.02)
    (tensor([0., 2.]), True)
    """
    is_dense = x.layout == torch.strided
    is_ours = x.dtype in _INTEGERS
    if is_dense:
        is_ours = is_ours and not x.requires_grad and x.device.type == "cpu"
    if rate > 0 and not is_ours:
        x, rate = dropped(x, rate), 0.0
    if is_dense and rate == 0:
        return F.linear(x, weight)
    product = _DenseProduct if is_dense else _SparseProduct
    if rate == 0:
        return product.apply(x, weight, None, 0)  # type: ignore[no-untyped-call]
    values = x if is_dense else x.values()
    draw = _BYTES if (rate * 256).is_integer() else _SHORTS
    share = min(round(rate * draw.levels), draw.levels - 1)
    draws = torch.empty(
        -(-values.numel() // draw.per_number), dtype=torch.int64, device=values.device
    )
    # The whole range of int64, sign included: every bit is uniform.
    draws.random_(-(2**63), None)
    numbers = draws.view(draw.dtype)[: values.numel()].view(values.shape)
    last_dropped = draw.lowest + share - 1
    out: Tensor = product.apply(x, weight, numbers, last_dropped)  # type: ignore[no-untyped-call]
    # Scaling the narrow result instead of the wide input.
    return out * (draw.levels / (draw.levels - share))


class _DenseProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, numbers: Tensor, last_dropped: int) -> Tensor:
        ctx.save_for_backward(x, numbers)
        ctx.last_dropped = last_dropped
        out = x.new_empty(x.shape[0], weight.shape[0])
        for rows in _blocks(x):
            torch.mm(_kept(x[rows], numbers[rows], last_dropped), weight.t(), out=out[rows])
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[None, Tensor, None, None]:
        x, numbers = ctx.saved_tensors
        total = grad.new_zeros(grad.shape[1], x.shape[1])
        for rows in _blocks(x):
            # Masked again from the same numbers, so that no second x is stored.
            total.addmm_(grad[rows].t(), _kept(x[rows], numbers[rows], ctx.last_dropped))
        return None, total, None, None


class _SparseProduct(torch.autograd.Function):
    """Forward as weighted sums of rows of Wᵀ, three times as fast as a sparse product.

    Backward by scipy: the gradient of torch's own CSR product takes ten times as long.
    """

    @staticmethod
    def forward(
        ctx: Any, x: Tensor, weight: Tensor, numbers: Tensor | None, last_dropped: int
    ) -> Tensor:
        values, column, crow = x.values(), x.col_indices(), x.crow_indices()
        if numbers is not None:
            values = _kept(values, numbers.to(values.device), last_dropped)
        ctx.parts, ctx.shape = (values, column, crow), x.shape
        if len(values) == 0:
            return weight.new_zeros(x.shape[0], weight.shape[0])
        return F.embedding_bag(
            column,
            weight.t().contiguous(),
            crow,
            mode="sum",
            per_sample_weights=values,
            include_last_offset=True,
        )

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[None, Tensor, None, None]:
        parts = tuple(part.detach().cpu().numpy() for part in ctx.parts)
        matrix = sparse.csr_matrix(parts, shape=tuple(ctx.shape))
        transposed = matrix.T @ grad.detach().cpu().contiguous().numpy()
        return None, torch.from_numpy(transposed).t().to(grad), None, None


def _kept(values: Tensor, numbers: Tensor, last_dropped: int) -> Tensor:
    """The values with a number above ``last_dropped``, and 0 for the others."""
    integer, sign = _INTEGERS[values.dtype]
    # Below zero where the value stays, so all ones once the sign has moved through. A product with
    # a bool takes twice as long, torch.where four times.
    mask = (last_dropped - numbers.to(integer)).bitwise_right_shift_(sign)
    return mask.bitwise_and_(values.view(integer)).view(values.dtype)


def _blocks(x: Tensor) -> list[slice]:
    step = max(1, BLOCK // max(1, x.shape[1]))
    return [slice(start, start + step) for start in range(0, x.shape[0], step)]
