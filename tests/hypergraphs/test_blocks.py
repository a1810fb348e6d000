"""Exact blocks, every edge into the seeds and nothing else; draws by priority, unbiased."""

from __future__ import annotations

import threading

import dgl
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from random_hypergraphs import hypergraphs

from hypersage_dgl import hypergraph
from hypersage_dgl.hypergraphs import (
    CONTAINS,
    HYPEREDGE,
    IN,
    NODE,
    TRUE_DEGREE,
    TRUE_SIZE,
    Slices,
    half_hop,
    one_thread,
    priority_sample,
)

RELATIONS = {"in": IN, "contains": CONTAINS}


@pytest.mark.parametrize("relation", RELATIONS)
@given(h=hypergraphs(), data=st.data())
def test_holds_all_edges_into_the_seeds_and_no_other(h, data, relation):
    etype, graph = RELATIONS[relation], h.graph()
    source, _, destination = etype
    count = graph.num_nodes(destination)
    seeds = data.draw(st.lists(st.integers(0, count - 1), unique=True)) if count else []
    index = torch.tensor(seeds, dtype=graph.idtype)
    block = half_hop(graph, etype, {destination: index})
    pairs = [(v, e) for e, members in enumerate(h.hyperedges) for v in members]
    pairs = pairs if etype == IN else [(e, v) for v, e in pairs]
    expected = [(u, v) for u, v in pairs if v in seeds]
    sources = block.srcnodes[source].data[dgl.NID].tolist()
    destinations = block.dstnodes[destination].data[dgl.NID].tolist()
    assert destinations == seeds
    ends = (ids.tolist() for ids in block.edges(etype=etype, order="eid"))
    # In the order of their ids in the whole graph.
    assert [(sources[u], destinations[v]) for u, v in zip(*ends)] == expected
    assert set(sources) >= {u for u, _ in expected}
    other = "contains" if relation == "in" else "in"
    assert block.num_edges(other) == 0
    assert block.idtype == graph.idtype


@given(h=hypergraphs(weighted=True))
def test_data_ride_along(h):
    graph = h.graph()
    index = torch.arange(len(h.hyperedges), dtype=graph.idtype)
    block = half_hop(graph, IN, {HYPEREDGE: index})
    if len(index) == 0:
        return
    assert torch.equal(block.edges[IN].data["weight"], h.incidence_weight)
    assert torch.equal(block.dstnodes[HYPEREDGE].data["weight"], h.hyperedge_weight)
    assert block.dstnodes[HYPEREDGE].data["size"].tolist() == [len(e) for e in h.hyperedges]


def test_seeds_of_the_source_type_come_first_among_the_sources():
    graph = hypergraph([[0, 1, 2], [2, 3]], 6)
    seeds = {HYPEREDGE: torch.tensor([1]), NODE: torch.tensor([5, 2])}
    block = half_hop(graph, IN, seeds)
    assert block.srcnodes[NODE].data[dgl.NID].tolist()[:2] == [5, 2]
    assert set(block.srcnodes[NODE].data[dgl.NID].tolist()) == {5, 2, 3}


def test_the_given_graph_stays_and_threads_come_back():
    graph = hypergraph([[0, 1, 2], [2, 3]])
    threads = torch.get_num_threads()
    keys = {t: set(graph.nodes[t].data) for t in graph.ntypes}
    half_hop(graph, CONTAINS, {NODE: torch.tensor([2])})
    assert {t: set(graph.nodes[t].data) for t in graph.ntypes} == keys
    assert torch.get_num_threads() == threads


@pytest.mark.parametrize("etype", [IN, CONTAINS], ids=["in", "contains"])
def test_counts_are_those_of_the_graph_and_not_what_it_stores(etype):
    graph = hypergraph([[0, 1, 2], [2, 3]], 6)
    graph.nodes[HYPEREDGE].data["size"] = torch.tensor([7.5, 8.5])
    graph.nodes[NODE].data["degree"] = torch.full((6,), 99)
    ntype = etype[2]
    block = half_hop(graph, etype, {ntype: torch.arange(graph.num_nodes(ntype))})
    if etype == CONTAINS:
        sources, destinations = block.srcnodes[HYPEREDGE].data, block.dstnodes[NODE].data
        expected = torch.tensor([3, 2])[sources[dgl.NID]]
        assert torch.equal(sources[TRUE_SIZE], expected)
        assert destinations[TRUE_DEGREE].tolist() == [1, 1, 2, 1, 0, 0]
        # What someone stored under our names is still theirs.
        assert torch.equal(sources["size"], torch.tensor([7.5, 8.5])[sources[dgl.NID]])
        assert destinations["degree"].tolist() == [99] * 6
    assert graph.nodes[NODE].data["degree"].tolist() == [99] * 6
    assert set(graph.nodes[HYPEREDGE].data) == {"size"}


def test_a_thread_born_inside_has_as_many_threads_as_before():
    before, found = torch.get_num_threads(), []
    try:
        torch.set_num_threads(2)
        with one_thread():
            born = threading.Thread(target=lambda: found.append(torch.get_num_threads()))
            born.start()
            born.join()
        assert found == [2]
    finally:
        torch.set_num_threads(before)


def test_one_thread_holds_in_a_new_thread_too():
    before, found = torch.get_num_threads(), []

    def work():
        with one_thread():
            # The first parallel work of a thread fetches what torch was set to.
            torch.rand(200_000).exp()
            found.append((dgl.utils.get_num_threads(), torch.get_num_threads()))
        found.append(torch.get_num_threads())

    try:
        torch.set_num_threads(2)
        born = threading.Thread(target=work)
        born.start()
        born.join()
        assert found == [(1, 1), 2]
    finally:
        torch.set_num_threads(before)


def test_one_thread_inside_and_as_before_after():
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(2)
        with one_thread():
            assert torch.get_num_threads() == 1
        assert torch.get_num_threads() == 2
        with pytest.raises(KeyError), one_thread():
            raise KeyError
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize("relation", RELATIONS)
@given(h=hypergraphs(weighted=True), data=st.data())
def test_slices_hold_each_edge_with_a_source_of_its_own(h, data, relation):
    etype, graph = RELATIONS[relation], h.graph()
    count = graph.num_nodes(etype[2])
    start = data.draw(st.integers(0, count))
    stop = data.draw(st.integers(start, count))
    block, ids = Slices(graph, etype).block(start, stop)
    pairs = [(v, e) for e, members in enumerate(h.hyperedges) for v in members]
    weights = graph.edges[IN].data["weight"].tolist() if etype == IN else [0.0] * len(pairs)
    found = [(v, e) if etype == IN else (e, v) for v, e in pairs]
    # By destination, and for each in the order of their ids.
    expected = sorted(
        ((u, v, w) for (u, v), w in zip(found, weights) if start <= v < stop), key=lambda x: x[1]
    )
    assert ids.tolist() == [u for u, _, _ in expected]
    sources, destinations = block.edges(etype=etype, order="eid")
    assert sources.tolist() == list(range(len(expected)))
    assert (destinations + start).tolist() == [v for _, v, _ in expected]
    if etype == IN:
        assert block.edges[IN].data["weight"].tolist() == [w for _, _, w in expected]
    else:
        sizes, degrees = graph.in_degrees(etype=IN), graph.in_degrees(etype=CONTAINS)
        assert torch.equal(block.srcnodes[HYPEREDGE].data[TRUE_SIZE], sizes[ids].long())
        assert torch.equal(block.dstnodes[NODE].data[TRUE_DEGREE], degrees[start:stop].long())


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
