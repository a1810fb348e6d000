"""One seed for everything that draws."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import dgl
import numpy as np
import pytest
import torch

from hypersage_dgl.training import seed_everything
from hypersage_dgl.training.seed import epoch_seed

from .repeated import PROCESSES


def draw_everywhere():
    graph = dgl.rand_graph(50, 200)
    return (
        random.random(),
        np.random.rand(),  # noqa: NPY002  (this very generator is meant)
        torch.rand(1).item(),
        torch.cat(graph.edges()).tolist(),
        torch.cat(dgl.sampling.sample_neighbors(graph, [0, 1, 2, 3], 1).edges()).tolist(),
    )


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**32 - 1, np.int64(7)])
def test_the_same_seed_repeats_every_generator(seed):
    seed_everything(seed)
    first = draw_everywhere()
    seed_everything(seed)
    again = draw_everywhere()
    seed_everything(int(seed) ^ 1)
    other = draw_everywhere()
    for one, two, three in zip(first, again, other):
        assert one == two
        assert one != three


@pytest.mark.parametrize("seed", [-1, 2**32, 1.5, "1", None, True])
def test_other_seeds_are_named(seed):
    for call in (seed_everything, lambda value: epoch_seed(value, 1)):
        with pytest.raises(ValueError, match="seed is"):
            call(seed)


def test_seeds_of_epochs_differ_between_epochs_and_seeds():
    seeds = {(s, e): epoch_seed(s, e) for s in range(20) for e in range(1, 51)}
    assert len(set(seeds.values())) == len(seeds)
    assert all(0 <= seed < 2**32 for seed in seeds.values())
    assert epoch_seed(3, 7) == seeds[3, 7]


@pytest.mark.exhaustive
def test_a_run_on_two_threads_repeats_in_every_process():
    done = subprocess.run(
        [sys.executable, "-m", "training.repeated"],
        cwd=Path(__file__).parents[1],
        env={**os.environ, "OMP_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        timeout=1800,
    )
    hashes = done.stdout.split()
    assert len(hashes) == PROCESSES, done.stderr
    assert len(set(hashes)) == 1
