"""Fano planes: what both classes share, which is all that one level sees, and what they do not."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import torch

from hypersage_dgl import hypergraph
from hypersage_dgl.convert import clique_expansion
from hypersage_dgl.data import fano, load, load_dataset, member_sets
from hypersage_dgl.data.generated.fano import LINES, MARKED, POINTS
from hypersage_dgl.nn import HyperSAGE, Max
from hypersage_dgl.nn.baselines import HGNN, CliqueGCN


def test_it_is_the_fano_plane():
    for pair in combinations(range(POINTS), 2):
        assert sum(set(pair) <= set(line) for line in LINES) == 1
    assert all(len(set(one) & set(other)) == 1 for one, other in combinations(LINES, 2))
    assert MARKED[0] in LINES
    assert not any(set(MARKED[1]) <= set(line) for line in LINES)


def test_planes_are_planes_and_marks_tell_the_class():
    data = fano(20, noise=0.0, seed=3)
    assert data.labels.reshape(20, POINTS).unique(dim=1).shape == (20, 1)
    assert int(data.labels.sum()) == 10 * POINTS
    marked = {v for v, mark in enumerate(data.feat[:, 0].tolist()) if mark == 1}
    members = member_sets(data.graph)
    for plane in range(20):
        points = set(range(POINTS * plane, POINTS * (plane + 1)))
        lines = [set(line) for line in members[POINTS * plane : POINTS * (plane + 1)]]
        assert all(line <= points for line in lines)
        assert all(len(one & other) == 1 for one, other in combinations(lines, 2))
        is_on_a_line = (marked & points) in lines
        assert is_on_a_line == (data.labels[POINTS * plane] == 0)
        # What a maximum inside sees: a line without a marked point.
        assert is_on_a_line == all(line & marked for line in lines)


def planes(model, seed=0):
    """Sorted logits of both classes' plane, with the same three marked features."""
    found = []
    for marks in MARKED:
        feat = torch.zeros(POINTS, 1, dtype=torch.float64)
        feat[list(marks)] = 1
        out = model(hypergraph(LINES, POINTS), feat)[:, 0]
        found.append(out.detach().sort().values)
    return found


@pytest.mark.parametrize(
    "make",
    [
        lambda: HGNN(1, 8, 2, 3),
        lambda: CliqueGCN(1, 8, 2, 3),
        *(lambda p=p: HyperSAGE(1, 8, 2, 3, p=p, normalize=False) for p in (1.0, 3.0, -2.0, 0.0)),
    ],
)
def test_one_level_gives_both_classes_the_same(make):
    torch.manual_seed(1)
    one, other = planes(make().double().eval())
    torch.testing.assert_close(one, other, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("options", [{"p": (4.0, 1.0)}, {"intra_aggr": Max()}])
def test_two_levels_do_not(options):
    torch.manual_seed(1)
    one, other = planes(HyperSAGE(1, 8, 2, 2, normalize=False, **options).double().eval())
    assert float((one - other).abs().max()) > 1e-3


def test_clique_expansions_are_equal():
    one, other = (
        clique_expansion(hypergraph([[order[v] for v in line] for line in LINES], POINTS))
        for order in (range(POINTS), [3, 1, 4, 0, 2, 6, 5])
    )
    pairs = {(u, v) for u in range(POINTS) for v in range(POINTS) if u != v}
    for clique in (one, other):
        assert set(zip(*(ends.tolist() for ends in clique.edges()))) == pairs


def test_splits_are_of_whole_planes():
    data = load("fano")
    assert len(data.splits) == 10
    for split in (data.split(1), data.split(10)):
        assert [len(ids) // POINTS for ids in split] == [200, 100, 100]
        parts = [set((ids // POINTS).tolist()) for ids in split]
        assert sum(map(len, parts)) == len(set.union(*parts)) == 400
    assert not torch.equal(data.split(1).train, data.split(2).train)
    assert len(load_dataset("fano", 3).split.test) == 700


def test_the_seed_decides_and_noise_is_noise():
    one, again, other = (fano(50, seed=seed).feat for seed in (1, 1, 2))
    assert torch.equal(one, again)
    assert not torch.equal(one, other)
    noisy = fano(2000, noise=0.5).feat - fano(2000, noise=0.0).feat
    assert float(noisy.std()) == pytest.approx(0.5, abs=0.02)
    with pytest.raises(ValueError, match="noise is -1"):
        fano(3, noise=-1)


def test_labels_are_balanced_whatever_the_number():
    assert [int(np.sum(fano(n).labels.numpy()) // POINTS) for n in (1, 2, 7)] == [0, 1, 3]
