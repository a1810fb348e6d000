"""Power means whose powers no float holds, such as p=1000: each relative to its neighbourhood.

M_p(x) = c·M_p(x/c) for any c > 0. With c the input that dominates a neighbourhood, the largest for
p > 0 and the smallest for p < 0, every power lies between 0 and 1.
"""

from __future__ import annotations

import math
from typing import TypeGuard

import torch
from torch import Tensor

from .aggregators import Aggregator
from .power_mean import PowerMean, is_power_mean
from .stage import Stage

# float64 holds powers up to e^709, here with the slopes of a power and some room for sums.
LARGEST_EXPONENT = 650.0


def exceeds_floats(aggregator: Aggregator, x: Tensor) -> TypeGuard[PowerMean]:
    """Whether float64, in which large powers are taken, does not hold those of x.

    Examples
    --------
    >>> [exceeds_floats(PowerMean(p), torch.tensor([0.5])) for p in (2, 20, 1000)]
    [False, False, True]
    """
    if not is_power_mean(aggregator) or x.numel() == 0:
        return False
    # Other powers of a float32 input fit into float64 for sure.
    takes_powers = aggregator.reduce == "mean" and not aggregator.is_arithmetic
    if not aggregator.is_large and not (takes_powers and x.dtype == torch.float64):
        return False
    largest = max(float(x.detach().amax()), aggregator.eps)
    reach = max(abs(math.log(aggregator.eps)), abs(math.log(largest)))
    return (aggregator.largest_power + 1) * reach >= LARGEST_EXPONENT


def sign_of(aggregator: PowerMean) -> Tensor | float:
    """1 where the largest input dominates, -1 where the smallest does; by channel if p is."""
    if isinstance(aggregator.p, Tensor):
        return torch.ones_like(aggregator.p.detach()).copysign(aggregator.p.detach())
    return math.copysign(1.0, aggregator.p)


def pass_large_powers(stage: Stage, x: Tensor, aggregator: PowerMean) -> Tensor:
    """Power mean at each destination, as ``pass_messages`` gives it; the stage has edges."""
    sources, destinations = stage.edges
    rows = aggregator.floor(x)[sources]
    sign = sign_of(aggregator)
    # The result does not depend on the pivot, so no gradient needs to pass through it.
    pivot = sign * stage.max_edges(sign * rows.detach())
    powers = aggregator.power(rows / pivot[destinations])
    for weight in (None if stage.weight is None else stage.weight[sources], stage.edge_weight):
        if weight is not None:
            powers = powers * weight.to(powers.dtype).unsqueeze(-1)
    mass = stage.mass(powers)
    is_empty = mass == 0
    mean = stage.sum_edges(powers) / mass.masked_fill(is_empty, 1)
    # An empty row passes through the root as 1, whose root is 1.
    return pivot * aggregator.root(mean.masked_fill(is_empty, 1)).masked_fill(is_empty, 0)
