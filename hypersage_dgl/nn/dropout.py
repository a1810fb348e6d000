"""Dropout for wide constant inputs, where drawing the mask costs more than the product it feeds."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

# Numbers drawn per 64 random bits, by the type that they are read as.
_BYTES, _SHORTS = (torch.uint8, 8, 2**8), (torch.int16, 4, 2**16)


def cheap_dropout(x: Tensor, rate: float) -> Tensor:
    """Dropout that reads eight or four mask entries out of each random number.

    A rate that is a multiple of 1/256 (such as 0.5) is met exactly, any other to 2**-17. Inputs
    that need a gradient go through torch's own dropout.

    Examples
    --------
    >>> _ = torch.manual_seed(0)
    >>> x = cheap_dropout(torch.ones(1000, 100), 0.5)
    >>> x.unique(), bool((x.mean() - 1).abs() < 0.02)
    (tensor([0., 2.]), True)
    """
    if not 0 < rate < 1 or x.requires_grad:
        return F.dropout(x, rate)
    dtype, per_draw, levels = _BYTES if (rate * 256).is_integer() else _SHORTS
    dropped = round(rate * levels)
    draws = torch.empty(-(-x.numel() // per_draw), dtype=torch.int64, device=x.device)
    # The whole range of int64, sign included: every bit is uniform.
    draws.random_(-(2**63), None)
    numbers = draws.view(dtype)[: x.numel()].view(x.shape)
    lowest = 0 if dtype == torch.uint8 else -(2**15)
    keep = numbers >= dropped + lowest
    return x.mul(levels / (levels - dropped)).mul_(keep)
