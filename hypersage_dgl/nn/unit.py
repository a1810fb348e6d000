"""Rows scaled to unit length, also where the squares of their entries overflow."""

from __future__ import annotations

import torch
from torch import Tensor

# Rows shorter than this are not scaled up to unit length, as in torch's F.normalize.
SHORTEST = 1e-12


def unit_rows(x: Tensor) -> Tensor:
    """``F.normalize`` of each row; one too long for its squares is divided by its largest first.

    Other rows come out to the same bit as ``F.normalize`` gives them.

    Examples
    --------
    >>> unit_rows(torch.tensor([[3.0, 4.0], [3e30, 4e30]]))
    tensor([[0.6000, 0.8000],
            [0.6000, 0.8000]])
    """
    length = x.norm(2.0, dim=-1, keepdim=True)
    is_long = torch.isinf(length.detach())
    if bool(is_long.any()):
        largest = x.detach().abs().amax(dim=-1, keepdim=True)
        # The direction does not depend on the divisor, so no gradient needs to pass through it.
        x = x / torch.where(is_long, largest, 1.0)
        length = x.norm(2.0, dim=-1, keepdim=True)
    return x / length.clamp_min(SHORTEST).expand_as(x)
