"""Draws by priority: how many, whole where few, unbiased sums, and likelier where heavier."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from random_hypergraphs import hypergraphs

from hypersage_dgl import hypergraph
from hypersage_dgl.hypergraphs import priority_sample


@given(h=hypergraphs(), data=st.data())
def test_draws_so_many_of_each_and_no_other(h, data):
    graph, count = h.graph(), data.draw(st.integers(1, 5))
    total = len(h.hyperedges)
    chosen = data.draw(st.lists(st.integers(0, total - 1), unique=True)) if total else []
    weight = h.positive(h.num_nodes, salt=5)
    ids, factor = priority_sample(graph, torch.tensor(chosen, dtype=graph.idtype), weight, count)
    assert torch.equal(ids, ids.unique())
    assert bool((factor >= 1).all())
    owners = graph.find_edges(ids, etype="in")[1].tolist()
    for e in chosen:
        assert owners.count(e) == min(count, len(h.hyperedges[e]))
        if len(h.hyperedges[e]) <= count:
            assert bool((factor[[i for i, owner in enumerate(owners) if owner == e]] == 1).all())
    assert set(owners) <= set(chosen)


@pytest.mark.parametrize("count", [1, 2, 4])
def test_sums_are_unbiased_and_heavy_members_are_likelier(count):
    copies, size = 20_000, 6
    weight = torch.tensor([1.0, 2, 4, 8, 16, 0.5])
    values = torch.tensor([3.0, 1, 2, 7, 1, 5], dtype=torch.float64)
    graph = hypergraph([[i * size + j for j in range(size)] for i in range(copies)])
    torch.manual_seed(1)
    ids, factor = priority_sample(graph, torch.arange(copies), weight.repeat(copies), count)
    member, owner = ids % size, ids // size
    totals = torch.zeros(copies, dtype=torch.float64)
    totals.index_add_(0, owner, factor * values[member])
    error = totals.std() / copies**0.5
    assert abs(float(totals.mean() - values.sum())) < 4.5 * float(error)
    drawn = torch.bincount(member, minlength=size)
    assert drawn.tolist() == [*sorted(drawn.tolist()[:5]), int(drawn[5])]
    assert drawn[5] < drawn[0]
    # Equal weights draw evenly.
    ids, _ = priority_sample(graph, torch.arange(copies), torch.ones(copies * size), count)
    share = torch.bincount(ids % size) / copies
    torch.testing.assert_close(share, torch.full((size,), count / size), rtol=0, atol=0.02)


def test_no_hyperedges_draw_nothing():
    none = torch.empty(0, dtype=torch.int64)
    ids, factor = priority_sample(hypergraph([[0, 1]]), none, torch.ones(2), 3)
    assert len(ids) == len(factor) == 0
