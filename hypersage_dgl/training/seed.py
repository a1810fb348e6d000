"""One seed for everything that draws."""

from __future__ import annotations

import random

import dgl
import numpy as np
import torch

from ..hypergraphs import one_thread


def seed_everything(seed: int) -> None:
    """Seed Python, numpy, torch and DGL.

    With it, a run on the CPU repeats to the bit: initial weights, dropout, the shuffling of
    ``dgl.dataloading.DataLoader`` (numpy's generator) and what ``HyperSAGESampler`` draws with
    ``num_workers=0``. With workers the draws repeat for the same number of workers only: each
    worker has a generator of its own. Sums over neighbourhoods may differ in the last bit between
    machines and numbers of threads.

    Examples
    --------
    >>> seed_everything(0)
    >>> first = torch.rand(3)
    >>> seed_everything(0)
    >>> torch.equal(first, torch.rand(3))
    True
    """
    seed = _checked(seed)
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002  (DGL's DataLoader shuffles with the global generator)
    # Not torch.manual_seed: without a GPU it keeps a call, with its stack, for each epoch.
    torch.default_generator.manual_seed(seed)
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(seed)
    # DGL adds to the seed the number that a thread got when it first asked: on one thread this one
    # comes first, and HyperSAGESampler draws on it alone. DGL takes signed 32 bits.
    with one_thread():
        dgl.seed(seed % 2**31)
    dgl.seed(seed % 2**31)


def epoch_seed(seed: int, epoch: int) -> int:
    """Seed of one epoch: what it draws depends on nothing drawn before, so a run can resume."""
    return int(np.random.SeedSequence([_checked(seed), epoch]).generate_state(1)[0])


def _checked(seed: int) -> int:
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**32:
        raise ValueError(f"seed is {seed!r}; it must be an integer from 0 to 2**32 - 1")
    return int(seed)
